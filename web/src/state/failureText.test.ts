import { expect, it } from 'vitest'
import { OFFLINE } from '../wire/outcome'
import { en } from '../words/en'
import { fr } from '../words/fr'
import { failureText, reasonText, tailOf, trustText } from './failureText'

function failure(code: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { code, message: 'The server’s sentence.', advice: 'The server’s advice.', fields }
}

it('speaks the person’s language, with what the CLI said itself', () => {
  const failed = failure('ENGINE_FAILED', { reason: 'the program "codex" was not found on PATH.', tail: ' no key\n' })

  expect(failureText(failed, fr)).toBe(
    'Sa CLI a abandonné : the program "codex" was not found on PATH. ' +
      'Vérifiez que sa CLI est installée et connectée, puis relancez-le.',
  )
  expect(tailOf(failed)).toBe('no key')
})

it('names what was not found only where the name means something', () => {
  expect(failureText(failure('NOT_FOUND', { kind: 'agent', name: 'QA' }), en)).toContain('any more: QA.')
  expect(failureText(failure('NOT_FOUND', { kind: 'waiting turn', name: '6f1c' }), en)).not.toContain('6f1c')
})

it('says in the person’s language why a request was refused, and what the system said', () => {
  const full = failure('CONFLICT', { why: 'fileUnusable', path: '/p/qa.md', detail: 'No space left', errno: 'ENOSPC' })

  expect(failureText(full, fr)).toBe('/p/qa.md ne peut pas servir : le disque est plein.')
  expect(failureText(failure('INVALID', { why: 'messageEmpty' }), en)).toBe('The message is empty.')
  expect(failureText(failure('CONFLICT', { ...full.fields, errno: 'EWEIRD' }), fr)).toContain('No space left')
})

it('puts a reason that is a clause behind what happened', () => {
  const gone = failure('ENGINE_FAILED', { reason: 'its CLI …', why: 'endedAtOnce', code: null, signal: 9, tail: '' })

  expect(failureText(gone, fr)).toContain('Sa CLI a abandonné : elle s’est terminée aussitôt, signal 9.')
})

it('leaves a reason that no catalogue knows to the server’s sentence', () => {
  expect(failureText(failure('INVALID'), fr)).toBe('The server’s sentence.')
  expect(failureText(failure('INVALID', { why: 'brandNew' }), fr)).toBe('The server’s sentence.')
})

it('tells a turn that was too long from a queue that was', () => {
  const late = { limitSeconds: 300, queued: false, note: '' }

  expect(failureText(failure('TIMEOUT', late), fr)).toBe('Pas de réponse à temps : rien après 300 s.')
  expect(failureText(failure('TIMEOUT', { ...late, asked: 'QA: Run a command', askedSeconds: 40 }), fr)).toBe(
    'Pas de réponse à temps : rien après 300 s, une personne a été sollicitée 40 s en plus (QA: Run a command).',
  )
  expect(failureText(failure('TIMEOUT', { ...late, queued: true, note: 'Retry 3' }), en)).toBe(
    'No answer in time: still busy with others after 300 s, its CLI says “Retry 3”.',
  )
})

it('tells an agent that was deleted from a project that was closed', () => {
  expect(failureText(failure('CLOSED', { deleted: true }), fr)).toBe(
    'IdeA l’a fermé : son agent a été supprimé. Demandez à un autre agent.',
  )
  expect(failureText(failure('CLOSED', { deleted: false }), fr)).toContain('IdeA l’a fermé. ')
})

it('shows a long reason whole beside its first line', () => {
  const died = failure('TARGET_DIED', { reason: 'Ended with code 3: no key\nat line 7', tail: '' })

  expect(failureText(died, en)).toBe('It ended before it answered: Ended with code 3: no key.')
  expect(tailOf(died)).toBe('Ended with code 3: no key\nat line 7')
})

it('words what is said of a file, and quotes the rest', () => {
  const item = { kind: 'file', file: 'x', text: 'The server’s text.', fields: { bytes: 11 } } as const

  expect(trustText({ ...item, note: 'notInterpreted' }, fr)).toBe(
    '11 octets qu’IdeA n’interprète pas ; regardez dans le fichier',
  )
  expect(trustText({ ...item, note: null }, fr)).toBe('The server’s text.')
  const broken = { ...item, note: 'agentUnusable' as const, fields: { why: 'agentKeyMissing', key: 'name', line: '2' } }
  expect(trustText(broken, en)).toBe('not a usable agent file, line 2: “name” is missing.')
})

it('hands on what it does not know', () => {
  expect(failureText(failure('BRAND_NEW'), fr)).toBe('The server’s sentence. The server’s advice.')
})

it('says that the server was not reached', () => {
  expect(failureText(OFFLINE, en)).toBe('The server was not reached. The page reconnects by itself; try again then.')
})

it('tells in French why an agent file is broken, and in the server’s words what no catalogue knows', () => {
  const file = { slug: 'bad', line: 3, reason: 'name is missing' }

  expect(reasonText({ ...file, fields: { why: 'agentKeyMissing', key: 'name' } }, fr)).toBe('Il manque « name ».')
  expect(
    reasonText({ ...file, fields: { why: 'agentUnusable', reason: 'it is …', fault: 'tooLarge', limit: '9' } }, fr),
  ).toBe('Il ne peut pas servir : il dépasse 9 octets.')
  expect(reasonText({ ...file, fields: {} }, fr)).toBe('name is missing')
})
