import type { StatementHead } from '@vezne/bank-formats'
import { isPerson } from '../../../kernel/actor.ts'
import { causedByData } from '../../../platform/postgres/database-faults.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import { note } from '../../../kernel/refusals/note.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Said } from '../../../platform/refusal.ts'
import { accountsByIban } from '../../banks/index.ts'
import { importLines } from '../import-lines.ts'
import { confirmLines, markLacked } from '../confirmed/store.ts'
import { lockImport } from '../store.ts'
import { keepUnread } from '../unread/unread-lines.ts'
import { approvedBy, hashOfKeys, NotApprovedError } from './approved-lines.ts'
import { fillBalances } from './balances.ts'
import { claimPages } from './count-lines.ts'
import { saveCoverage } from './coverage.ts'
import { mustBeImported } from './file-marks.ts'
import { lineProblem, toBankLine, unreadLine } from './file-line.ts'
import { keptContent } from './keep-content.ts'
import { standing } from './missing-lines.ts'
import type { PageRepeats } from './page-repeats.ts'
import { inParts, newPageCounts, pagesKey, repeatsOnPages } from './page-repeats.ts'
import type { Joined, Known } from './pages.ts'
import { bankIdOf, isWhole, joinPages, lastPages, pagesOf } from './pages.ts'
import { readerOf } from './open-file.ts'
import type { Deps, OnProgress } from './preview-file.ts'
import type { ReadLine, ReadStatement } from './read-in-parts.ts'
import { PART_LINES, readInParts } from './read-in-parts.ts'
import type { Placed } from './repeated-lines.ts'
import { newRepeats } from './repeated-lines.ts'
import { resolveAccount } from './resolve-account.ts'
import type { FileScope } from './same-booking.ts'
import { newScope, scopeOfPart } from './same-booking.ts'
import type { StatementFile } from './statement-file.ts'
import { isFinal } from './statement-file.ts'
import { insertImported, lockFile, markImported, markStopped, selectApprovedLines, selectInterrupted } from './store.ts'

/** Books the lines of a stored file. It stops at one that two people did not see as new when they approved the file. */
export async function importKept(app: Deps, file: StatementFile, onProgress?: OnProgress): Promise<void> {
  await mustBeImported(app, file)
  try {
    await bookKept(app, file, onProgress)
  } catch (error) {
    if (!(error instanceof NotApprovedError)) throw error
    await app.db.transaction((tx) => markStopped(tx, file.id, error.line))
    throw stoppedAt(file.id, error.line)
  }
}

export const stoppedAt = (id: string, line: string) => refuse('import_stopped', { file: id, line })

/** In parts. It always starts at the first line: lines that this or another process has booked are known and change nothing. */
async function bookKept(app: Deps, file: StatementFile, onProgress: OnProgress = () => undefined): Promise<void> {
  const accounts = await accountsByIban(app.db)
  const accountOf = (head: StatementHead) => resolveAccount(accounts, head.account, file.accountIban).account
  const whole = await scopeOf(app, file)
  const repeats = newRepeats()
  const countPages = newPageCounts(app)
  const statements: ReadStatement[] = []
  const counts = { lines: 0, pending: 0, unread: 0 }
  for await (const part of readInParts(readerOf(file.format, file.profile)(keptContent(app.db, file.id)))) {
    if (part.kind === 'statement') {
      statements.push(part.statement)
      for (const again of repeats.proven(part.statement))
        counts.unread += (await importPart(app, file, whole, again))?.unread ?? 0
      continue
    }
    const { iban, number } = part.head.account
    const account = accountOf(part.head)
    const accountIban = account?.iban ?? iban ?? number ?? ''
    const booked = part.lines.filter(({ status }) => status === 'booked')
    const lines = booked.map((line) => placed(line, accountIban))
    await countPages(whole, { head: part.head, account, lines })
    whole.confirms = isFinal(file.format) && !part.head.page
    const imported = await importPart(app, file, whole, repeats.firsts(lines, statements.length))
    // Another process has finished it.
    if (!imported) return
    counts.lines += part.lines.length
    counts.pending += part.lines.length - booked.length
    counts.unread += imported.unread
    onProgress(counts.lines)
  }
  const ours = statements.flatMap((statement) => {
    const account = accountOf(statement.head)
    return account ? [{ statement, account }] : []
  })
  for (let isDone = false; !isDone;) {
    const again = await repeatsOnPages(app, file, ours)
    if (again.proven.length > 0) await claimPages(app, whole, { fileIds: again.fileIds, occurrences: null })
    const proven = { ...whole, confirms: true }
    for (const part of inParts(again.proven)) counts.unread += (await importPart(app, file, proven, part))?.unread ?? 0
    const confirmed = await linesOfPages(app, file, whole, ours)
    isDone = await finish(app, file, { ours, again, counts, confirmed })
  }
}

type Finishing = {
  ours: Known[]
  again: PageRepeats
  counts: { lines: number; pending: number; unread: number }
  confirmed: string[]
}

/** False if another process has imported a page since its lines were read. */
function finish(app: Deps, file: StatementFile, { ours, again, counts, confirmed }: Finishing): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    if (!(await isImporting(tx, file))) return true
    await lockImport(tx)
    if ((await pagesKey(tx, ours)) !== again.pages) return false
    const known = await joinPages(tx, ours)
    await insertImported(
      tx,
      known.flatMap((one) => rowOf(file, one)),
    )
    await fillBalances(app, tx, file, known)
    await confirmLines(tx, confirmed, file.id)
    await markLacked(tx, file.checks)
    await markImported(tx, { ...counts, id: file.id, checks: [...file.checks, ...again.findings] }, app.clock.now())
    await saveCoverage(app, tx, file.connection)
    return true
  })
}

/** Lines of the statements of which this file has the page that was missing. */
async function linesOfPages(app: Deps, file: StatementFile, whole: FileScope, ours: Known[]): Promise<string[]> {
  const all = await Promise.all(lastPages(ours).map((one) => pagesOf(app.db, one, ours)))
  const fileIds = new Set(all.filter(isWhole).flatMap((pages) => pages.map(({ fileId }) => fileId ?? file.id)))
  const claimed = new Set<string>()
  await claimPages(app, { ...whole, claimed }, { fileIds: [...fileIds], occurrences: null })
  return [...claimed]
}

/** With the lines that its checks named: missing, or found with another number or day. */
async function scopeOf(app: Deps, file: StatementFile): Promise<FileScope> {
  const named = file.checks.flatMap(({ missing = [], found = [] }) => [...missing, ...found])
  const missing = await standing(app.db, named)
  const scope = newScope(file.id, file.format, { missing, holidays: await app.banks.holidays() })
  return { ...scope, isApproved: await approvedOf(app, file) }
}

/** The mark of the file covers their hash. */
async function approvedOf({ db }: Deps, { id, approvedSha256 }: StatementFile) {
  if (approvedSha256 === null) return null
  const keys = await selectApprovedLines(db, id)
  if (keys === null || hashOfKeys(keys) !== approvedSha256)
    throw new Error(`The approved lines of file ${id} were changed.`)
  return approvedBy(keys)
}

function rowOf(file: StatementFile, { statement, account, isPart }: Joined) {
  const { head, foot, fromDay, toDay, number, lines, credits, debits } = statement
  // Without lines, period and balances it says nothing.
  if (fromDay === null || toDay === null) return []
  const balances = { opening: head.opening?.amount ?? null, closing: foot.closing?.amount ?? null }
  const facts = {
    number,
    collectingAccountId: account.id,
    // Until all pages came, it proves no more than a report during the day.
    format: isPart && head.format === 'camt.053' ? ('camt.052' as const) : head.format,
    bankId: bankIdOf(head),
    fromDay,
    toDay,
    lines,
    credits,
    debits,
  }
  return [{ fileId: file.id, ...facts, ...balances }]
}

function placed(line: ReadLine, accountIban: string): Placed {
  return { line: toBankLine(line, accountIban), at: line.position.line }
}

/** False if the file is imported already; throws if its import was undone. */
async function isImporting(tx: Tx, { id }: StatementFile): Promise<boolean> {
  const { state, stoppedWhy = null } = (await lockFile(tx, id)) ?? {}
  if (stoppedWhy !== null && state === 'importing') throw stoppedAt(id, stoppedWhy)
  if (state === 'imported') return false
  if (state === 'importing') return true
  throw refuse('import_undone', { file: id })
}

type Imported = { unread: number } | null

const isOfData = (error: unknown) => !(error instanceof NotApprovedError) && causedByData(error)

/** If the database refuses a part because of its data, each line is tried alone, and a refused line is kept for a person. */
async function importPart(app: Deps, file: StatementFile, whole: FileScope, lines: Placed[]): Promise<Imported> {
  const attempt = async (some: Placed[], refused: Said | null) => {
    const { scope, keep } = scopeOfPart(whole)
    const imported = await app.db.transaction(async (tx) => {
      return (await isImporting(tx, file)) ? importSome(app, tx, { file, scope, lines: some, refused }) : null
    })
    keep()
    return imported
  }
  try {
    return await attempt(lines, null)
  } catch (error) {
    if (!isOfData(error)) throw error
  }
  let unread = 0
  for (const one of lines) {
    const imported = await attempt([one], null).catch((error: unknown) => {
      if (!isOfData(error)) throw error
      return attempt([one], note('unread_not_storable', { error: (error as Error).message }))
    })
    if (!imported) return null
    unread += imported.unread
  }
  return { unread }
}

type Some = { file: StatementFile; scope: FileScope; lines: Placed[]; refused: Said | null }

async function importSome(app: Deps, tx: Tx, { file, scope, lines, refused }: Some): Promise<{ unread: number }> {
  const placeOf = new Map(lines.map(({ line, at }) => [line, { file: file.name, line: at }]))
  const all = lines.map(({ line }) => ({ line, why: refused ?? lineProblem(line) }))
  const readable = all.flatMap(({ line, why }) => (why === null ? [line] : []))
  const unread = all.flatMap(({ line, why }) => (why === null ? [] : [{ line, why }]))
  for (let at = 0; at < readable.length; at += PART_LINES) {
    const { notBooked } = await importLines(app, tx, file.connection, readable.slice(at, at + PART_LINES), scope)
    unread.push(...notBooked)
  }
  const kept = unread.map(({ line, why }) => unreadLine(line, why, placeOf.get(line) ?? { file: file.name, line: 0 }))
  await keepUnread(app, tx, file.connection, kept, isPerson(file.createdBy) ? file.id : null)
  return { unread: unread.length }
}

/** An import takes a few minutes at most; one that is older may have been left by a process that ended. */
const INTERRUPTED_AFTER_MS = 10 * 60_000
const MAX_RESUMED = 10

/** Goes on with imports that no process has finished. Returns how many are finished now; one that fails is tried again later. */
export async function resumeImports(app: Deps & { log: Log }): Promise<number> {
  const before = new Date(app.clock.now().getTime() - INTERRUPTED_AFTER_MS)
  let finished = 0
  for (const file of await selectInterrupted(app.db, before, MAX_RESUMED)) {
    try {
      await importKept(app, file)
      finished++
    } catch (error) {
      app.log.error({ err: error, fileId: file.id }, 'an interrupted import cannot go on; see: vezne statement show')
    }
  }
  return finished
}
