import { setTimeout as wait } from 'node:timers/promises'
import type { beginImport, FileContent } from '../../../domain/statements/index.ts'
import { importedAmong } from '../../../domain/statements/index.ts'
import type { Upload } from '../../../domain/uploads/index.ts'
import { listUploads, uploadedContent } from '../../../domain/uploads/index.ts'
import type { Asked, OperatorDeps } from '../kind.ts'

/** A month of a busy account has a few megabytes. Larger files: the command line, or an inbox. */
export const MAX_MEGABYTES = 50
/** Of one upload, with no more bytes together than one file may have: more than an operator has accounts on a day. */
export const MAX_FILES = 20
/** Of one person: an upload, and the one before it. */
export const KEPT_UPLOADS = 2 * MAX_FILES
const PURPOSE = 'statement'
const OWNER = 'operator/'
/** Of the person: who confirms a preview has chosen its files. */
export const keyOf = ({ viewer }: Asked) => ({ owner: `${OWNER}${viewer.name}`, purpose: PURPOSE })
/** Files that someone uploaded and no one has imported. */
export async function waitingFiles(app: OperatorDeps): Promise<{ name: string; by: string }[]> {
  const uploads = await listUploads(app, PURPOSE)
  const imported = await importedAmong(
    app.db.pages,
    uploads.map(({ sha256 }) => sha256),
  )
  const byContent = new Map(uploads.filter(({ sha256 }) => !imported.has(sha256)).map((one) => [one.sha256, one]))
  return [...byContent.values()].map(({ name, owner }) => ({ name, by: owner.slice(OWNER.length) }))
}

export const ID = /^[0-9a-f]{24}$/

/** A whole file is compared with what is stored: some reads take longer than those of a page. */
export const patient = (app: OperatorDeps) => ({ ...app, db: app.db.withStatementLimit(30_000) })

export const contentOf = (app: OperatorDeps, { id, name }: Upload): FileContent => ({
  name,
  open: () => uploadedContent(app.db, id),
})

/** Not within the request if it takes long: proxies and browsers give up. A worker goes on if this process ends. */
export async function isBooked(
  { log }: OperatorDeps,
  { file: { id }, book }: Awaited<ReturnType<typeof beginImport>>,
  waitMs: number,
): Promise<boolean> {
  const booking = book().then(() => true)
  booking.catch((error: unknown) =>
    log.error({ err: error, fileId: id }, 'an import broke off; a worker goes on with it'),
  )
  return Promise.race([booking, wait(Math.max(0, waitMs), false, { ref: false })])
}
