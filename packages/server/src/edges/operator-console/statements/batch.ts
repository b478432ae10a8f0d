import { openImport, proposeImport } from '../../../domain/proposals/index.ts'
import { beginImport, isTable, previewTogether, showFile, takesTwo } from '../../../domain/statements/index.ts'
import type { Upload } from '../../../domain/uploads/index.ts'
import { findUpload } from '../../../domain/uploads/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import { accountNames } from '../names.ts'
import type { BatchFile } from './batch-page.ts'
import { batchAddress, batchPage, isReady, seenOf } from './batch-page.ts'
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

async function previews(app: OperatorDeps, { viewer }: Asked, uploads: Upload[]): Promise<BatchFile[]> {
  const contents = uploads.map((upload) => ({ ...contentOf(app, upload), upload }))
  const all = await previewTogether(patient(app), contents)
  const open = await Promise.all(all.map(({ content }) => openImport(app, content.upload)))
  const tables = await Promise.all(
    all.map(async (one) => 'refused' in one && (await isTable(contentOf(app, one.content.upload)))),
  )
  return all.map((one, at) => ({
    ...one,
    proposal: open[at]?.proposedBy === viewer.name ? open[at].id : null,
    isTable: tables[at] ?? false,
  }))
}

/** What an import of several files would do. */
export async function showBatch(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, query } = asked
  const uploads = await uploadsOf(app, asked, query['of'])
  // Without any the page offers to upload some.
  if (!uploads) return { page: gonePage(viewer), status: query['of'] === undefined ? 200 : 404 }
  const files = await previews(app, asked, uploads)
  const imported = files.flatMap((one) =>
    'preview' in one && one.preview.already?.state === 'imported' ? one.preview.already.id : [],
  )
  const stored = await Promise.all(imported.map(async (id) => [id, await showFile(app, id)] as const))
  return { page: batchPage(viewer, files, { files: new Map(stored), accountName: await accountNames(app) }) }
}

/** Imports or proposes all files without a problem, or the one that the person gives a reason for. Only what the person saw. */
export async function importBatch(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, query, fields } = asked
  const words = WORDS[viewer.language]
  const uploads = await uploadsOf(app, asked, query['of'])
  if (!uploads) throw new Refusal('INVALID_STATE', words.gone)
  const all = await previews(app, asked, uploads)
  const only = fields.get('only')
  const wanted = all.filter((one) => (only === null ? isReady(one, viewer) : one.content.upload.id === only))
  if (wanted.some((one) => seenOf(one) !== fields.get(`seen-${one.content.upload.id}`)))
    throw new Refusal('INVALID_STATE', words.changed)
  return { redirect: `${batchAddress(uploads)}&said=${await importAll(app, asked, wanted)}` }
}

/** In their order: a day is compared with the day before it. */
async function importAll(app: OperatorDeps, asked: Asked, files: BatchFile[]) {
  const until = performance.now() + WAIT_MS
  let said: 'filesImported' | 'filesProposed' = 'filesImported'
  let isDone = true
  for (const one of files) {
    if (performance.now() > until) return 'filesLeft'
    try {
      const done = await importOne(app, asked, one, until)
      if (done === 'proposed') said = 'filesProposed'
      if (done === 'begun') isDone = false
    } catch (error) {
      // Refused because of what another of the files brought: its preview says why.
      if (asked.fields.has('only') || !(error instanceof Refusal) || error.code !== 'INVALID_STATE') throw error
      isDone = false
    }
  }
  return isDone ? said : 'filesLeft'
}

async function importOne(app: OperatorDeps, { actor, fields }: Asked, one: BatchFile, until: number) {
  if (!('preview' in one)) throw one.refused
  const content = contentOf(app, one.content.upload)
  const options = { connection: null, account: null, profile: null, acceptProblems: fields.get('why') }
  if (!app.sandbox && takesTwo(one.preview)) {
    const asked = await proposeImport(patient(app), actor, content, { ...options, earlier: one.earlier })
    return asked.state === 'applied' ? 'booked' : 'proposed'
  }
  const begun = await beginImport(patient(app), actor, content, options)
  return (await isBooked(app, begun, until - performance.now())) ? 'booked' : 'begun'
}
