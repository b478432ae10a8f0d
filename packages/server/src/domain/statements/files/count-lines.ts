import type { StatementHead } from '@vezne/bank-formats'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { BankLine } from '../bank-line.ts'
import { naturalKey } from '../bank-line.ts'
import type { Judged } from '../entered/replace-entered.ts'
import { keyOf, selectStoredKeys } from '../entered/store.ts'
import type { NotBooked } from '../import-lines.ts'
import { isSuspected, judgeLines } from '../import-lines.ts'
import { lineProblem, toBankLine } from './file-line.ts'
import { keptContent } from './keep-content.ts'
import { selectKnown } from './lines/store.ts'
import { readerOf } from './open-file.ts'
import type { ReadLine } from './read-in-parts.ts'
import { PART_LINES, readInParts } from './read-in-parts.ts'
import { resolveAccount } from './resolve-account.ts'
import type { FileScope } from './same-booking.ts'
import { newScope } from './same-booking.ts'
import type { StatementFile } from './statement-file.ts'
import { findFile } from './store.ts'
import type { Counts as Occurrences } from './hash-counts.ts'

export type CountDeps = { db: Db; clock: Clock; ids: Ids }
type Counted = { source: string; lines: BankLine[]; scope: FileScope }
type Sum = { count: number; sum: bigint }
/** More are read in the file itself. */
const MAX_LISTED = 200
/** New lines and their money. */
export type Added = { credit: Sum; debit: Sum }
type Counts = { new: number; suspected: number; added: Added; lines: Judged[]; notBooked: NotBooked[] }

const nothingAdded = (): Added => ({ credit: { count: 0, sum: 0n }, debit: { count: 0, sum: 0n } })

/** Compares lines with stored ones, which the scope then has as claimed, and stores nothing. */
export async function countLines(
  app: CountDeps,
  { source, lines, scope }: Counted,
  onNew: (line: Judged) => void = () => undefined,
): Promise<Counts> {
  const readable = lines.filter((line) => lineProblem(line) === null)
  const counts = {
    new: 0,
    suspected: 0,
    added: nothingAdded(),
    lines: [] as Judged[],
    notBooked: lines.flatMap((line): NotBooked[] => {
      const why = lineProblem(line)
      return why === null ? [] : [{ line, why }]
    }),
  }
  for (let at = 0; at < readable.length; at += PART_LINES) {
    const some = readable.slice(at, at + PART_LINES)
    await app.db.transaction(async (tx) => {
      const { fresh, notBooked } = await judgeLines(app, tx, source, some, scope)
      const stored = fresh.length > 0 ? await selectKnown(tx, fresh) : []
      for (const id of stored) scope.claimed.add(id)
      counts.notBooked.push(...notBooked)
      counts.new += fresh.length - stored.length
      counts.suspected += fresh.filter(isSuspected).length
      for (const line of fresh) onNew(line)
      const known = stored.length > 0 ? await selectStoredKeys(tx, fresh) : new Set<string>()
      const added = fresh.filter((line) => !known.has(keyOf(line)))
      for (const line of added) addTo(counts.added[line.direction], line.amount)
      counts.lines.push(...added)
    })
  }
  return counts
}

function addTo(to: Sum, sum: bigint, count = 1): void {
  to.count += count
  to.sum += sum
}

/** What a preview has counted so far. */
type SoFar = {
  counts: { new: number; suspected: number; unread: number }
  added: Record<string, Added>
  newLines: Judged[]
  unreadLines: NotBooked[]
}

/** Of an account of a file. */
export function addCounts({ counts, added, newLines, unreadLines }: SoFar, iban: string, of: Counts): void {
  counts.new += of.new
  counts.suspected += of.suspected
  counts.unread += of.notBooked.length
  addSums((added[iban] ??= nothingAdded()), of.added)
  newLines.push(...of.lines.slice(0, MAX_LISTED - newLines.length))
  unreadLines.push(...of.notBooked.slice(0, MAX_LISTED - unreadLines.length))
}

function addSums(to: Added, { credit, debit }: Added): void {
  addTo(to.credit, credit.sum, credit.count)
  addTo(to.debit, debit.sum, debit.count)
}

/** `occurrences`: to which their lines without a number are added. Null: each is counted for itself. `numbered`: the others. */
type Pages = { fileIds: string[]; occurrences: Occurrences | null; numbered?: Occurrences }

/** Reads pages again that were imported before, so that the stored lines that they have are claimed too. */
export async function claimPages(app: CountDeps, whole: FileScope, pages: Pages): Promise<void> {
  const { fileIds, occurrences, numbered } = pages
  for (const id of fileIds) {
    let scope: FileScope | null = null
    for await (const { file, accountIban, lines: read } of readPages(app, [id])) {
      scope ??= pageScope(file, whole, occurrences)
      const lines = read.map((line) => toBankLine(line, accountIban))
      if (numbered) for (const line of lines) countNumbered(numbered, line)
      await countLines(app, { source: file.connection, lines, scope })
    }
  }
}

export function countNumbered(counts: Occurrences, line: BankLine): void {
  const key = naturalKey(line)
  if (line.bankReference) counts.set(key, counts.get(key) + 1)
}

function pageScope({ id, format }: StatementFile, whole: FileScope, occurrences: Occurrences | null): FileScope {
  const own = newScope(id, format, { missing: [], holidays: whole.holidays })
  return { ...own, claimed: whole.claimed, occurrences: occurrences ?? own.occurrences }
}

type PagePart = {
  file: StatementFile
  head: StatementHead & { page: NonNullable<StatementHead['page']> }
  accountIban: string
  lines: ReadLine[]
}

/** The booked lines of the pages that stored files have, in parts. */
export async function* readPages({ db }: { db: Db }, fileIds: string[]): AsyncGenerator<PagePart> {
  const accounts = await accountsByIban(db)
  for (const id of fileIds) {
    const file = await findFile(db, id)
    if (!file) continue
    for await (const part of readInParts(readerOf(file.format, file.profile)(keptContent(db, id)))) {
      const { page } = part.kind === 'part' ? part.head : {}
      if (part.kind === 'statement' || !page) continue
      const accountIban = resolveAccount(accounts, part.head.account, file.accountIban).account?.iban ?? ''
      const lines = part.lines.filter(({ status }) => status === 'booked')
      // The same object for all parts of a page.
      yield { file, head: part.head as PagePart['head'], accountIban, lines }
    }
  }
}
