import type { BankProfile, StatementHead } from '@vezne/bank-formats'
import { BankFileError } from '@vezne/bank-formats'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { fileNote } from '../../../kernel/refusals/files.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { BankDirectory, CollectingAccount } from '../../banks/index.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { KeyedLine } from '../store.ts'
import { newLineKeys } from './approved-lines.ts'
import type { Earlier, Previous } from './check-statement.ts'
import { checkStatement, endBefore } from './check-statement.ts'
import { addCounts, claimPages, countLines, countNumbered } from './count-lines.ts'
import type { CheckedFile, FilePreview } from './file-preview.ts'
import { newPreview, previewOf } from './file-preview.ts'
import type { FoundAgain } from './found-again.ts'
import { toBankLine } from './file-line.ts'
import type { Counts } from './hash-counts.ts'
import { hashCounts } from './hash-counts.ts'
import type { Missing } from './missing-lines.ts'
import { completeDays, findMissing, foundFindings, hasOthers } from './missing-lines.ts'
import { missingBefore, missingFindings, tooManyFindings } from './missing-lines.ts'
import { fittingFindings, isStored } from './nothing-new.ts'
import type { FileContent } from './open-file.ts'
import { openFile } from './open-file.ts'
import { newPageCounts } from './page-repeats.ts'
import type { Known } from './pages.ts'
import { isWhole, pageFindings, pagesOf, wholeOf } from './pages.ts'
import type { ReadPart, ReadStatement } from './read-in-parts.ts'
import { readInParts } from './read-in-parts.ts'
import type { Placed } from './repeated-lines.ts'
import { newRepeats } from './repeated-lines.ts'
import { resolveAccount } from './resolve-account.ts'
import type { FileScope } from './same-booking.ts'
import { amountKey, newScope } from './same-booking.ts'
import type { Kinds } from './proof.ts'
import { proofFindings } from './proof.ts'
import { sourceFindings } from './source-findings.ts'
import type { Period } from './store.ts'

export type FileOptions = {
  /** Null: that of the account. */
  connection: string | null
  /** IBAN of the account, for a file that does not name it. */
  account: string | null
  /** Null: found by the content. */
  profile: BankProfile | null
  /** Of files that will be imported before it. */
  earlier?: Earlier
}

export type Deps = {
  db: Db
  clock: Clock
  ids: Ids
  banks: Pick<BankDirectory, 'holidays'>
  connections: Kinds
  marks: Marks
}
export type OnProgress = (lines: number) => void

/** Reads the whole file, compares it with what is stored, and stores nothing. */
export async function previewFile(
  app: Deps,
  content: FileContent,
  options: FileOptions,
  onProgress: OnProgress = () => undefined,
): Promise<FilePreview> {
  const first = await compareFile(app, content, options, { lost: [], onProgress })
  const before = [...first.missing.lines, ...first.candidates.lines]
  const lost = [...before, ...(await missingBefore(app.db, first.dated, await app.banks.holidays()))]
  // Compared again: a line that is missing may be there with another number or day, if no line of the file has its own.
  const { preview, missing, candidates, found } =
    lost.length === 0 ? first : await compareFile(app, content, options, { lost, onProgress })
  preview.findings.push(...missingFindings(missing), ...tooManyFindings(candidates), ...foundFindings(found))
  return { ...preview, findings: fittingFindings(preview) }
}

/**
 * The preview without its counts: the import compares the lines itself, which takes longer than to read them. Lines of days that have
 * others are compared here too, because a stored line may be missing in the file.
 */
export async function checkFile(
  app: Deps,
  content: FileContent,
  options: FileOptions,
  onProgress: OnProgress = () => undefined,
): Promise<CheckedFile> {
  let lines = 0
  const onPart = (part: Part) => onProgress((lines += part.lines.length))
  const { preview, dated, days, parts, pageFiles } = await readFile(app, content, options, () => ({
    onPart,
    onStatement: () => undefined,
  }))
  const own = [preview.already?.id ?? '', ...pageFiles]
  const isCompared =
    preview.findings.some(({ check }) => check === 'api') ||
    (await hasOthers(app.db, [...days, ...parts.values()], own))
  const isMissing = isCompared || (await missingBefore(app.db, dated, await app.banks.holidays())).length > 0
  return isMissing ? previewFile(app, content, options, onProgress) : preview
}

type Comparing = { lost: KeyedLine[]; onProgress: OnProgress }
/** `candidates`: stored lines with the amount of a new line of a page. They may be on a page that did not come yet. */
type Compared = Pick<Read, 'preview' | 'dated'> & { missing: Missing; candidates: Missing; found: FoundAgain[] }

async function compareFile(
  app: Deps,
  content: FileContent,
  options: FileOptions,
  { lost, onProgress }: Comparing,
): Promise<Compared> {
  const known = { missing: lost, holidays: await app.banks.holidays() }
  let scope: FileScope | null = null as FileScope | null
  const [amounts, numbered, keys] = [hashCounts(), hashCounts(), newLineKeys()]
  const read = await readFile(app, content, options, (soFar) => {
    const { already, counts } = soFar
    const [repeats, countPages] = [newRepeats(), newPageCounts(app)]
    let statements = 0
    const judge = async (head: StatementHead, account: CollectingAccount | null, lines: Placed[]) => {
      scope ??= newScope(already?.id ?? '', head.format, known)
      const source = options.connection ?? account?.connection ?? ''
      await countPages(scope, { head, account, lines })
      const all = lines.map(({ line }) => line)
      const added = await countLines(app, { source, lines: all, scope }, (line) => {
        if (head.page) amounts.set(amountKey(line), 1)
      })
      addCounts(soFar, account?.iban ?? '', added)
      for (const line of added.lines) keys.add(line)
    }
    return {
      onPart: async ({ head, account, lines }) => {
        const booked = lines.filter(({ status }) => status === 'booked')
        counts.lines += lines.length
        counts.pending += lines.length - booked.length
        const placed = booked.map((line) => ({ line: toBankLine(line, account?.iban ?? ''), at: line.position.line }))
        if (head.page) for (const { line } of placed) countNumbered(numbered, line)
        await judge(head, account, repeats.firsts(placed, statements))
        onProgress(counts.lines)
      },
      onStatement: async (statement, account) => {
        statements++
        for (const again of repeats.proven(statement)) await judge(statement.head, account, again)
      },
    }
  })
  const { preview } = read
  preview.newKeys = keys.all()
  preview.counts.known = preview.counts.lines - preview.counts.new - preview.counts.unread - preview.counts.pending
  const format = preview.format ?? 'camt.053'
  scope ??= newScope(preview.already?.id ?? '', format, known)
  const isWanted = (line: KeyedLine) => amounts.get(amountKey(line)) > 0
  const open = await missingIn(app, read, { scope, isWanted, numbered })
  return { preview, dated: read.dated, ...open, found: scope.found }
}

/** `numbered`: how often the pages of the file have each numbered line. */
type Sought = { scope: FileScope; isWanted: (line: KeyedLine) => boolean; numbered: Counts }

async function missingIn(app: Deps, { days, parts, pageFiles }: Read, { scope, isWanted, numbered }: Sought) {
  const search = { scope, pageFiles: [...pageFiles] }
  // The second of equal numbered lines is on a page if so many of them are.
  const isFree =
    pageFiles.size === 0
      ? null
      : ({ occurrence, naturalKey }: KeyedLine) => occurrence === 1 || numbered.get(naturalKey) < occurrence
  const look = async () => ({
    missing: await findMissing(app.db, days, { ...search, isWanted: isFree }),
    candidates: await findMissing(app.db, [...parts.values()], { ...search, isWanted }),
  })
  const found = await look()
  if (pageFiles.size === 0 || found.missing.count + found.candidates.count === 0) return found
  await claimPages(app, scope, { fileIds: search.pageFiles, occurrences: null, numbered })
  return look()
}

type Part = ReadPart & { kind: 'part' } & { account: CollectingAccount | null }
type Handlers = {
  onPart: (part: Part) => Promise<void> | void
  onStatement: (statement: ReadStatement, account: CollectingAccount | null) => Promise<void> | void
}
type MakeHandlers = (preview: FilePreview) => Handlers
/**
 * `dated`: those of all statements. `days`: those of which the file must have every line, with pages that were imported before.
 * `parts`: those of which pages are still missing.
 */
type Days = { dated: Period[]; days: Period[]; parts: Map<string, Period>; pageFiles: Set<string> }
type Read = Days & { preview: FilePreview }

async function readFile(app: Deps, content: FileContent, options: FileOptions, make: MakeHandlers): Promise<Read> {
  try {
    return await readParts(app, content, options, make)
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    throw refuse('file_unreadable', { file: content.name, problem: fileNote(error.problem) })
  }
}

async function readParts(app: Deps, content: FileContent, options: FileOptions, make: MakeHandlers): Promise<Read> {
  const preview = await newPreview(app, content)
  const days: Days = { dated: [], days: [], parts: new Map(), pageFiles: new Set() }
  if (preview.already?.state === 'imported') return { preview, ...days }
  const { onPart, onStatement } = make(preview)
  const { profile, reader } = await openFile(content, options.profile)
  preview.profile = profile
  const accounts = await accountsByIban(app.db)
  const resolve = (head: StatementHead) => resolveAccount(accounts, head.account, options.account)
  const soFar = { last: new Map<string, Previous>(), inFile: [] as Known[], days }
  for await (const part of readInParts(reader(content.open()))) {
    if (part.kind === 'part') {
      await onPart({ ...part, account: resolve(part.head).account })
      continue
    }
    const { statement } = part
    preview.format = statement.head.format
    const found = resolve(statement.head)
    preview.statements.push(previewOf(statement, found.account, await isStored(app.db, found.account, statement)))
    await onStatement(statement, found.account)
    if (found.account === null) preview.findings.push({ severity: 'note', check: 'account', what: found.problem })
    else await addChecks(app, preview, { known: { account: found.account, statement }, options, ...soFar })
  }
  return { preview: { ...preview, ...sourceFindings(preview, options.connection) }, ...days }
}

type Checked = { known: Known; last: Map<string, Previous>; options: FileOptions; inFile: Known[]; days: Days }

async function addChecks(
  app: Deps,
  preview: FilePreview,
  { known, last, options, inFile, days }: Checked,
): Promise<void> {
  const { account, statement } = known
  const previous = last.get(account.id) ?? (await endBefore(app.db, known, options.earlier))
  const proving = { ...known, connection: options.connection }
  preview.findings.push(...(await checkStatement(app, account, statement, previous)))
  preview.findings.push(...(await proofFindings(app, proving, previous)))
  inFile.push(known)
  const period = statement.head.page
    ? await addPage(app, preview, { known, inFile, days })
    : await completeDays(app.db, account, statement, previous)
  if (period && !statement.head.page) days.days.push(period)
  const { fromDay, toDay } = statement
  if (fromDay === null || toDay === null) return
  days.dated.push(period ?? { collectingAccountId: account.id, fromDay, toDay })
  last.set(account.id, { toDay, closing: statement.foot.closing?.amount ?? null })
}

type AddedPage = Omit<Checked, 'last' | 'options'>

/** Pages are compared as one statement. Until all came, only to find lines that have another number. */
async function addPage(app: Deps, preview: FilePreview, { known, inFile, days }: AddedPage): Promise<Period | null> {
  const { account, statement } = known
  const pages = await pagesOf(app.db, known, inFile)
  preview.findings.push(...pageFindings(known, pages))
  const whole = isWhole(pages) ? wholeOf(statement, account, pages) : null
  const period = await completeDays(app.db, account, whole ?? statement, undefined)
  if (period === null) return null
  for (const { fileId } of pages) if (fileId !== null) days.pageFiles.add(fileId)
  const key = `${account.id}|${statement.head.id}`
  days.parts.delete(key)
  if (whole) days.days.push(period)
  else days.parts.set(key, period)
  return period
}
