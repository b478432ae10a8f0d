import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Ids } from '../../platform/crypto/ids.ts'
import { inPieces } from '../../platform/files/in-pieces.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../platform/time/clock.ts'
import type { Upload, UploadKey } from './store.ts'
import {
  completeUpload,
  deleteExpired,
  deleteOlder,
  deleteUpload,
  insertPart,
  insertUpload,
  lockArriving,
  selectBySha,
  selectPart,
  selectUpload,
  selectUploads,
} from './store.ts'

type Deps = { db: Db; clock: Clock; ids: Ids }

/** Long enough to read a preview and to ask someone about it. */
const KEPT_MS = HOUR_MS
/** What waits for a second person; a proposal waits for seven days. */
const PROPOSED = 'proposed'
const MAX_PROPOSED = 100
const PROPOSED_MS = 8 * DAY_MS
/** Of one owner and purpose, complete and arriving each; more for a purpose that takes several files at once. */
const MAX_KEPT = 10
/** Of one owner and purpose: what complete ones may fill. */
const MAX_KEPT_BYTES = 500 * 1024 * 1024

/** Stores a file while it arrives, in compressed pieces. If it does not arrive completely, nothing of it stays. */
export async function keepUpload(
  app: Deps,
  key: UploadKey,
  { name, content }: { name: string; content: AsyncIterable<Uint8Array> },
  keep = MAX_KEPT,
): Promise<Upload> {
  const id = app.ids.next()
  const createdAt = app.clock.now()
  await app.db.transaction((tx) => insertUpload(tx, { ...key, id, name, createdAt }))
  try {
    const hash = createHash('sha256')
    let size = 0
    let number = 0
    for await (const piece of inPieces(content)) {
      hash.update(piece)
      size += piece.length
      const data = await promisify(gzip)(piece)
      await app.db.transaction((tx) => insertPart(tx, id, number, data))
      number++
    }
    const facts = { size, sha256: hash.digest('hex') }
    await app.db.transaction(async (tx) => {
      await completeUpload(tx, id, facts)
      await deleteOlder(tx, key, { keep, maxBytes: MAX_KEPT_BYTES, complete: true })
    })
    return { ...key, id, name, createdAt, ...facts }
  } catch (error) {
    await app.db.transaction((tx) => deleteUpload(tx, id))
    throw error
  }
}

type Part = { id: string | null; number: number; isLast: boolean; name: string; content: AsyncIterable<Uint8Array> }

/**
 * Stores one part of a file that is sent in several requests, in their order: a piece each, the first without an id. Returns the
 * id for the next part; after the last one the file is complete. Null if that file is not arriving, or this part is not the next.
 */
export async function keepPart(app: Deps, key: UploadKey, part: Part, keep = MAX_KEPT) {
  const { id: given, number, isLast, name, content } = part
  const [piece = Buffer.alloc(0), ...others] = (await Array.fromAsync(inPieces(content))).map((one) => Buffer.from(one))
  if (others.length > 0 || (number === 0) !== (given === null)) return null
  const data = await promisify(gzip)(piece)
  const id = given ?? app.ids.next()
  const createdAt = app.clock.now()
  const since = new Date(createdAt.getTime() - KEPT_MS)
  return app.db.transaction(async (tx) => {
    if (given === null) {
      await insertUpload(tx, { ...key, id, name, createdAt })
      await deleteOlder(tx, key, { keep: MAX_KEPT, maxBytes: MAX_KEPT_BYTES, complete: false })
    }
    const arriving = await lockArriving(tx, id, key, since)
    if (!arriving || number > arriving.parts) return null
    await insertPart(tx, id, number, data)
    if (!isLast) return { id }
    const hash = createHash('sha256')
    let size = 0
    for await (const stored of uploadedContent(tx, id)) {
      hash.update(stored)
      size += stored.length
    }
    await completeUpload(tx, id, { size, sha256: hash.digest('hex') })
    await deleteOlder(tx, key, { keep, maxBytes: MAX_KEPT_BYTES, complete: true })
    return { id }
  })
}

/** Undefined if there is none, or if it is too old. */
export function findUpload(app: { db: Db; clock: Clock }, key: UploadKey, id: string): Promise<Upload | undefined> {
  return selectUpload(app.db, id, key, new Date(app.clock.now().getTime() - KEPT_MS))
}

/** All that are kept for this purpose, whoever uploaded them, oldest first. */
export function listUploads({ db, clock }: { db: Db; clock: Clock }, purpose: string): Promise<Upload[]> {
  return selectUploads(db.pages, purpose, new Date(clock.now().getTime() - KEPT_MS))
}

/** Keeps a file for who has to approve what becomes of it. */
export function keepProposed(app: Deps, owner: string, file: { name: string; content: AsyncIterable<Uint8Array> }) {
  return keepUpload(app, { owner, purpose: PROPOSED }, file, MAX_PROPOSED)
}

export const findProposed = (db: Queryable, sha256: string) => selectBySha(db, PROPOSED, sha256)

export async function* uploadedContent(db: Queryable, id: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const data = await selectPart(db, id, number)
    if (!data) return
    yield await promisify(gunzip)(data)
  }
}

export function pruneUploads({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  const proposed = { purpose: PROPOSED, before: ago(PROPOSED_MS) }
  return db.transaction((tx) => deleteExpired(tx, ago(KEPT_MS), proposed))
}
