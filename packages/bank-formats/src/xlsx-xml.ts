import { SaxesParser } from 'saxes'
import { BankFileError, fileError } from './file-problems.ts'
import { spend, tooMany, turn } from './xlsx-bounds.ts'
import type { Work } from './xlsx-bounds.ts'
import { damaged } from './xlsx-zip.ts'

export type Attributes = Record<string, string>
export type Handlers = {
  open: (name: string, attributes: Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

/** Spreadsheets need ten. */
const MAX_DEPTH = 100
const MAX_ATTRIBUTES = 100
/** Between two elements, attributes or texts: longer than any cell, but shorter than what a comment or an attribute could hold. */
const MAX_UNSEEN = 256 * 1024

/** Feeds a part of a spreadsheet to handlers, piece by piece. Names come without the prefix of their namespace. */
export async function* parsePart(
  part: string,
  pieces: Iterable<Uint8Array>,
  handlers: Handlers,
  work: Work,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  parser.on('error', () => {
    throw damaged(null, 'xml', part)
  })
  // No spreadsheet has one; entities of its own are how XML is made to grow.
  parser.on('doctype', () => {
    throw damaged(null, 'doctype', part)
  })
  let depth = 0
  let count = 0
  let unseen = 0
  parser.on('attribute', () => {
    unseen = 0
    if (++count > MAX_ATTRIBUTES) throw tooMany('attributes', MAX_ATTRIBUTES)
  })
  parser.on('opentag', ({ name, attributes }) => {
    count = 0
    unseen = 0
    spend(work, 'elements')
    if (++depth > MAX_DEPTH) throw tooMany('levels', MAX_DEPTH)
    const plain = Object.entries(attributes).map(([key, value]) => [local(key), value])
    handlers.open(local(name), Object.fromEntries(plain) as Attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth--
    unseen = 0
    handlers.close?.(local(name))
  })
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  for (const piece of pieces) {
    const text = decoded(() => decoder.decode(piece, { stream: true }), part)
    unseen += text.length
    parser.write(text)
    if (unseen > MAX_UNSEEN) throw fileError(null, 'too_long', { what: 'gap', most: MAX_UNSEEN })
    yield
    await turn()
  }
  parser.write(decoded(() => decoder.decode(), part)).close()
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

function decoded(decode: () => string, part: string): string {
  try {
    return decode()
  } catch (error) {
    if (error instanceof BankFileError) throw error
    throw damaged(null, 'encoding', part)
  }
}
