import { BANK_PROFILES } from '@vezne/bank-formats'
import { previewUndo, undoFile } from '../../../domain/matching/index.ts'
import type { FileContent } from '../../../domain/statements/index.ts'
import { importFile, listFiles, previewFile, showFile } from '../../../domain/statements/index.ts'
import type { Upload } from '../../../domain/uploads/index.ts'
import { findUpload, keepUpload, uploadedContent } from '../../../domain/uploads/index.ts'
import { listAccounts } from '../../../domain/banks/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import { refusalText } from '../../web/console/refusals/translate.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import { accountNames } from '../names.ts'
import { filePage, undoPage } from './file-page.ts'
import { gonePage, PAGE_SIZE, statementsPage } from './list-page.ts'
import type { ReadOptions } from './preview-page.ts'
import { previewPage, refusedPage, seenHash } from './preview-page.ts'
import { SAID, WORDS } from './words.ts'

/** A month of a busy account has a few megabytes. Larger files: the command line, or an inbox. */
const MAX_MEGABYTES = 50
const KEY = { owner: 'operator', purpose: 'statement' }
const ID = /^[0-9a-f]{24}$/

export const STATEMENTS: Section = {
  views: [
    { path: '/statements', show: list },
    { path: '/statements/uploads/:id', action: 'statement.import', show: preview },
    { path: '/statements/:id', show: file },
    { path: '/statements/:id/undo', action: 'statement.undo', show: beforeUndo },
  ],
  forms: [
    {
      ...{ path: '/statements/upload', action: 'statement.import', back: '/statements', decide: upload },
      ...{ upload: { maxBytes: MAX_MEGABYTES * 1024 * 1024 }, needsProof: false },
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
  return { page: statementsPage(viewer, files, MAX_MEGABYTES) }
}

async function upload(app: OperatorDeps, { viewer, file }: Asked): Promise<Shown> {
  if (!file) throw new Refusal('VALIDATION_ERROR', viewer.words.noFile)
  const { id } = await keepUpload(app, KEY, file)
  return { redirect: `/statements/uploads/${id}` }
}

/** A whole file is compared with what is stored: some reads take longer than those of a page. */
const patient = (app: OperatorDeps) => ({ ...app, db: app.db.withStatementLimit(30_000) })

const contentOf = (app: OperatorDeps, { id, name }: Upload): FileContent => ({
  name,
  open: () => uploadedContent(app.db, id),
})

function optionsFrom({ query }: Asked): ReadOptions {
  const text = (name: string) => (typeof query[name] === 'string' && query[name] !== '' ? query[name] : null)
  return { account: text('account'), profile: text('profile') }
}

function fileOptions({ account, profile }: ReadOptions) {
  return { connection: null, account, profile: Object.values(BANK_PROFILES).find(({ id }) => id === profile) ?? null }
}

async function preview(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const found = await findUpload(app, KEY, id)
  if (!found) return { page: gonePage(viewer, MAX_MEGABYTES), status: 404 }
  const options = optionsFrom(asked)
  const facts = { upload: found, options, accounts: await listAccounts(app.db.pages) }
  try {
    const result = await previewFile(patient(app), contentOf(app, found), fileOptions(options))
    return { page: previewPage(viewer, facts, result) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return { page: refusedPage(viewer, facts, refusalText(viewer.language, error)) }
  }
}

/** Only what the person saw is imported. The same content is imported once, however often it is confirmed. */
async function importUpload(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, actor, id, fields } = asked
  const words = WORDS[viewer.language]
  const found = await findUpload(app, KEY, id)
  if (!found) throw new Refusal('INVALID_STATE', words.gone)
  const options = optionsFrom(asked)
  const content = contentOf(app, found)
  const seen = await previewFile(patient(app), content, fileOptions(options))
  // Once an import of this content has begun, a preview finds what that import wrote.
  const hasBegun = seen.already !== null
  if (!hasBegun && seenHash(seen, options) !== fields.get('seen')) throw new Refusal('INVALID_STATE', words.changed)
  const acceptProblems = fields.get('why')
  const result = await importFile(patient(app), actor, content, { ...fileOptions(options), acceptProblems })
  return { redirect: `/statements/${result.file.id}?said=${result.before ? 'fileKnown' : 'fileImported'}` }
}

async function file(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  return { page: filePage(viewer, await showFile(app, id), await accountNames(app)) }
}

async function beforeUndo(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  const shown = await showFile(app, id)
  return { page: undoPage(viewer, shown, await previewUndo(patient(app), id)) }
}

async function undo(app: OperatorDeps, { actor, id, fields }: Asked): Promise<Shown> {
  await undoFile(patient(app), actor, id, fields.get('why') ?? '')
  return { redirect: `/statements/${id}?said=importUndone` }
}
