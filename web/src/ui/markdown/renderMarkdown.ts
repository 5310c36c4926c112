/** Agent text to safe HTML: raw HTML is shown as text, only http(s) links work, and the result is sanitised again. */

import DOMPurify from 'dompurify'
import { Marked, Renderer, type Token, Tokenizer, type Tokens } from 'marked'
import { calm } from '../../lib/visibleText'
import { Depth } from './Depth'

const HEADING_OFFSET = 2
/** The page itself has the first two levels. */

const MOST_NESTED = 10
/** Quotes in lists in quotes, or marks within marks. What is nested deeper is shown as it was written. */

const WEB = /^https?:\/\//i

const blocks = new Depth(MOST_NESTED)
const inlines = new Depth(MOST_NESTED)
const { blockquote, list, emStrong, del, link, reflink } = Tokenizer.prototype

const markdown = new Marked({
  gfm: true,
  // The parser calls itself for what is nested, so that a few kilobytes of marks would use up its stack.
  tokenizer: {
    blockquote(src) {
      return blocks.within(() => blockquote.call(this, src))
    },
    list(src) {
      return blocks.within(() => list.call(this, src))
    },
    emStrong(src, maskedSrc, prevChar) {
      return inlines.within(() => emStrong.call(this, src, maskedSrc, prevChar))
    },
    del(src, maskedSrc, prevChar) {
      return inlines.within(() => del.call(this, src, maskedSrc, prevChar))
    },
    link(src) {
      return inlines.within(() => link.call(this, src))
    },
    reflink(src, links) {
      return inlines.within(() => reflink.call(this, src, links))
    },
  },
  renderer: {
    html: ({ text }) => escaped(text),
    heading({ tokens, depth }) {
      const level = Math.min(depth + HEADING_OFFSET, 6)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
    },
    link({ href, tokens }) {
      const shown = this.parser.parseInline(tokens)
      return WEB.test(href) ? `<a href="${escaped(href)}">${shown}</a>` : shown
    },
    // An image would be a request to wherever the agent says.
    image: ({ href, text }) =>
      WEB.test(href) ? `<a href="${escaped(href)}">${escaped(text || href)}</a>` : escaped(text),
    // A form's box would be a control that nobody can use and that has no name.
    checkbox: ({ checked }) => `<span class="task">${checked ? '☑' : '☐'}</span> `,
    // It scrolls, so the keyboard must reach it; its columns are its name.
    table(token) {
      const columns = token.header.map(({ text }) => text).join(', ')
      const table = Renderer.prototype.table.call(this, token)
      return `<div class="table" tabindex="0" role="group" aria-label="${escaped(columns)}">${table}</div>`
    },
  },
})

const purify = DOMPurify(window)
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer')
})

const ALLOWED = {
  ALLOWED_TAGS: [
    ...[
      'a',
      'b',
      'blockquote',
      'br',
      'code',
      'del',
      'div',
      'em',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'li',
      'ol',
      'p',
    ],
    ...['pre', 's', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: ['aria-label', 'class', 'href', 'rel', 'role', 'start', 'tabindex', 'target'],
  ALLOWED_URI_REGEXP: WEB,
  // Numbers, which would else have to be addresses too.
  ADD_URI_SAFE_ATTR: ['start', 'tabindex'],
}

export interface Prose {
  kind: 'prose'
  html: string
}

export interface Code {
  kind: 'code'
  language: string
  /** What stood after the language: often the file's name. */
  title: string
  text: string
}

/** Prose and fenced code in order, so that code becomes a figure of its own. */
export function renderMarkdown(text: string): (Prose | Code)[] {
  const parts: (Prose | Code)[] = []
  let prose: Token[] = []
  const flush = () => {
    const html = purify.sanitize(markdown.parser(prose), ALLOWED)
    if (html.trim() !== '') parts.push({ kind: 'prose', html })
    prose = []
  }
  for (const token of markdown.lexer(calm(text))) {
    if (!isCode(token)) {
      prose.push(token)
      continue
    }
    flush()
    const [language = '', ...rest] = (token.lang ?? '').trim().split(/\s+/)
    parts.push({ kind: 'code', language, title: rest.join(' '), text: token.text })
  }
  flush()
  return parts
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code'
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
