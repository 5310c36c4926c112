// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './renderMarkdown'

function html(text: string): string {
  return renderMarkdown(text)
    .map((part) => (part.kind === 'prose' ? part.html : ''))
    .join('')
}

describe('agent text', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x">b</b>',
    '<iframe src="http://e"></iframe>',
    '<style>*{display:none}</style>',
  ])('shows markup as text: %s', (text) => {
    const box = document.createElement('div')
    box.innerHTML = html(text)

    expect(box.querySelectorAll('script, img, iframe, style, [onclick], [onerror], b')).toHaveLength(0)
    expect(box.textContent?.trim()).toBe(text)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'JaVaScRiPt:x', '//evil.example'])(
    'makes no link to %s',
    (href) => {
      expect(html(`[click](${href})`)).not.toContain('<a')
    },
  )

  it('opens web links apart, without telling where from', () => {
    expect(html('[docs](https://example.com/a?b=1&c=2)')).toContain(
      '<a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">docs</a>',
    )
  })

  it('loads no image', () => {
    expect(html('![chart](https://example.com/x.png)')).not.toContain('<img')
  })

  it('shows what of a list is done', () => {
    const box = document.createElement('div')
    box.innerHTML = html('- [ ] open\n- [x] done\n\n1. [x] loose\n\n2. plain')

    expect([...box.querySelectorAll('li')].map((one) => one.textContent?.trim())).toEqual([
      '☐ open',
      '☑ done',
      '☑ loose',
      'plain',
    ])
    expect(box.querySelector('input')).toBeNull()
  })

  it('counts a list on from where it was left', () => {
    expect(html('4. fourth\n5. fifth')).toContain('<ol start="4">')
  })

  it.each(['', '> '])('lets the keyboard reach a table by the name of its columns: %s', (before) => {
    const box = document.createElement('div')
    box.innerHTML = html(['| file "a" | what |', '|---|---|', '| x | y |'].map((line) => before + line).join('\n'))

    const around = box.querySelector('table')?.parentElement
    expect(around?.getAttribute('tabindex')).toBe('0')
    expect(around?.getAttribute('role')).toBe('group')
    expect(around?.getAttribute('aria-label')).toBe('file "a", what')
  })

  it('gives fenced code its name and language', () => {
    expect(renderMarkdown('before\n\n```ts src/a.ts\nconst a = 1\n```\n\nafter')).toMatchObject([
      { kind: 'prose' },
      { kind: 'code', language: 'ts', title: 'src/a.ts', text: 'const a = 1' },
      { kind: 'prose' },
    ])
  })
})
