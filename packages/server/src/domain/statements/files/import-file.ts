import { createHash } from 'node:crypto'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Authority } from '../../people/index.ts'
import { authorize, mustBeApproved } from '../../people/index.ts'
import { hashOfKeys } from './approved-lines.ts'
import { markFile } from './file-marks.ts'
import { importKept } from './import-kept.ts'
import { keepContent, keptContent } from './keep-content.ts'
import type { FileContent } from './open-file.ts'
import type { CheckedFile } from './file-preview.ts'
import type { Deps, FileOptions, OnProgress } from './preview-file.ts'
import { checkFile, previewFile } from './preview-file.ts'
import { takesTwo } from './proof.ts'
import type { FileCounts } from './show-file.ts'
import { countsOf } from './show-file.ts'
import type { StatementFile } from './statement-file.ts'
import { findBySha, findFile, insertFile, markImporting, markUndone } from './store.ts'

/** `acceptProblems`: why the file is imported although a check found a problem. `approvedLines`: of the preview that two people approved. */
export type ImportOptions = FileOptions & { acceptProblems: string | null; approvedLines?: Buffer }

/** `before`: the same content had been imported before. */
export type FileResult = FileCounts & { file: StatementFile; before: boolean }

/** Progress: lines that were read for the checks, and lines that were imported, so far. */
type Report = { onRead?: OnProgress; onImported?: OnProgress }

/**
 * Imports a statement file: checks it, stores the original, then books its lines. After a crash the same call, or a worker, goes
 * on from the stored original. Several processes may import the same file at once.
 */
export async function importFile(
  app: Deps & Authority,
  actor: Actor,
  content: FileContent,
  options: ImportOptions,
  { onRead, onImported }: Report = {},
): Promise<FileResult> {
  const { file, before, book } = await beginImport(app, actor, content, options, onRead)
  await book(onImported)
  return resultOf(app, file.id, before)
}

type Begun = { file: StatementFile; before: boolean; book: (onImported?: OnProgress) => Promise<void> }

/** Checks the file and stores the original. `book` books its lines; if it is not called, or breaks off, a worker does. */
export async function beginImport(
  app: Deps & Authority,
  actor: Actor,
  given: FileContent,
  options: ImportOptions,
  onRead?: OnProgress,
): Promise<Begun> {
  await app.db.transaction((tx) => authorize(app, tx, actor, 'statement.import', { task: 'inbox' }))
  const content = sameAtEachRead(given)
  const preview = await checkFile(app, content, options, onRead)
  const before = preview.already?.state === 'imported'
  if (preview.already && preview.already.state !== 'storing') {
    await auditImport(app, actor, preview, async () => {})
    return begun(app, preview.already, before)
  }
  mustBeAcceptable(preview, options.acceptProblems)
  if (actor.kind !== 'system') await mustBeSeenByTwo(app, content, options, preview)
  return begun(app, await keepFile(app, actor, { content, options, preview }), false)
}

const begun = (app: Deps, file: StatementFile, before: boolean): Begun => {
  return { file, before, book: async (onImported) => (before ? undefined : importKept(app, file, onImported)) }
}

/** In live no file of one person is imported: one that the person wrote would be money, or prove a day. */
async function mustBeSeenByTwo(
  app: Deps & Authority,
  content: FileContent,
  options: ImportOptions,
  { format, profile }: CheckedFile,
): Promise<void> {
  if (app.sandbox || (app.approval && options.approvedLines)) return
  const seen = await previewFile(app, content, { ...options, profile })
  if (seen.format !== format) throw changedWhileRead(content)
  if (takesTwo(seen)) mustBeApproved(app)
  throw refuse('file_brings_nothing', { file: content.name })
}

/** A pipe can give other bytes at each read: harmless ones to the check, others to the import. */
function sameAtEachRead(content: FileContent): FileContent {
  let first: string | undefined
  async function* open() {
    const hash = createHash('sha256')
    for await (const piece of content.open()) {
      hash.update(piece)
      yield piece
    }
    const read = hash.digest('hex')
    first ??= read
    if (read !== first) throw changedWhileRead(content)
  }
  return { ...content, open }
}

const changedWhileRead = ({ name }: FileContent) => refuse('file_changed_while_read', { file: name })

/** Throws if the file must not be imported, or only with a reason. */
export function mustBeAcceptable(
  { name, findings }: Pick<CheckedFile, 'name' | 'findings'>,
  acceptProblems: string | null,
): void {
  const listed = (severity: string) => findings.flatMap((one) => (one.severity === severity ? one.what : []))
  const refused = listed('refused')
  if (refused.length > 0) throw refuse('file_not_importable', { file: name, problems: refused })
  const problems = listed('problem')
  if (acceptProblems !== null) mustGiveReason('why', acceptProblems)
  else if (problems.length > 0) throw refuse('file_doubtful', { file: name, problems })
}

type Keeping = { content: FileContent; options: ImportOptions; preview: CheckedFile }

/** Stores the original. It is imported only if what was stored is what was checked. */
async function keepFile(
  app: Deps & Authority,
  actor: Actor,
  { content, options, preview }: Keeping,
): Promise<StatementFile> {
  const { sha256 } = preview
  await auditImport(app, actor, preview, async (tx) => {
    const file = newFile(app, actor, options, preview)
    if (await insertFile(tx, file)) await markFile(app, tx, file)
  })
  const file = await mustFind(findBySha(app.db, sha256), preview.name)
  if (file.state !== 'storing') return file
  await keepContent(app, file.id, content)
  const hash = createHash('sha256')
  for await (const piece of keptContent(app.db, file.id)) hash.update(piece)
  const isSame = hash.digest('hex') === sha256
  await app.db.transaction((tx) => (isSame ? markImporting(tx, file.id) : giveUp(app, tx, actor, file)))
  if (isSame) return mustFind(findFile(app.db, file.id), file.id)
  throw changedWhileRead(content)
}

/** Of one content several processes may insert the file: the entry names the one that is there. */
async function auditImport(
  app: Deps & Authority,
  actor: Actor,
  { sha256, name }: CheckedFile,
  insert: (tx: Tx) => Promise<void>,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const audit = await authorize(app, tx, actor, 'statement.import', { task: 'inbox' })
    await insert(tx)
    const { id, connection, acceptedWhy } = await mustFind(findBySha(tx, sha256), name)
    await audit(`file:${id}`, { after: { name, sha256, connection }, reason: acceptedWhy })
  })
}

function giveUp(app: Deps, tx: Tx, actor: Actor, { id }: StatementFile): Promise<void> {
  const why = 'the file changed while it was stored'
  return markUndone(tx, id, { who: actorName(actor), why, at: app.clock.now() })
}

function newFile(app: Deps, actor: Actor, options: ImportOptions, preview: CheckedFile) {
  const { name, sha256, size, format, profile, connection, findings } = preview
  if (format === null || connection === null) throw new Error(`${name} has no statement.`)
  const approvedLines = options.approvedLines ?? null
  return {
    ...{ approvedLines, approvedSha256: hashOfKeys(approvedLines) },
    ...{ id: app.ids.next(), connection, name, sha256, size, format, profile, accountIban: options.account },
    ...{ checks: findings, acceptedWhy: options.acceptProblems },
    ...{ createdBy: actorName(actor), createdAt: app.clock.now() },
  }
}

async function resultOf(app: Deps, id: string, before: boolean): Promise<FileResult> {
  const file = await mustFind(findFile(app.db, id), id)
  return { file, before, ...(await countsOf(app.db, file)) }
}

/** `shown`: as the refusal names it, if its import was undone meanwhile. */
async function mustFind(found: Promise<StatementFile | undefined>, shown: string): Promise<StatementFile> {
  const file = await found
  if (file) return file
  throw refuse('import_undone', { file: shown })
}
