import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { inPieces } from '../../../platform/files/in-pieces.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { FileContent } from './open-file.ts'
import { insertPart, selectPart } from './store.ts'

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

/** The original, as it was stored. */
export async function* keptContent(db: Queryable, fileId: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const data = await selectPart(db, fileId, number)
    if (!data) return
    yield await promisify(gunzip)(data)
  }
}
