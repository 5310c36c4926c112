import { describe, expect, it } from 'vitest'
import { agent } from '../testing/builders'
import { beginEdit, decided, isDecided, rebased, withFields } from './agentEdit'

const QA = agent('QA', { instructions: 'Test.' })
const by = (change: object) => ({ ...QA, version: 'v2', ...change })

describe('an edit of an agent that somebody else changes', () => {
  it('takes over what the person did not touch, and keeps what they wrote', () => {
    const edit = withFields(beginEdit(QA), { name: 'Quality' })

    const merged = rebased(edit, by({ instructions: 'Test twice.', capabilities: ['browser'] }))

    expect(merged.fields).toMatchObject({ name: 'Quality', instructions: 'Test twice.', capabilities: ['browser'] })
    expect(merged.version).toBe('v2')
    expect(merged.changes).toContainEqual({ field: 'instructions', isOpen: false })
    expect(isDecided(merged)).toBe(true)
  })

  it('leaves it to the person where both changed the same', () => {
    const edit = withFields(beginEdit(QA), { instructions: 'Mine.' })
    const merged = rebased(edit, by({ instructions: 'Theirs.' }))

    expect(merged.fields.instructions).toBe('Mine.')
    expect(isDecided(merged)).toBe(false)

    const mine = decided(merged, 'instructions', 'mine')
    const theirs = decided(merged, 'instructions', 'theirs')
    expect([mine.fields.instructions, isDecided(mine)]).toEqual(['Mine.', true])
    expect([theirs.fields.instructions, isDecided(theirs)]).toEqual(['Theirs.', true])
  })

  it('is none where both changed it to the same, or nothing is said anew', () => {
    const edit = withFields(beginEdit(QA), { model: 'opus' })

    expect(isDecided(rebased(edit, by({ model: 'opus' })))).toBe(true)
    expect(rebased(edit, QA)).toBe(edit)
  })
})
