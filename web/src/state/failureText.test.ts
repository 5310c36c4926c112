import { expect, it } from 'vitest'
import { OFFLINE } from '../wire/outcome'
import { en } from '../words/en'
import { fr } from '../words/fr'
import { failureText, tailOf } from './failureText'

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

it('keeps a message that is about this very case, without advice that says nothing', () => {
  expect(failureText(failure('INVALID'), fr)).toBe('The server’s sentence.')
})

it('hands on what it does not know', () => {
  expect(failureText(failure('BRAND_NEW'), fr)).toBe('The server’s sentence. The server’s advice.')
})

it('says that the server was not reached', () => {
  expect(failureText(OFFLINE, en)).toBe('The server was not reached. The page reconnects by itself; try again then.')
})
