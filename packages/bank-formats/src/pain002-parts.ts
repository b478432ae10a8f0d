import { excerpt, fileError } from './file-problems.ts'
import type { Bytes } from './statement.ts'
import { treeBuilder } from './xml-tree.ts'
import type { TreeBuilder, XmlNode } from './xml-tree.ts'
import { readXml } from './xml-tokens.ts'
import type { XmlToken } from './xml-tokens.ts'

type OpenToken = XmlToken & { kind: 'open' }

/** In the order of the file. A TxInfAndSts belongs to the OrgnlPmtInfAndSts that follows it. */
export type ReportPart = XmlNode

const ROOT = 'CstmrPmtStsRpt'
const PARTS = new Set(['GrpHdr', 'OrgnlGrpInfAndSts', 'OrgnlPmtInfAndSts'])
const REPEATED: ReadonlySet<string> = new Set(['TxInfAndSts'])

/** The parts of the one report of a file. */
export async function* readReportParts(bytes: Bytes): AsyncGenerator<ReportPart> {
  const state: State = { path: [], building: null, found: false }
  for await (const tokens of readXml(bytes))
    for (const token of tokens) {
      const part = state.building ? build(state, state.building, token) : step(state, token)
      if (part) yield part
    }
  if (!state.found) throw fileError(null, 'message_unexpected', { found: null, expected: ['pain.002'] })
}

/** `path` has the open elements outside of what is being built. */
type State = { path: string[]; building: TreeBuilder | null; found: boolean }

function build(state: State, builder: TreeBuilder, token: XmlToken): ReportPart | null {
  const done = builder.add(token)
  if (!done) return null
  if (done.whole) state.building = null
  return done.node
}

function step(state: State, token: XmlToken): null {
  if (token.kind === 'close') state.path.pop()
  if (token.kind !== 'open') return null
  const parent = state.path.at(-1)
  if (parent === ROOT && PARTS.has(token.name)) {
    state.building = treeBuilder(REPEATED)
    state.building.add(token)
    return null
  }
  if (token.name === ROOT) enter(state, token)
  else if (parent === 'Document')
    throw fileError(token.position, 'message_unexpected', { found: `<${excerpt(token.name)}>`, expected: ['pain.002'] })
  state.path.push(token.name)
  return null
}

function enter(state: State, { uri, position }: OpenToken): void {
  const named = /\b(?:camt|pain|pacs)\.\d{3}/.exec(uri)?.[0]
  if (named !== undefined && named !== 'pain.002')
    throw fileError(position, 'namespace_differs', { element: `<${ROOT}>`, format: 'pain.002', namespace: named })
  if (state.found) throw fileError(position, 'field_twice', { field: `<${ROOT}>` })
  state.found = true
}
