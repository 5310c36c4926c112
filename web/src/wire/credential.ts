/** The browser's credential, in this origin's storage; never in a URL, never in a cookie. */

const KEY = 'idea.credential'

export function loadCredential(): string | null {
  return localStorage.getItem(KEY)
}

export function saveCredential(credential: string): void {
  localStorage.setItem(KEY, credential)
}

export function forgetCredential(): void {
  localStorage.removeItem(KEY)
}

/** The single-use start code of `#code=…`, if the page was opened with one; the address bar is cleaned. */
export function takeStartCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code !== null) history.replaceState(null, '', location.pathname + location.search)
  return code
}
