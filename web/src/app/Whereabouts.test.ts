// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Whereabouts } from './Whereabouts'

describe('where the person is', () => {
  let host: HTMLElement
  let whereabouts: Whereabouts

  beforeEach(() => {
    host = document.createElement('div')
    document.body.append(host)
    host.innerHTML = '<div id="a"></div><div id="b"></div>'
    whereabouts = new Whereabouts(host)
  })
  afterEach(() => {
    whereabouts.dispose()
    document.body.replaceChildren()
  })

  const part = (id: string) => host.querySelector(`#${id}`) ?? host
  const box = (label: string, value = '') => {
    const made = document.createElement('textarea')
    made.ariaLabel = label
    made.setAttribute('aria-label', label)
    made.value = value
    return made
  }
  /** The observer's callback is a microtask. */
  const settled = () => Promise.resolve()

  it('has the focus again in what was moved', async () => {
    const main = box('Message to Main')
    part('a').append(main)
    main.focus()

    part('b').append(main)
    expect(document.activeElement).toBe(document.body)
    await settled()

    expect(document.activeElement).toBe(main)
  })

  it('goes on at the same letter in the same box where it was built anew', async () => {
    const main = box('Message to Main', 'ready?')
    part('a').append(main)
    main.focus()
    main.setSelectionRange(2, 4)

    main.remove()
    const again = box('Message to Main', 'ready?')
    part('b').append(box('Message to QA', 'ready?'), again)
    await settled()

    expect(document.activeElement).toBe(again)
    expect([again.selectionStart, again.selectionEnd]).toEqual([2, 4])
  })

  it('is nowhere rather than in another box', async () => {
    const main = box('Message to Main')
    part('a').append(main)
    main.focus()

    main.remove()
    part('b').append(box('Terminal of Main'))
    await settled()

    expect(document.activeElement).toBe(document.body)
  })

  it('stays where the person went meanwhile', async () => {
    const main = box('Message to Main')
    const search = box('Search')
    document.body.append(search)
    part('a').append(main)
    main.focus()

    part('b').append(main)
    search.focus()
    await settled()

    expect(document.activeElement).toBe(search)
  })

  it('is nowhere any more once the person has left for nothing', async () => {
    const main = box('Message to Main')
    part('a').append(main)
    main.focus()
    await settled()
    main.blur()
    await settled()

    part('b').append(main)
    await settled()

    expect(document.activeElement).toBe(document.body)
  })

  it('is in the same place of the page that the tab shows next, unless the person turns elsewhere first', async () => {
    whereabouts.outliveReload()
    part('a').append(box('Message to Main'), box('Message to QA'))
    host.querySelector('textarea')?.focus()
    const reload = async (before: () => void) => {
      window.dispatchEvent(new Event('pagehide'))
      whereabouts.dispose()
      for (const id of ['a', 'b']) part(id).replaceChildren()
      whereabouts = new Whereabouts(host)
      whereabouts.outliveReload()
      before()
      part('b').replaceChildren(box('Message to QA'), box('Message to Main'))
      await settled()
      return document.activeElement?.getAttribute('aria-label')
    }

    expect(await reload(() => {})).toBe('Message to Main')
    expect(await reload(() => document.body.dispatchEvent(new Event('pointerdown', { bubbles: true })))).toBe(null)
  })

  it('has the words marked again that were moved', async () => {
    const said = document.createElement('p')
    said.textContent = 'That is all there is to it.'
    part('a').append(said)
    const text = said.firstChild ?? said
    document.getSelection()?.setBaseAndExtent(text, 0, text, 4)
    document.dispatchEvent(new Event('selectionchange'))

    part('b').append(said)
    document.getSelection()?.removeAllRanges()
    await settled()

    expect(document.getSelection()?.toString()).toBe('That')
  })
})
