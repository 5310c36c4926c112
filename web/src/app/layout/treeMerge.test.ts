import { expect, it } from 'vitest'
import { type Axis, across, type Tree, type TreeNode } from './layoutTree'
import { mergedTree } from './treeMerge'

/** `a 1/3 | (b / c,d)`: beside each other, below each other, tabs; a share in percent may stand behind a frame. */
function tree(text: string): Tree {
  const axis: Axis = split(text, '|').length > 1 || split(text, '/').length === 1 ? 'HORIZONTAL' : 'VERTICAL'
  const root = node(text, axis)
  return { axis, root: root.kind === 'branch' ? root : { kind: 'branch', share: 1, children: [root] } }
}

function node(text: string, axis: Axis, share = 1): TreeNode {
  const parts = split(text, axis === 'HORIZONTAL' ? '|' : '/')
  if (parts.length === 1) {
    const views = text.split(',')
    return { kind: 'leaf', share, id: text, views, front: views[0] }
  }
  const children = parts.map((part) => {
    const [bare = '', percent] = part.split(/ (?=\d+$)/)
    const inner = bare.startsWith('(') ? bare.slice(1, -1) : bare
    return node(inner, across(axis), percent === undefined ? 1 / parts.length : Number(percent) / 100)
  })
  return { kind: 'branch', share, children }
}

/** Not within brackets. */
function split(text: string, by: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of text) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (sign === by && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim())
}

function text({ axis, root }: Tree, isSized: boolean): string {
  const write = (one: TreeNode, along: Axis): string => {
    if (one.kind === 'leaf') return one.views.join(',')
    const sign = along === 'HORIZONTAL' ? ' | ' : ' / '
    return one.children
      .map((child) => {
        const inner = write(child, across(along))
        const whole = child.kind === 'leaf' ? inner : `(${inner})`
        return isSized ? `${whole} ${Math.round(child.share * 100)}` : whole
      })
      .join(sign)
  }
  return write(root, axis)
}

it.each([
  // What was done here, what there, and both.
  ['a 50 | b 50', 'a 75 | b 25', 'a 50 | (b 50 / x 50) 50', 'a 75 | (b 50 / x 50) 25', 'a size'],
  [
    'a 50 | (b 50 / c 50) 50',
    'a 50 | (b 80 / c 20) 50',
    'a 30 | (b 50 / c 50) 70',
    'a 30 | (b 80 / c 20) 70',
    'sizes of two splits',
  ],
  ['a 50 | (b 50 / c 50) 50', 'a 70 | (b 50 / c 50) 30', 'a 50 | b 50', 'a 70 | b 30', 'a size beside what was closed'],
  [
    'a 50 | b 50',
    'a 75 | b 25',
    'a 30 | b 30 | x 40',
    'a 45 | b 15 | x 40',
    'a size in a split that has got another cell',
  ],
])('does again on %s what made it %s, though it is %s by now', (base, mine, theirs, both) => {
  expect(text(mergedTree(tree(base), tree(mine), tree(theirs)), true)).toBe(both)
})

it.each([
  ['a | b | c', 'b | c | a', 'a | b | (c / x)', 'b | (c / x) | a', 'to the end'],
  ['a | (b / c)', 'a | b | c', 'a | (b / x / c)', 'a | b | (x / c)', 'out of a column'],
  ['a | b | c', 'a | b,c', 'a | x | b | c', 'a | x | b,c', 'into a tab'],
  ['a | b,c', 'a | c,b', '(a / x) | b,c', '(a / x) | c,b', 'among tabs'],
  ['a | b', 'a / b', 'a | b | x', 'a / (b | x)', 'below'],
  ['a | b | c', 'a,b | c', 'a | c', 'a | c', 'that is closed there'],
  ['a | b', 'a | (b / y)', 'a | x | b', 'a | x | (b / y)', 'a new cell'],
  ['a | b', 'a', 'a | x | b', 'a | x', 'a closing'],
  ['a | b', 'a', 'b', 'b', 'a closing of one where the other one was closed'],
  ['a | b', 'a | (b / y)', 'a', 'a | y', 'a new cell beside one that is closed there'],
  ['a | b,c', 'b,c | a', 'a | (b,c / x)', '(b,c / x) | a', 'a frame with its tabs'],
])('on %s it becomes %s, and on %s then %s: %s', (base, mine, theirs, both) => {
  expect(text(mergedTree(tree(base), tree(mine), tree(theirs)), false)).toBe(both)
})

it('keeps an arrangement that was made anew altogether, and takes what came and went elsewhere', () => {
  const merged = mergedTree(tree('a | b | c | d | e'), tree('(e / b) | (d / a,c)'), tree('a | b | c | d | x'))

  expect(text(merged, false)).toBe('b | ((d | x) / a,c)')
})
