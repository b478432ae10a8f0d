import { SaxesParser } from 'saxes'
import { BankFileError } from './bank-file-error.ts'
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
  const [here, fail] = [() => placeIn(parser), (problem: string) => failAt(placeIn(parser), problem)]
  let [depth, attributes, seenAt] = [0, 0, 0]
  const text = (text: string) => {
    seenAt = parser.position
    if (text.length > MAX_TEXT_LENGTH) fail(`a text is longer than ${MAX_TEXT_LENGTH} characters`)
    if (depth > 0) emit({ kind: 'text', text })
  }
  parser.on('error', (error) => fail(`this is not XML: ${error.message.replace(/^\d+:\d+: /, '').slice(0, 100)}`))
  parser.on('doctype', () => fail('found <!DOCTYPE, expected a bank message, which has none'))
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('comment', () => (seenAt = parser.position))
  parser.on('attribute', ({ value }) => {
    seenAt = parser.position
    if (++attributes > MAX_ATTRIBUTES) fail(`an element has more than ${MAX_ATTRIBUTES} attributes`)
    if (value.length > MAX_ATTRIBUTE_LENGTH) fail(`an attribute is longer than ${MAX_ATTRIBUTE_LENGTH} characters`)
  })
  parser.on('opentag', (tag) => {
    seenAt = parser.position
    attributes = 0
    if (++depth > MAX_DEPTH) fail(`elements are nested deeper than ${MAX_DEPTH}`)
    if (tag.name.length > MAX_NAME_LENGTH) fail(`a name is longer than ${MAX_NAME_LENGTH} characters`)
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
      if (parser.position - seenAt > MAX_UNSEEN) fail(`found no element in ${MAX_UNSEEN} characters`)
    },
    close: () => void parser.close(),
  }
}

function placeIn({ line, column }: { line: number; column: number }): Position {
  return { line, column: column + 1 }
}

function failAt(position: Position, problem: string): never {
  throw new BankFileError(position, problem)
}

function attributesOf(attributes: Record<string, { local: string; prefix: string; value: string }>) {
  const own = Object.values(attributes).filter(({ prefix, local }) => prefix === '' && local !== 'xmlns')
  return own.length === 0 ? NO_ATTRIBUTES : Object.fromEntries(own.map(({ local, value }) => [local, value]))
}
