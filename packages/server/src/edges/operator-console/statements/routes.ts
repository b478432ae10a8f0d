import { BANK_PROFILES } from '@vezne/bank-formats'
import { closedBy, previewUndo, undoFile } from '../../../domain/books/index.ts'
import { proposedImport, proposeImport } from '../../../domain/proposals/index.ts'
import {
  beginImport,
  forgedAmong,
  isTable,
  listFiles,
  previewFile,
  showFile,
  takesTwo,
  totalsOfFile,
} from '../../../domain/statements/index.ts'
import { findUpload, keepPart, keepUpload } from '../../../domain/uploads/index.ts'
import { listAccounts } from '../../../domain/banks/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { SentFile } from '../../web/console/read-upload.ts'
import { FileTooLarge, TooManyFiles } from '../../web/console/read-upload.ts'
import type { Shown } from '../../web/console/routes.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { lapsedProposals } from '../proposals/lapsed.ts'
import { accountNames } from '../names.ts'
import { importBatch, showBatch, uploadsOf } from './batch.ts'
import { batchAddress } from './batch-page.ts'
import { filePage, undoPage } from './file-page.ts'
import { gonePage, PAGE_SIZE, statementsPage } from './list-page.ts'
import type { ReadOptions } from './preview-page.ts'
import { previewPage, refusedPage, seenHash } from './preview-page.ts'
import { proposedPage } from './proposed-page.ts'
import { contentOf, ID, isBooked, KEPT_UPLOADS, keyOf, MAX_FILES, MAX_MEGABYTES, patient } from './uploads.ts'
import { SAID, WORDS } from './words.ts'

const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
/** As the script of the page sends them. */
const PART_BYTES = 1024 * 1024

/** Longer than the import of a file of a day takes; a larger one goes on while its page shows how far it is. */
const WAIT_MS = 3000

/** The newest files, and how far those are that are being imported. */
const FILES = {
  name: 'files',
  async load({ db: { report } }: OperatorDeps) {
    const files = (await listFiles(report, PAGE_SIZE)).map(({ id, state, lines }) => ({ id, state, lines }))
    const busy = files.filter(({ state }) => state === 'importing')
    return { files, booked: await Promise.all(busy.map(({ id }) => totalsOfFile(report, id))) }
  },
}

export const STATEMENTS: Section = {
  views: [
    { path: '/statements', live: FILES, show: list },
    { path: '/statements/uploads', action: 'statement.import', show: showBatch },
    { path: '/statements/uploads/:id', action: 'statement.import', show: preview },
    { path: '/statements/proposed/:id', action: 'statement.import', show: proposed },
    { path: '/statements/:id', live: FILES, show: file },
    { path: '/statements/:id/undo', action: 'statement.undo', show: beforeUndo },
  ],
  forms: [
    {
      ...{ path: '/statements/upload', action: 'statement.import', back: '/statements', decide: upload },
      ...{ upload: { maxBytes: MAX_BYTES, maxFiles: MAX_FILES }, needsProof: false },
    },
    {
      ...{ path: '/statements/uploads/import', action: 'statement.import' },
      ...{ back: '/statements/uploads', decide: importBatch },
    },
    {
      ...{ path: '/statements/uploads/:id/import', action: 'statement.import' },
      ...{ back: '/statements/uploads/:id', decide: importUpload },
    },
    { path: '/statements/:id/undo', action: 'statement.undo', back: '/statements/:id/undo', decide: undo },
  ],
  said: SAID,
}

async function list(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const before = ID.test(String(query['before'])) ? String(query['before']) : undefined
  const files = await listFiles(app.db.pages, PAGE_SIZE + 1, before)
  return { page: statementsPage(viewer, files, await forgedAmong(app, app.db.pages, files), before) }
}

async function upload(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, file, otherFiles, fields } = asked
  if (!file) throw new Refusal('VALIDATION_ERROR', viewer.words.noFile)
  if (fields.has('part')) return uploadPart(app, asked, file)
  const first = await keepUpload(app, keyOf(asked), file, KEPT_UPLOADS)
  const uploads = [first]
  for await (const other of otherFiles) uploads.push(await keepUpload(app, keyOf(asked), other, KEPT_UPLOADS))
  return { redirect: previewAddress(uploads) }
}

const previewAddress = (uploads: { id: string }[]) =>
  uploads.length === 1 ? `/statements/uploads/${uploads[0]?.id}` : batchAddress(uploads)

/** The script sends large files in parts of a megabyte: a slow line has the time of a request for each. `with`: files before it. */
async function uploadPart(app: OperatorDeps, asked: Asked, { name, content }: SentFile): Promise<Shown> {
  const { viewer, fields } = asked
  const [number, parts] = [wholeNumber(fields.get('part')), wholeNumber(fields.get('parts'))]
  if (number === null || parts === null || number >= parts)
    throw new Refusal('VALIDATION_ERROR', WORDS[viewer.language].wrongPart)
  const before = fields.has('with') ? await uploadsOf(app, asked, fields.get('with')) : []
  if (!before) throw new Refusal('INVALID_STATE', WORDS[viewer.language].gone)
  if (before.length >= MAX_FILES) throw new TooManyFiles(MAX_FILES)
  const sent = before.reduce((sum, { size }) => sum + size, 0)
  if (sent + (parts - 1) * PART_BYTES >= MAX_BYTES) throw new FileTooLarge(MAX_BYTES)
  const part = { id: fields.get('upload'), number, isLast: number === parts - 1, name, content }
  const kept = await keepPart(app, keyOf(asked), part, KEPT_UPLOADS)
  if (!kept) throw new Refusal('INVALID_STATE', WORDS[viewer.language].gone)
  const next = viewer.root + previewAddress([...before, kept])
  return { answer: { upload: kept.id, ...(part.isLast && { next }) } }
}

/** Digits only: `''` and `0x0` are 0 for Number. */
const wholeNumber = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null)

function optionsFrom({ query }: Asked): ReadOptions {
  const text = (name: string) => (typeof query[name] === 'string' && query[name] !== '' ? query[name] : null)
  return { account: text('account'), profile: text('profile') }
}

function fileOptions({ account, profile }: ReadOptions) {
  return { connection: null, account, profile: Object.values(BANK_PROFILES).find(({ id }) => id === profile) ?? null }
}

async function preview(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const found = await findUpload(app, keyOf(asked), id)
  if (!found) return { page: gonePage(viewer), status: 404 }
  const options = optionsFrom(asked)
  const facts = { upload: found, options, accounts: await listAccounts(app.db.pages) }
  try {
    const result = await previewFile(patient(app), contentOf(app, found), fileOptions(options))
    return { page: previewPage(viewer, facts, result) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return {
      page: refusedPage(
        viewer,
        { ...facts, isTable: await isTable(contentOf(app, found)) },
        refusalText(viewer.language, error),
      ),
    }
  }
}

/** Only what the person saw is imported. The same content is imported once, however often it is confirmed. */
async function importUpload(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, actor, id, fields } = asked
  const words = WORDS[viewer.language]
  const found = await findUpload(app, keyOf(asked), id)
  if (!found) throw new Refusal('INVALID_STATE', words.gone)
  const options = optionsFrom(asked)
  const content = contentOf(app, found)
  const read = () => previewFile(patient(app), content, fileOptions(options))
  const seen = await read()
  // Once an import of this content has begun, also during the preview, a preview finds what that import wrote.
  const isAsSeen = seenHash(seen, options) === fields.get('seen') || seen.already !== null
  if (!isAsSeen && (await read()).already === null) throw new Refusal('INVALID_STATE', words.changed)
  const wanted = { ...fileOptions(options), acceptProblems: fields.get('why') }
  if (!app.sandbox && takesTwo(seen)) {
    const asked = await proposeImport(patient(app), actor, content, wanted)
    if (asked.state !== 'applied') return { redirect: '/approvals?said=proposalMade' }
    return { redirect: `/statements/${asked.result.id}?said=fileImported` }
  }
  const begun = await beginImport(patient(app), actor, content, wanted)
  const said = begun.before ? 'fileKnown' : (await isBooked(app, begun, WAIT_MS)) ? 'fileImported' : 'fileBegun'
  return { redirect: `/statements/${begun.file.id}?said=${said}` }
}

async function proposed(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  const shown = await proposedImport(patient(app), id)
  return { page: proposedPage(viewer, shown, new Map(await lapsedProposals(app, [shown.proposal]))) }
}

async function file(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  return { page: filePage(viewer, await showFile(app, id), await accountNames(app)) }
}

async function beforeUndo(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  const shown = await showFile(app, id)
  const closed = await closedBy(app.db.pages, shown.statements)
  return { page: undoPage(viewer, shown, await previewUndo(patient(app), id), closed) }
}

async function undo(app: OperatorDeps, { actor, id, fields }: Asked): Promise<Shown> {
  const lines = await undoFile(patient(app), actor, id, fields.get('why') ?? '')
  return { redirect: `/statements/${id}?said=${lines === 0 ? 'balanceUndone' : 'importUndone'}` }
}
