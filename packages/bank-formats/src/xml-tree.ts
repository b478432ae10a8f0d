import { fileError } from './file-problems.ts'
import type { Position } from './statement.ts'
import type { XmlToken } from './xml-tokens.ts'

/** Of one entry without its transaction details, or of one of these. Bounds memory. */
const MAX_NODES = 20_000
const MAX_CHARACTERS = 1024 * 1024

export type XmlNode = {
  name: string
  attributes: Readonly<Record<string, string>>
  position: Position
  text: string
  children: XmlNode[]
}

/** Builds one element out of its tokens. Those in `detach`, not deeper than two levels, are handed out when they end, instead of kept. */
export type TreeBuilder = {
  /** Returns an element that ended: one to detach, or the whole. */
  add(token: XmlToken): { node: XmlNode; whole: boolean } | null
}

export function treeBuilder(detach: ReadonlySet<string>): TreeBuilder {
  const open: XmlNode[] = []
  const before: Kept[] = []
  let kept: Kept = { nodes: 0, characters: 0 }
  const keep = (position: Position, more: Kept) => {
    kept = { nodes: kept.nodes + more.nodes, characters: kept.characters + more.characters }
    if (kept.nodes > MAX_NODES) throw fileError(position, 'too_many', { what: 'elements', most: MAX_NODES })
    if (kept.characters > MAX_CHARACTERS)
      throw fileError(position, 'too_long', { what: 'element', most: MAX_CHARACTERS })
  }
  const close = () => {
    const [node, without] = [open.pop() as XmlNode, before.pop() as Kept]
    if (open.length === 0) return { node, whole: true }
    if (open.length > 2 || !detach.has(node.name)) return null
    open.at(-1)?.children.pop()
    kept = without
    return { node, whole: false }
  }
  return {
    add(token) {
      const top = open.at(-1)
      if (token.kind === 'close') return close()
      if (token.kind === 'open') {
        const { name, attributes, position } = token
        const node = { name, attributes, position, text: '', children: [] }
        before.push(kept)
        keep(position, { nodes: 1, characters: 0 })
        top?.children.push(node)
        open.push(node)
      } else if (top && token.text.trim() !== '') {
        keep(top.position, { nodes: 0, characters: token.text.length })
        top.text += token.text
      }
      return null
    },
  }
}

type Kept = { nodes: number; characters: number }

export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  return node?.children.filter((child) => child.name === name) ?? []
}

/** The first element at the path. */
export function nodeAt(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  let found = node
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

/** The text at the path without white space around it; null if there is none. */
export function textAt(node: XmlNode | undefined, ...path: string[]): string | null {
  return nodeAt(node, ...path)?.text.trim() || null
}

export function requiredNode(node: XmlNode, ...path: string[]): XmlNode {
  const found = nodeAt(node, ...path)
  if (found) return found
  throw fileError(node.position, 'field_missing', { fields: [`<${path.join('/')}>`], inside: `<${node.name}>` })
}
