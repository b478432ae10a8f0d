import { SaxesParser } from 'saxes'
import { excerpt, fileError } from './file-problems.ts'
import type { FileProblems } from './file-problems.ts'
import type { Bytes, Position } from './statement.ts'
import { decodeXml } from './xml-text.ts'

/** Bank messages stay far below these; they bound memory whatever a file holds. */
const MAX_DEPTH = 64
const MAX_NAME_LENGTH = 128
const MAX_ATTRIBUTES = 32
const MAX_ATTRIBUTE_LENGTH = 4096
const MAX_TEXT_LENGTH = 64 * 1024
/** Of anything between two events of the parser, such as a comment. */
const MAX_UNSEEN = 256 * 1024

/** `name` is without its prefix; `attributes` are by name without prefix. */
export type XmlToken =
  | { kind: 'open'; name: string; uri: string; attributes: Readonly<Record<string, string>>; position: Position }
  | { kind: 'text'; text: string }
  | { kind: 'close' }

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({})

/**
 * The elements and texts of an XML file, in small groups. A document type is an error, so no entity is known but the five of XML.
 */
export async function* readXml(bytes: Bytes): AsyncGenerator<XmlToken[]> {
  let tokens: XmlToken[] = []
  const parser = boundedParser((token) => tokens.push(token))
  for await (const text of decodeXml(bytes)) {
    parser.write(text)
    if (tokens.length > 0) yield tokens
    tokens = []
  }
  parser.close()
  if (tokens.length > 0) yield tokens
}

type Parser = { write(text: string): void; close(): void }

function boundedParser(emit: (token: XmlToken) => void): Parser {
  const parser = new SaxesParser({ xmlns: true })
  const here = () => placeIn(parser)
  const tooLong = (what: FileProblems['too_long']['what'], most: number) =>
    fileError(here(), 'too_long', { what, most })
  const tooMany = (what: FileProblems['too_many']['what'], most: number) =>
    fileError(here(), 'too_many', { what, most })
  let [depth, attributes, seenAt] = [0, 0, 0]
  const text = (text: string) => {
    seenAt = parser.position
    if (text.length > MAX_TEXT_LENGTH) throw tooLong('text', MAX_TEXT_LENGTH)
    if (depth > 0) emit({ kind: 'text', text })
  }
  parser.on('error', ({ message }) => {
    throw fileError(here(), 'xml_malformed', { error: excerpt(message.replace(/^\d+:\d+: /, '')) })
  })
  parser.on('doctype', () => {
    throw fileError(here(), 'xml_doctype')
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('comment', () => (seenAt = parser.position))
  parser.on('attribute', ({ value }) => {
    seenAt = parser.position
    if (++attributes > MAX_ATTRIBUTES) throw tooMany('attributes', MAX_ATTRIBUTES)
    if (value.length > MAX_ATTRIBUTE_LENGTH) throw tooLong('attribute', MAX_ATTRIBUTE_LENGTH)
  })
  parser.on('opentag', (tag) => {
    seenAt = parser.position
    attributes = 0
    if (++depth > MAX_DEPTH) throw tooMany('levels', MAX_DEPTH)
    if (tag.name.length > MAX_NAME_LENGTH) throw tooLong('name', MAX_NAME_LENGTH)
    emit({ kind: 'open', name: tag.local, uri: tag.uri, attributes: attributesOf(tag.attributes), position: here() })
  })
  parser.on('closetag', () => {
    seenAt = parser.position
    depth--
    emit({ kind: 'close' })
  })
  return {
    write(text) {
      parser.write(text)
      if (parser.position - seenAt > MAX_UNSEEN) throw tooLong('gap', MAX_UNSEEN)
    },
    close: () => void parser.close(),
  }
}

function placeIn({ line, column }: { line: number; column: number }): Position {
  return { line, column: column + 1 }
}

function attributesOf(attributes: Record<string, { local: string; prefix: string; value: string }>) {
  const own = Object.values(attributes).filter(({ prefix, local }) => prefix === '' && local !== 'xmlns')
  return own.length === 0 ? NO_ATTRIBUTES : Object.fromEntries(own.map(({ local, value }) => [local, value]))
}
