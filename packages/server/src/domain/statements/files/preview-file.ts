import type { BankProfile, StatementFormat, StatementHead } from '@vezne/bank-formats'
import { BankFileError } from '@vezne/bank-formats'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { BankDirectory, CollectingAccount } from '../../banks/index.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { BankLine } from '../bank-line.ts'
import { isSuspected, judgeLines } from '../import-lines.ts'
import type { KeyedLine } from '../store.ts'
import type { Previous } from './check-statement.ts'
import { checkStatement } from './check-statement.ts'
import type { FoundAgain } from './found-again.ts'
import { lineProblem, toBankLine } from './file-line.ts'
import { fingerprint } from './keep-content.ts'
import { selectKnown } from './lines/store.ts'
import type { Missing } from './missing-lines.ts'
import { completeDays, findMissing, foundFindings, hasOthers, missingBefore, missingFindings } from './missing-lines.ts'
import type { FileContent } from './open-file.ts'
import { openFile } from './open-file.ts'
import { pageFindings } from './pages.ts'
import type { ReadPart, ReadStatement } from './read-in-parts.ts'
import { PART_LINES, readInParts } from './read-in-parts.ts'
import type { Placed } from './repeated-lines.ts'
import { newRepeats } from './repeated-lines.ts'
import { resolveAccount } from './resolve-account.ts'
import type { FileScope } from './same-booking.ts'
import { newScope } from './same-booking.ts'
import { sourceFindings } from './source-findings.ts'
import type { Finding, StatementFile } from './statement-file.ts'
import type { Period } from './store.ts'
import { findBySha } from './store.ts'

export type FileOptions = {
  /** Null: that of the account. */
  connection: string | null
  /** IBAN of the account, for a file that does not name it. */
  account: string | null
  /** Null: found by the content. */
  profile: BankProfile | null
}

type PreviewedStatement = Omit<ReadStatement, 'days' | 'head' | 'foot'> & {
  format: StatementFormat
  bankId: string | null
  /** Null for a statement of an account that is not ours. */
  account: CollectingAccount | null
  opening: bigint | null
  closing: bigint | null
}

/** What an import would do. `unread` lines are kept for a person; `pending` ones come again when they are booked. */
export type FilePreview = {
  name: string
  sha256: string
  size: number
  format: StatementFormat | null
  profile: BankProfile | null
  connection: string | null
  statements: PreviewedStatement[]
  findings: Finding[]
  counts: { lines: number; new: number; known: number; suspected: number; unread: number; pending: number }
  /** The same content, imported before or being imported. */
  already: StatementFile | null
}

export type CheckedFile = Omit<FilePreview, 'counts'>

export type Deps = { db: Db; clock: Clock; ids: Ids; banks: Pick<BankDirectory, 'holidays'> }
export type OnProgress = (lines: number) => void

/** Reads the whole file, compares it with what is stored, and stores nothing. */
export async function previewFile(
  app: Deps,
  content: FileContent,
  options: FileOptions,
  onProgress: OnProgress = () => undefined,
): Promise<FilePreview> {
  const first = await compareFile(app, content, options, { lost: [], onProgress })
  const lost = [...first.missing.lines, ...(await missingBefore(app.db, first.days, await app.banks.holidays()))]
  // Compared again: a line that is missing may be there with another number or day, if no line of the file has its own.
  const { preview, missing, found } =
    lost.length === 0 ? first : await compareFile(app, content, options, { lost, onProgress })
  preview.findings.push(...missingFindings(missing), ...foundFindings(found))
  return preview
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
  const { preview, days } = await readFile(app, content, options, () => ({ onPart, onStatement: () => undefined }))
  const isCompared = await hasOthers(app.db, days, preview.already?.id ?? '')
  const isMissing = isCompared || (await missingBefore(app.db, days, await app.banks.holidays())).length > 0
  return isMissing ? previewFile(app, content, options, onProgress) : preview
}

type Comparing = { lost: KeyedLine[]; onProgress: OnProgress }
type Compared = { preview: FilePreview; days: Period[]; missing: Missing; found: FoundAgain[] }

async function compareFile(
  app: Deps,
  content: FileContent,
  options: FileOptions,
  { lost, onProgress }: Comparing,
): Promise<Compared> {
  const known = { missing: lost, holidays: await app.banks.holidays() }
  let scope: FileScope | null = null as FileScope | null
  const { preview, days } = await readFile(app, content, options, ({ already, counts }) => {
    const repeats = newRepeats()
    let statements = 0
    const judge = async (head: StatementHead, account: CollectingAccount | null, lines: Placed[]) => {
      scope ??= newScope(already?.id ?? '', head.format, known)
      const source = options.connection ?? account?.connection ?? ''
      await countLines(app, counts, { source, lines: lines.map(({ line }) => line), scope })
    }
    return {
      onPart: async ({ head, account, lines }) => {
        const booked = lines.filter(({ status }) => status === 'booked')
        counts.lines += lines.length
        counts.pending += lines.length - booked.length
        const placed = booked.map((line) => ({ line: toBankLine(line, account?.iban ?? ''), at: line.position.line }))
        await judge(head, account, repeats.firsts(placed, statements))
        onProgress(counts.lines)
      },
      onStatement: async (statement, account) => {
        statements++
        for (const again of repeats.proven(statement)) await judge(statement.head, account, again)
      },
    }
  })
  preview.counts.known = preview.counts.lines - preview.counts.new - preview.counts.unread - preview.counts.pending
  const format = preview.format ?? 'camt.053'
  const missing = await findMissing(app.db, days, scope ?? newScope(preview.already?.id ?? '', format, known))
  return { preview, days, missing, found: scope?.found ?? [] }
}

type Part = ReadPart & { kind: 'part' } & { account: CollectingAccount | null }
type Handlers = {
  onPart: (part: Part) => Promise<void> | void
  onStatement: (statement: ReadStatement, account: CollectingAccount | null) => Promise<void> | void
}
type MakeHandlers = (preview: FilePreview) => Handlers
/** `days`: those of which the file must have every line. */
type Read = { preview: FilePreview; days: Period[] }

async function readFile(app: Deps, content: FileContent, options: FileOptions, make: MakeHandlers): Promise<Read> {
  try {
    return await readParts(app, content, options, make)
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    throw new Refusal('INVALID_STATE', `${content.name}, ${error.message}. Nothing was imported.`)
  }
}

async function readParts(app: Deps, content: FileContent, options: FileOptions, make: MakeHandlers): Promise<Read> {
  const preview = await newPreview(app, content)
  const days: Period[] = []
  if (preview.already?.state === 'imported') return { preview, days }
  const { onPart, onStatement } = make(preview)
  const { profile, reader } = await openFile(content, options.profile)
  preview.profile = profile
  const accounts = await accountsByIban(app.db)
  const resolve = (head: StatementHead) => resolveAccount(accounts, head.account, options.account)
  const last = new Map<string, Previous>()
  const heads: StatementHead[] = []
  for await (const part of readInParts(reader(content.open()))) {
    if (part.kind === 'part') {
      await onPart({ ...part, account: resolve(part.head).account })
      continue
    }
    const { statement } = part
    preview.format = statement.head.format
    const found = resolve(statement.head)
    preview.statements.push(previewOf(statement, found.account))
    await onStatement(statement, found.account)
    if (found.account === null) preview.findings.push({ severity: 'note', what: found.problem })
    else days.push(...(await addChecks(app, preview, { account: found.account, statement, last, heads })))
  }
  return { preview: { ...preview, ...sourceFindings(preview, options.connection) }, days }
}

async function newPreview(app: Deps, content: FileContent): Promise<FilePreview> {
  const { sha256, size } = await fingerprint(content)
  const already = (await findBySha(app.db, sha256)) ?? null
  const counts = { lines: 0, new: 0, known: 0, suspected: 0, unread: 0, pending: 0 }
  const unknown = { format: null, profile: null, connection: null, statements: [], findings: [] }
  return { name: content.name, sha256, size, ...unknown, counts, already }
}

type Checked = {
  account: CollectingAccount
  statement: ReadStatement
  last: Map<string, Previous>
  heads: StatementHead[]
}

/** Returns the days of which the statement must have every line. */
async function addChecks(
  app: Deps,
  preview: FilePreview,
  { account, statement, last, heads }: Checked,
): Promise<Period[]> {
  const previous = last.get(account.id)
  preview.findings.push(...(await checkStatement(app, account, statement, previous)))
  preview.findings.push(...(await pageFindings(app.db, account, statement, heads)))
  heads.push(statement.head)
  const complete = await completeDays(app.db, account, statement, previous)
  if (statement.toDay !== null)
    last.set(account.id, { toDay: statement.toDay, closing: statement.foot.closing?.amount ?? null })
  return complete === null ? [] : [complete]
}

type Counted = { source: string; lines: BankLine[]; scope: FileScope }

async function countLines(app: Deps, counts: FilePreview['counts'], { source, lines, scope }: Counted): Promise<void> {
  const readable = lines.filter((line) => lineProblem(line) === null)
  counts.unread += lines.length - readable.length
  for (let at = 0; at < readable.length; at += PART_LINES) {
    const some = readable.slice(at, at + PART_LINES)
    await app.db.transaction(async (tx) => {
      const { fresh, notBooked } = await judgeLines(app, tx, source, some, scope)
      const stored = fresh.length > 0 ? await selectKnown(tx, fresh) : []
      for (const id of stored) scope.claimed.add(id)
      counts.unread += notBooked.length
      counts.new += fresh.length - stored.length
      counts.suspected += fresh.filter(isSuspected).length
    })
  }
}

function previewOf(
  { days: _, head, foot, ...sums }: ReadStatement,
  account: CollectingAccount | null,
): PreviewedStatement {
  const { format, id: bankId, opening } = head
  return { ...sums, format, bankId, account, opening: opening?.amount ?? null, closing: foot.closing?.amount ?? null }
}
