/** The server's closed lists of keys are the catalogues' keys: nothing it says is left in the server's own words. */

import { expect, it } from 'vitest'
import api from '../../openapi.json'
import { en } from './en'
import { fr } from './fr'

const LISTS = {
  NoticeCode: { en: en.notice.title, fr: fr.notice.title },
  OutcomeCode: { en: en.failure.what, fr: fr.failure.what },
  Why: { en: en.failure.why, fr: fr.failure.why },
  Fault: { en: en.failure.fault, fr: fr.failure.fault },
  CancelledBy: { en: en.chat.turnStopped, fr: fr.chat.turnStopped },
  Mark: { en: en.mark, fr: fr.mark },
  TrustNote: { en: en.trust.note, fr: fr.trust.note },
  TrustKind: { en: en.trust.kind, fr: fr.trust.kind },
  ReadinessReason: { en: en.reason, fr: fr.reason },
  Reach: { en: en.reach, fr: fr.reach },
  BeliefSource: { en: en.source, fr: fr.source },
} as const

it.each(Object.keys(LISTS) as (keyof typeof LISTS)[])('%s is worded in both languages', (name) => {
  const keys = [...api.components.schemas[name].enum].sort()

  expect(Object.keys(LISTS[name].en).sort()).toEqual(keys)
  expect(Object.keys(LISTS[name].fr).sort()).toEqual(keys)
})

it('fills every sentence with what the server names, and says it differently in each language', () => {
  const named = (field: string) => `<${field}>`
  const both = [
    [en.failure.why, fr.failure.why],
    [en.failure.fault, fr.failure.fault],
    [en.trust.note, fr.trust.note],
  ] as const

  for (const [english, french] of both) {
    const others = new Map(Object.entries(french))
    for (const [key, say] of Object.entries(english)) {
      const said = others.get(key)?.(named) ?? ''
      expect(said, key).not.toBe(say(named))
      expect(said.match(/<\w+>/g)?.sort(), key).toEqual(say(named).match(/<\w+>/g)?.sort())
    }
  }
})
