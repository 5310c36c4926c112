// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { answerWith } from '../testing/fakeServer'
import { browserStore, lookAtBrowsers, relistBrowsers } from './browsers'

it('lists the browsers anew for as long as somebody looks at them', async () => {
  const sent = answerWith([])
  relistBrowsers()
  expect(sent).toEqual([])

  const stop = lookAtBrowsers()
  await expect.poll(() => sent.length).toBe(1)
  answerWith([{ id: 'c2', label: 'Firefox', createdAtMs: 0, usedAtMs: 0, isCurrent: false }])
  relistBrowsers()
  await expect.poll(() => browserStore.getState().list.map((one) => one.label)).toEqual(['Firefox'])

  stop()
  const after = answerWith([])
  relistBrowsers()
  expect(after).toEqual([])
})
