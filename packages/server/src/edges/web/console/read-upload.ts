import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyFileStream } from '@fastify/busboy'
import { Busboy } from '@fastify/busboy'
import { plainName } from '../html.ts'

/** A file that a browser sends. `content` is read once, as it arrives. */
export type SentFile = { name: string; content: AsyncIterable<Uint8Array> }

export class FileTooLarge extends Error {
  readonly megabytes: number

  constructor(maxBytes: number) {
    super('The file is too large.')
    this.megabytes = Math.floor(maxBytes / 1024 / 1024)
  }
}

const MAX_NAME = 120
/** A form has a few short fields before its one file. */
const LIMITS = { fields: 20, fieldSize: 4096, files: 1, parts: 21, headerPairs: 20, headerSize: 8192 }

type Sent = { fields: URLSearchParams; file: SentFile | null }

/** Reads the fields of a form up to its file. Fields after the file do not count, so that its token is known before it. */
export function readUpload(body: Readable, headers: IncomingHttpHeaders, maxBytes: number): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const fields = new URLSearchParams()
    let sent: BusboyFileStream | null = null
    // The rest is read and dropped, so that the browser shows our answer.
    const stop = () => void body.unpipe().resume()
    const fail = (cause: unknown) => {
      const error = Object.assign(new Error('The form cannot be read.', { cause }), { statusCode: 400 })
      stop()
      sent?.destroy(error)
      reject(error)
    }
    const parser = openParser(headers, fail)
    if (!parser) return
    parser.on('field', (name, value, _, isCut) => {
      if (isCut) fail(`the field ${name} is too long`)
      else if (!sent) fields.append(name, value)
    })
    parser.on('file', (_, stream, name) => {
      sent = stream
      // Without a reader an error would end the process.
      stream.on('error', () => undefined)
      if (name) return resolve({ fields, file: { name: cleanName(name), content: bounded(stream, maxBytes, stop) } })
      stream.resume()
      resolve({ fields, file: null })
    })
    parser.on('finish', () => resolve({ fields, file: null }))
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) parser.on(limit, () => fail(limit))
    parser.on('error', fail)
    body.on('error', fail)
    body.on('close', () => body.readableEnded || fail('the connection was closed'))
    body.pipe(parser)
  })
}

function openParser(headers: IncomingHttpHeaders, fail: (cause: unknown) => void) {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits: LIMITS })
  } catch (error) {
    // Without a boundary.
    fail(error)
    return null
  }
}

async function* bounded(stream: Readable, maxBytes: number, stop: () => void): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw new FileTooLarge(maxBytes)
      yield chunk
    }
  } finally {
    stop()
  }
}

/** Chosen by whoever made the file: one line, without direction marks, of a length that fits a page. */
function cleanName(name: string): string {
  const plain = plainName(name)
  const shown = plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME)}…` : plain
  return shown.toWellFormed() || 'file'
}
