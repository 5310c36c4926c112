import { describe, expect, it } from 'vitest'
import { item } from '../testing/builders'
import { applyToConversations, EMPTY, withPage } from './conversations'

function seqs(conversation: { items: readonly { seq: number }[] } | undefined): number[] | undefined {
  return conversation?.items.map((one) => one.seq)
}

describe('conversations', () => {
  it('take an item once, however often it arrives', () => {
    const known = new Map([['main', { ...EMPTY, newest: 'there' as const, items: [item(1)] }]])
    const event = { type: 'conversationAppended', seq: 5, projectId: 'p', item: item(2) } as const

    const twice = applyToConversations(applyToConversations(known, event), event)

    expect(seqs(twice.get('main'))).toEqual([1, 2])
  })

  it('ignore what nobody looked at', () => {
    const none = new Map()

    expect(applyToConversations(none, { type: 'conversationAppended', seq: 5, projectId: 'p', item: item(1) })).toBe(
      none,
    )
  })

  it('put an older page before what is known', () => {
    const known = withPage(EMPTY, { items: [item(5), item(6)], hasMore: true }, false)

    const grown = withPage(known, { items: [item(3), item(4)], hasMore: false }, true)

    expect(seqs(grown)).toEqual([3, 4, 5, 6])
    expect(grown.hasMore).toBe(false)
  })

  it('show no hole after a long absence', () => {
    const known = withPage(EMPTY, { items: [item(1), item(2)], hasMore: false }, false)

    const later = withPage(known, { items: [item(8), item(9)], hasMore: true }, false)

    expect(seqs(later)).toEqual([8, 9])
    expect(later.hasMore).toBe(true)
  })

  it('keep the older pages when the newest one joins them', () => {
    const known = withPage(EMPTY, { items: [item(1), item(2), item(3)], hasMore: false }, false)

    const later = withPage(known, { items: [item(3), item(4)], hasMore: true }, false)

    expect(seqs(later)).toEqual([1, 2, 3, 4])
    expect(later.hasMore).toBe(false)
  })
})
