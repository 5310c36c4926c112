/** Who may import whom: features → state, terminal, ui → wire → lib; state and wire know no React. */

import { expect, it } from 'vitest'

const FILES: Record<string, string> = import.meta.glob('./**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  words: [],
  wire: ['lib'],
  ui: ['words', 'lib'],
  state: ['wire', 'words', 'lib'],
  terminal: ['wire', 'lib'],
  bind: ['state', 'ui', 'wire', 'words', 'lib'],
  features: ['state', 'bind', 'terminal', 'ui', 'wire', 'words', 'lib'],
  app: ['features', 'state', 'bind', 'terminal', 'ui', 'wire', 'words', 'lib'],
}

/** The layer of a path below `src`; each feature is a layer of its own. */
function layerOf(path: string): string {
  const [layer = '', feature = ''] = path.split('/')
  return layer === 'features' ? `features/${feature}` : layer
}

function offences(): string[] {
  return Object.entries(FILES)
    .map(([path, source]) => ({ path: path.slice(2), source }))
    .filter(({ path }) => path.includes('/') && !/\.test\.|^testing\//.test(path))
    .flatMap(({ path, source }) =>
      importsOf(path, source)
        .filter((found) => !isAllowed(path, found))
        .map((found) => `${path} → ${found}`),
    )
}

function importsOf(path: string, source: string): string[] {
  const base = `http://src/${path}`
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
    .map((match) => match[1] ?? '')
    .map((name) => (name.startsWith('.') ? new URL(name, base).pathname.slice(1) : name))
}

function isAllowed(path: string, imported: string): boolean {
  const layer = layerOf(path)
  const root = layer.split('/')[0] ?? ''
  if (/^react(-dom)?$/.test(imported)) return !['state', 'wire', 'lib'].includes(root)
  if (!Object.keys(MAY_IMPORT).includes(imported.split('/')[0] ?? '')) return true
  // Views draw; what they have to ask for is a thing that `state` does.
  if (imported === 'wire/api' && ['features', 'bind'].includes(root)) return false
  const target = layerOf(imported)
  return target === layer || (target !== layer && (MAY_IMPORT[root] ?? []).includes(target.split('/')[0] ?? ''))
}

it('points all arrows inwards', () => {
  expect(offences()).toEqual([])
})

it.each([
  ['state/agents.ts', 'react'],
  ['wire/link.ts', 'state/agents'],
  ['features/trust/TrustDialog.tsx', 'features/agents/AgentList'],
  ['ui/Menu.tsx', 'state/agents'],
  ['features/agents/AgentDialog.tsx', 'wire/api'],
])('would find %s importing %s', (path, imported) => {
  expect(isAllowed(path, imported)).toBe(false)
})
