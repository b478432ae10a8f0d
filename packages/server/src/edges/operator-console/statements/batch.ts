import type { Previewed } from '../../../domain/statements/index.ts'
import { beginImport, previewTogether, showFile, takesTwo } from '../../../domain/statements/index.ts'
import type { Upload } from '../../../domain/uploads/index.ts'
import { findUpload } from '../../../domain/uploads/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked } from '../kind.ts'
import { accountNames } from '../names.ts'
import { batchAddress, batchPage, seenOf } from './batch-page.ts'
import { gonePage } from './list-page.ts'
import { contentOf, ID, isBooked, keyOf, MAX_FILES, patient } from './uploads.ts'
import { WORDS } from './words.ts'

/** Shorter than proxies wait. What is not imported then waits for another click. */
const WAIT_MS = 20_000

/** The uploads that a text names, with commas; null if one of them is not kept any more. */
export async function uploadsOf(app: OperatorDeps, asked: Asked, text: unknown): Promise<Upload[] | null> {
  const ids = [...new Set(String(text).split(','))]
  if (ids.length > MAX_FILES || !ids.every((id) => ID.test(id))) return null
  const found = await Promise.all(ids.map((id) => findUpload(app, keyOf(asked), id)))
  return found.every((one) => one !== undefined) ? found : null
}

const previews = (app: OperatorDeps, uploads: Upload[]) =>
  previewTogether(
    patient(app),
    uploads.map((upload) => ({ ...contentOf(app, upload), upload })),
  )

/** What an import of several files would do. */
export async function showBatch(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, query } = asked
  const uploads = await uploadsOf(app, asked, query['of'])
  // Without any the page offers to upload some.
  if (!uploads) return { page: gonePage(viewer), status: query['of'] === undefined ? 200 : 404 }
  const files = await previews(app, uploads)
  const imported = files.flatMap((one) =>
    'preview' in one && one.preview.already?.state === 'imported' ? one.preview.already.id : [],
  )
  const stored = await Promise.all(imported.map(async (id) => [id, await showFile(app, id)] as const))
  return { page: batchPage(viewer, files, { files: new Map(stored), accountName: await accountNames(app) }) }
}

/** Imports all files without a problem, or the one that the person gives a reason for. Only what the person saw. */
export async function importBatch(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, query, fields } = asked
  const words = WORDS[viewer.language]
  const uploads = await uploadsOf(app, asked, query['of'])
  if (!uploads) throw new Refusal('INVALID_STATE', words.gone)
  const all = await previews(app, uploads)
  const only = fields.get('only')
  const wanted = all.filter((one) =>
    only === null
      ? 'preview' in one && one.isClean && (app.sandbox || !takesTwo(one.preview))
      : one.content.upload.id === only && 'preview' in one,
  )
  if (wanted.some((one) => seenOf(one) !== fields.get(`seen-${one.content.upload.id}`)))
    throw new Refusal('INVALID_STATE', words.changed)
  const isDone = await importAll(app, asked, wanted)
  return { redirect: `${batchAddress(uploads)}&said=${isDone ? 'filesImported' : 'filesLeft'}` }
}

/** In their order: a day is compared with the day before it. False if some are left. */
async function importAll(app: OperatorDeps, { actor, fields }: Asked, files: Previewed<{ upload: Upload }>[]) {
  const until = performance.now() + WAIT_MS
  const acceptProblems = fields.has('only') ? fields.get('why') : null
  let isDone = true
  for (const { content } of files) {
    if (performance.now() > until) return false
    try {
      const options = { connection: null, account: null, profile: null, acceptProblems }
      const begun = await beginImport(patient(app), actor, contentOf(app, content.upload), options)
      isDone = (await isBooked(app, begun, until - performance.now())) && isDone
    } catch (error) {
      // Refused because of what another of the files brought: its preview says why.
      if (fields.has('only') || !(error instanceof Refusal) || error.code !== 'INVALID_STATE') throw error
      isDone = false
    }
  }
  return isDone
}
