import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { BusboyFileStream } from '@fastify/busboy'
import { Busboy } from '@fastify/busboy'
import { plainName } from '../html.ts'

/** A file that a browser sends. `content` is read once, as it arrives. */
export type SentFile = { name: string; content: AsyncIterable<Uint8Array> }

/** More files than the form may have. */
export class TooManyFiles extends Error {
  readonly most: number

  constructor(most: number) {
    super('Too many files.')
    this.most = most
  }
}

export class FileTooLarge extends Error {
  readonly megabytes: number

  constructor(maxBytes: number) {
    super('The file is too large.')
    this.megabytes = Math.floor(maxBytes / 1024 / 1024)
  }
}

const MAX_NAME = 120
/** A form has a few short fields before its files. */
const MAX_FIELDS = 20
const LIMITS = { fields: MAX_FIELDS, fieldSize: 4096, headerPairs: 20, headerSize: 8192 }

/** `others`: the files after the first, each to be read before the next. They share the bytes that the form may have. */
type Sent = { fields: URLSearchParams; file: SentFile | null; others: AsyncIterable<SentFile> }

/** Reads the fields of a form up to its files. Fields after a file do not count, so that its token is known before it. */
export function readUpload(
  body: Readable,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  maxFiles = 1,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const fields = new URLSearchParams()
    const others = fileQueue()
    let sent: BusboyFileStream | null = null
    // The rest is read and dropped, so that the browser shows our answer.
    const stop = () => void body.unpipe().resume()
    const end = (error: Error) => {
      stop()
      sent?.destroy(error)
      others.destroy(error)
      reject(error)
    }
    const fail = (cause: unknown) =>
      end(Object.assign(new Error('The form cannot be read.', { cause }), { statusCode: 400 }))
    const parser = openParser(headers, maxFiles, fail)
    if (!parser) return
    const budget = { left: maxBytes, maxBytes, stop, isLast: maxFiles === 1 }
    parser.on('field', (name, value, _, isCut) => {
      if (isCut) fail(`the field ${name} is too long`)
      else if (!sent) fields.append(name, value)
    })
    parser.on('file', (_, stream, name) => {
      const isFirst = sent === null
      sent = stream
      // Without a reader an error would end the process.
      stream.on('error', () => undefined)
      const file = name ? { name: cleanName(name), content: bounded(stream, budget) } : null
      if (file === null) stream.resume()
      if (isFirst) resolve({ fields, file, others })
      else if (file) others.push(file)
    })
    parser.on('finish', () => {
      others.push(null)
      resolve({ fields, file: null, others })
    })
    for (const limit of ['partsLimit', 'fieldsLimit'] as const) parser.on(limit, () => fail(limit))
    parser.on('filesLimit', () => (maxFiles === 1 ? fail('filesLimit') : end(new TooManyFiles(maxFiles))))
    parser.on('error', fail)
    body.on('error', fail)
    body.on('close', () => body.readableEnded || fail('the connection was closed'))
    body.pipe(parser)
  })
}

/** A form that is not sent as one with files. */
export function withoutFile(body: unknown): Sent {
  return {
    fields: body instanceof URLSearchParams ? body : new URLSearchParams(),
    file: null,
    others: Readable.from([]),
  }
}

/** Objects as they arrive, or the error that ended the form. */
function fileQueue(): Readable {
  const queue = new Readable({ objectMode: true, read: () => undefined })
  queue.on('error', () => undefined)
  return queue
}

function openParser(headers: IncomingHttpHeaders, files: number, fail: (cause: unknown) => void) {
  const limits = { ...LIMITS, files, parts: MAX_FIELDS + files + 1 }
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits })
  } catch (error) {
    // Without a boundary.
    fail(error)
    return null
  }
}

/** What the files of a form may have, together. */
type Budget = { left: number; maxBytes: number; stop: () => void; isLast: boolean }

async function* bounded(stream: Readable, budget: Budget): AsyncGenerator<Uint8Array> {
  let isWhole = false
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      budget.left -= chunk.length
      if (budget.left < 0) throw new FileTooLarge(budget.maxBytes)
      yield chunk
    }
    isWhole = true
  } finally {
    if (!isWhole || budget.isLast) budget.stop()
  }
}

/** Chosen by whoever made the file: one line, without direction marks, of a length that fits a page. */
function cleanName(name: string): string {
  const plain = plainName(name)
  const shown = plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME)}…` : plain
  return shown.toWellFormed() || 'file'
}
