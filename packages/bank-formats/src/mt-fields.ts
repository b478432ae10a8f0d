import { excerpt, fileError } from './file-problems.ts'
import { readLines } from './mt-lines.ts'
import type { Bytes, Position } from './statement.ts'

/** Far more than the six lines of :86: that SWIFT allows; bounds memory. */
const MAX_FIELD_CHARACTERS = 8 * 1024

/** `type` is what block 2 says, if the message has blocks. */
export type MtPart =
  | { kind: 'message'; type: string | null; position: Position }
  | { kind: 'field'; field: MtField }
  | { kind: 'end'; position: Position }

export type MtField = { tag: string; lines: string[]; position: Position }

/** Those that are read. */
export const MESSAGES = ['MT940', 'MT942']

const TAG = /^:(\d\d[A-Z]?|NS):/

/** The fields of the messages of a file, with blocks `{1:…}{2:…}{4:…-}` or without. Text outside of messages is ignored. */
export async function* readFields(bytes: Bytes): AsyncGenerator<MtPart> {
  const state: State = { line: 0, where: 'outside', type: null, field: null, characters: 0, closed: false, held: null }
  for await (const lines of readLines(bytes)) {
    for (const text of lines) {
      state.line += 1
      yield* takeLine(state, text)
    }
  }
  if (state.where === 'block') throw fileError({ line: state.line }, 'message_unfinished', { end: ['-}'] })
  if (state.where === 'bare') yield* endMessage(state)
}

/** `block` is inside of {4:…}, `bare` a message without blocks. */
type State = {
  line: number
  where: 'outside' | 'block' | 'bare'
  type: string | null
  field: MtField | null
  characters: number
  /** After the closing balance or the totals. */
  closed: boolean
  /** A line `-` and those after it, before the next field tells whether it ended the message or is a text. */
  held: { lines: string[]; characters: number } | null
}

function* takeLine(state: State, text: string): Generator<MtPart> {
  const position = { line: state.line }
  const tag = TAG.exec(text)
  if (state.where === 'outside') {
    if (!tag) return yield* takeOutside(state, text)
    state.where = 'bare'
    yield { kind: 'message', type: null, position }
  } else if (text.startsWith('-}') || (state.closed && isDash(state, text))) {
    yield* endMessage(state)
    return yield* takeOutside(state, text.slice(1))
  } else if (!tag && !text.startsWith('{1:') && (state.held || isDash(state, text))) return hold(state, text)
  else if (text.startsWith('{1:')) {
    if (state.where === 'block') throw fileError(position, 'message_unfinished', { end: ['-}'] })
    yield* endMessage(state)
    return yield* takeOutside(state, text)
  } else if (tag?.[1] === '20' && state.where === 'bare') {
    yield* endMessage(state)
    state.where = 'bare'
    yield { kind: 'message', type: null, position }
  }
  for (const line of takeHeld(state)) continueField(state, line)
  if (tag) yield* startField(state, tag[1] as string, text.slice(tag[0].length))
  else continueField(state, text)
}

/** The end of a message without blocks. */
const isDash = ({ where }: State, text: string) => where === 'bare' && text.trimEnd() === '-'

/** What is longer than a field is not kept; it is an error if it turns out to be part of one. */
function hold(state: State, text: string): void {
  state.held ??= { lines: [], characters: 0 }
  if (text.trim() === '') return
  if (state.held.characters <= MAX_FIELD_CHARACTERS) state.held.lines.push(text)
  state.held.characters += text.length
}

function takeHeld(state: State): string[] {
  const lines = state.held?.lines ?? []
  state.held = null
  return lines
}

/** Between messages, and the blocks before the text of one. */
function* takeOutside(state: State, text: string): Generator<MtPart> {
  state.type = /\{2:[IO](\d{3})/.exec(text)?.[1] ?? state.type
  const start = text.indexOf('{4:')
  if (start < 0) return
  const position = { line: state.line }
  if (state.type !== null && !['940', '942'].includes(state.type))
    throw fileError(position, 'message_unexpected', { found: `MT${state.type}`, expected: MESSAGES })
  state.where = 'block'
  yield { kind: 'message', type: state.type, position }
  const rest = text.slice(start + 3)
  if (rest.trim() !== '') yield* takeLine(state, rest)
}

function* startField(state: State, tag: string, text: string): Generator<MtPart> {
  yield* endField(state)
  state.field = { tag, lines: [], position: { line: state.line } }
  state.characters = 0
  state.closed ||= /^(?:62|64|65|90)/.test(tag)
  continueField(state, text)
}

function continueField(state: State, text: string): void {
  if (text.trim() === '') return
  if (!state.field)
    throw fileError({ line: state.line }, 'message_unexpected', { found: excerpt(text), expected: MESSAGES })
  if ((state.characters += text.length) > MAX_FIELD_CHARACTERS)
    throw fileError(state.field.position, 'too_long', { what: 'field', most: MAX_FIELD_CHARACTERS })
  state.field.lines.push(text)
}

function* endField(state: State): Generator<MtPart> {
  if (state.field) yield { kind: 'field', field: state.field }
  state.field = null
}

function* endMessage(state: State): Generator<MtPart> {
  yield* endField(state)
  yield { kind: 'end', position: { line: state.line } }
  state.where = 'outside'
  state.type = null
  state.closed = false
  state.held = null
}
