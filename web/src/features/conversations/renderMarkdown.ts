/** Agent text to safe HTML: raw HTML is shown as text, only http(s) links work, and the result is sanitised again. */

import DOMPurify from 'dompurify'
import MarkdownIt from 'markdown-it'

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false })

markdown.validateLink = (url) => /^https?:\/\//i.test(url.trim())
// Images would be requests to wherever the agent says: shown as links instead.
markdown.disable('image')
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })

const purify = DOMPurify(window)
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer')
})

const ALLOWED = {
  ALLOWED_TAGS: [
    ...['a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p'],
    ...['pre', 's', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: ['href', 'class', 'start', 'target', 'rel'],
  ALLOWED_URI_REGEXP: /^https?:\/\//i,
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
  const environment = {}
  const tokens = markdown.parse(text, environment)
  const parts: (Prose | Code)[] = []
  let prose: typeof tokens = []
  const flush = () => {
    if (prose.length === 0) return
    const html = markdown.renderer.render(prose, markdown.options, environment)
    parts.push({ kind: 'prose', html: purify.sanitize(html, ALLOWED) })
    prose = []
  }
  for (const token of tokens) {
    const isTopFence = (token.type === 'fence' || token.type === 'code_block') && token.level === 0
    if (!isTopFence) {
      prose.push(token)
      continue
    }
    flush()
    const [language = '', ...rest] = token.info.trim().split(/\s+/)
    parts.push({ kind: 'code', language, title: rest.join(' '), text: token.content.replace(/\n$/, '') })
  }
  flush()
  return parts
}
