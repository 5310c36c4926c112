// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { renderMarkdown } from './renderMarkdown'

/** Each of them used up the parser's stack, or would: what is written is shown all the same. */
const NESTED: Record<string, string> = {
  'quotes in quotes': `${'> '.repeat(4000)}deep`,
  'lists in lists': `${'- '.repeat(4000)}deep`,
  'numbers in numbers': `${'1. '.repeat(3000)}deep`,
  'quotes in lists': `${'- > '.repeat(2000)}deep`,
  'marks in marks': `${'*a **b '.repeat(1000)}deep`,
  'links in links': `${'[a]('.repeat(2000)}deep`,
  brackets: `${'['.repeat(4000)}deep`,
  'indented lists': Array.from({ length: 120 }, (_, depth) => `${'  '.repeat(depth)}- deep`).join('\n'),
}

it.each(Object.entries(NESTED))('draws %s, however deep', (_name, text) => {
  const html = renderMarkdown(text)
    .map((part) => (part.kind === 'prose' ? part.html : part.text))
    .join('')

  expect(html).toContain('deep')
})

it('draws what is nested as people nest it', () => {
  const box = document.createElement('div')
  box.innerHTML = renderMarkdown('> > - a\n> >   - **b *c***')
    .map((part) => (part.kind === 'prose' ? part.html : ''))
    .join('')

  expect(box.querySelector('blockquote blockquote ul ul strong em')?.textContent).toBe('c')
})
