import { excerpt, fileError } from './file-problems.ts'
import type { Bytes, Position, StatementFormat } from './statement.ts'
import { treeBuilder } from './xml-tree.ts'
import type { TreeBuilder, XmlNode } from './xml-tree.ts'
import { readXml } from './xml-tokens.ts'
import type { XmlToken } from './xml-tokens.ts'

export type CamtFormat = Extract<StatementFormat, `camt.${string}`>

/** In the order of the file. A `detail` (TxDtls or the rest of NtryDtls) belongs to the `part` named Ntry that follows it. */
export type CamtPart =
  | { kind: 'statement'; format: CamtFormat; position: Position }
  | { kind: 'part'; node: XmlNode }
  | { kind: 'detail'; node: XmlNode }
  | { kind: 'end' }

type Message = { format: CamtFormat; statement: string }

/** The first versions end in V01. */
const MESSAGES = new Map<string, Message>([
  ['BkToCstmrAcctRpt', { format: 'camt.052', statement: 'Rpt' }],
  ['BkToCstmrStmt', { format: 'camt.053', statement: 'Stmt' }],
  ['BkToCstmrDbtCdtNtfctn', { format: 'camt.054', statement: 'Ntfctn' }],
])
const STATEMENT_PARTS = new Set([
  'Id',
  'CreDtTm',
  'FrToDt',
  'Acct',
  'Bal',
  'TxsSummry',
  'Ntry',
  'StmtPgntn',
  'RptPgntn',
  'NtfctnPgntn',
])
const DETAILS: ReadonlySet<string> = new Set(['TxDtls', 'NtryDtls'])
const EXPECTED = Array.from(MESSAGES.values(), ({ format }) => format)

/** The parts of all statements of a file; elements that are not used are skipped. */
export async function* readCamtParts(bytes: Bytes): AsyncGenerator<CamtPart> {
  const state: State = { path: [], message: null, inStatement: false, skipping: 0, building: null, found: false }
  for await (const tokens of readXml(bytes)) {
    for (const token of tokens) {
      const part = take(state, token)
      if (part) yield part
    }
  }
  if (!state.found) throw fileError(null, 'message_unexpected', { found: null, expected: EXPECTED })
}

/** `path` has the open elements outside of what is being built; `skipping` counts the open elements of one that is not used. */
type State = {
  path: string[]
  message: (Message & { depth: number }) | null
  inStatement: boolean
  skipping: number
  building: TreeBuilder | null
  found: boolean
}

function take(state: State, token: XmlToken): CamtPart | null {
  if (state.building) return build(state, state.building, token)
  if (state.skipping > 0 && token.kind !== 'text') state.skipping += token.kind === 'open' ? 1 : -1
  if (state.skipping > 0 || token.kind === 'text') return null
  return token.kind === 'open' ? open(state, token) : close(state)
}

function build(state: State, builder: TreeBuilder, token: XmlToken): CamtPart | null {
  const done = builder.add(token)
  if (!done) return null
  if (done.whole) state.building = null
  return { kind: done.whole ? 'part' : 'detail', node: done.node }
}

function open(state: State, token: OpenToken): CamtPart | null {
  const { path, message, inStatement } = state
  if (inStatement ? STATEMENT_PARTS.has(token.name) : message && token.name === 'GrpHdr') {
    state.building = treeBuilder(DETAILS)
    state.building.add(token)
    return null
  }
  path.push(token.name)
  if (!message) {
    const known = messageOf(token, path.at(-2))
    state.message = known && { ...known, depth: path.length }
    state.found ||= known !== null
  } else if (!inStatement && token.name === message.statement) {
    state.inStatement = true
    return { kind: 'statement', format: message.format, position: token.position }
  } else state.skipping = 1
  return null
}

function close(state: State): CamtPart | null {
  const depth = state.path.length
  state.path.pop()
  if (depth === state.message?.depth) state.message = null
  if (!state.inStatement || depth !== (state.message?.depth ?? 0) + 1) return null
  state.inStatement = false
  return { kind: 'end' }
}

type OpenToken = XmlToken & { kind: 'open' }

function messageOf({ name, uri, position }: OpenToken, parent: string | undefined): Message | null {
  const known = MESSAGES.get(name.replace(/V\d\d$/, '')) ?? null
  const named = /\b(?:camt|pain|pacs)\.\d{3}/.exec(uri)?.[0]
  if (known && named !== undefined && named !== known.format)
    throw fileError(position, 'namespace_differs', { element: `<${name}>`, format: known.format, namespace: named })
  if (!known && parent === 'Document')
    throw fileError(position, 'message_unexpected', { found: `<${excerpt(name)}>`, expected: EXPECTED })
  return known
}
