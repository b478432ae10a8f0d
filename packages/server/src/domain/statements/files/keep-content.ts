import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { FileContent } from './open-file.ts'
import { insertPart, selectPart } from './store.ts'

/** Bytes of a part before it is compressed. Always the same, so that storing a file again stores the same parts. */
const PART_BYTES = 1024 * 1024

export async function fingerprint(content: FileContent): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content.open()) {
    hash.update(chunk)
    size += chunk.length
  }
  return { sha256: hash.digest('hex'), size }
}

/** Stores the original. Returns the hash of what was stored: the file may have changed since it was looked at. */
export async function keepContent(app: { db: Db }, fileId: string, content: FileContent): Promise<string> {
  const hash = createHash('sha256')
  let number = 0
  for await (const piece of inPieces(content.open())) {
    hash.update(piece)
    const data = await promisify(gzip)(piece)
    await app.db.transaction((tx) => insertPart(tx, fileId, number, data))
    number++
  }
  return hash.digest('hex')
}

async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  // Used again for each piece: the caller has compressed it before it asks for the next.
  const piece = Buffer.allocUnsafe(PART_BYTES)
  let size = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const some = chunk.subarray(at, at + PART_BYTES - size)
      piece.set(some, size)
      size += some.length
      at += some.length
      if (size < PART_BYTES) continue
      yield piece
      size = 0
    }
  }
  if (size > 0) yield piece.subarray(0, size)
}

/** The original, as it was stored. */
export async function* keptContent(db: Queryable, fileId: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const data = await selectPart(db, fileId, number)
    if (!data) return
    yield await promisify(gunzip)(data)
  }
}
