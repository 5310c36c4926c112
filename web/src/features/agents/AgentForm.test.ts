/** The form takes what the server takes. */

import { expect, it } from 'vitest'
import api from '../../../openapi.json'
import { en } from '../../words/en'
import { fr } from '../../words/fr'
import { MAX_NAME_CHARS } from './AgentForm'

it('takes a name as long as the server does, and both languages say how long', () => {
  expect(api.components.schemas.SaveAgent.properties.name.maxLength).toBe(MAX_NAME_CHARS)
  for (const words of [en, fr]) {
    expect(words.failure.why.nameInvalid()).toContain(` ${MAX_NAME_CHARS} `)
  }
})
