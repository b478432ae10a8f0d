import type { StatementHead } from '@vezne/bank-formats'
import { istanbul } from '../../../kernel/istanbul.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { naturalKey } from '../bank-line.ts'
import type { CountDeps } from './count-lines.ts'
import { claimPages, readPages } from './count-lines.ts'
import { toBankLine } from './file-line.ts'
import { hashCounts } from './hash-counts.ts'
import type { Known, Page } from './pages.ts'
import { balancesOfPages, isWhole, lastPages, pagesOf } from './pages.ts'
import { PART_LINES } from './read-in-parts.ts'
import type { Placed } from './repeated-lines.ts'
import type { FileScope } from './same-booking.ts'
import type { Finding, StatementFile } from './statement-file.ts'

type Repeat = Placed & { count: number; pages: Set<number> }
/** `pages`: those that were read. `proven`: second and further bookings of equal lines. `fileIds`: other files with pages. */
export type PageRepeats = { pages: string; proven: Placed[]; fileIds: string[]; findings: Finding[] }

/** Tells whether another page came. */
export async function pagesKey(db: Queryable, known: Known[]): Promise<string> {
  const all = await Promise.all(lastPages(known).map((one) => pagesOf(db, one, known)))
  return JSON.stringify(all.map((pages) => pages.map(({ number, fileId }) => `${number} ${fileId}`).toSorted()))
}

/**
 * Numbered lines that several pages of a statement have with equal data: written twice or booked twice. Only the balances of all
 * pages tell, so they are booked with the page that completes the statement. Not of a file that two people approved: the preview of
 * one page cannot show them.
 */
export async function repeatsOnPages(app: CountDeps, file: StatementFile, known: Known[]): Promise<PageRepeats> {
  const isApproved = file.approvedSha256 !== null
  const found: PageRepeats = { pages: await pagesKey(app.db, known), proven: [], fileIds: [], findings: [] }
  for (const one of lastPages(known)) {
    const pages = await pagesOf(app.db, one, known)
    const repeats = await repeatedLines(app, file, one, pages)
    if (repeats.length === 0) continue
    const balances = isWhole(pages) ? balancesOfPages(one, pages) : null
    const isProven = balances !== null && balances.closing === balances.expected
    found.findings.push(findingOf(one, repeats, isApproved ? 'not_seen' : fateOf(isWhole(pages), isProven)))
    if (!isProven || isApproved) continue
    found.fileIds.push(...pages.flatMap(({ fileId }) => fileId ?? []))
    for (const { line, at, count } of repeats)
      for (let occurrence = 2; occurrence <= count; occurrence++)
        found.proven.push({ line: { ...line, occurrence }, at })
  }
  return found
}

export function inParts(lines: Placed[]): Placed[][] {
  const count = Math.ceil(lines.length / PART_LINES)
  return Array.from({ length: count }, (_, at) => lines.slice(at * PART_LINES, (at + 1) * PART_LINES))
}

/** Each page is read once, from the file of which `pages` has it. */
async function repeatedLines(app: CountDeps, own: StatementFile, { statement, account }: Known, pages: Page[]) {
  const [counts, firstPage] = [hashCounts(), hashCounts()]
  const repeats = new Map<string, Repeat>()
  const fileOf = new Map(pages.map(({ number, fileId }) => [number, fileId ?? own.id]))
  const heads = new Map<number, unknown>()
  for await (const { file, head, accountIban, lines } of readPages(app, [...new Set(fileOf.values())])) {
    const { number } = head.page
    if (head.id !== statement.head.id || accountIban !== account.iban || fileOf.get(number) !== file.id) continue
    if ((heads.get(number) ?? head) !== head) continue
    heads.set(number, head)
    for (const read of lines) {
      const line = toBankLine(read, accountIban)
      if (!line.bankReference) continue
      const key = naturalKey(line)
      const count = counts.get(key) + 1
      counts.set(key, count)
      if (count === 1) firstPage.set(key, number)
      else {
        const { pages: known } = repeats.get(key) ?? { pages: new Set([firstPage.get(key)]) }
        repeats.set(key, { line, at: read.position.line, count, pages: known.add(number) })
      }
    }
  }
  return [...repeats.values()]
}

type Fate = 'booked' | 'waits' | 'unproven' | 'not_seen'

function fateOf(whole: boolean, isProven: boolean): Fate {
  if (isProven) return 'booked'
  return whole ? 'unproven' : 'waits'
}

const MAX_NAMED = 20

function findingOf({ statement, account }: Known, repeats: Repeat[], fate: Fate): Finding {
  const named = repeats.slice(0, MAX_NAMED).map(({ line, pages }) => {
    const different = [...pages].toSorted((a, b) => a - b)
    const amount = money(line.direction === 'debit' ? -line.amount : line.amount, account.currency)
    return note('finding_repeat', { number: line.bankReference ?? '', amount, pages: different })
  })
  const of = { statement: statement.head.id ?? '', more: repeats.length - named.length, fate }
  return { severity: 'note', what: note('finding_repeats', { ...of, repeats: named }), atImport: true }
}

type Part = { head: StatementHead; account: CollectingAccount | null; lines: Placed[] }

/**
 * Equal lines without a number on several pages are several payments. Before the first such line of a page, those of the pages that
 * were imported before are counted. Called for each part.
 */
export function newPageCounts(app: CountDeps): (scope: FileScope, part: Part) => Promise<void> {
  const counted = new WeakSet<StatementHead>()
  return async (scope, { head, account, lines }) => {
    if (!head.page || !account || counted.has(head) || lines.every(({ line }) => line.bankReference)) return
    counted.add(head)
    const days = lines.map(({ line }) => istanbul(line.bookedAt).day).toSorted()
    const statement = { head, fromDay: days[0] ?? null, toDay: days.at(-1) ?? null }
    const others = await pagesOf(app.db, { statement, account }, [])
    const fileIds = others.flatMap(({ number, fileId }) => (number === head.page?.number ? [] : (fileId ?? [])))
    await claimPages(app, scope, { fileIds, occurrences: scope.occurrences })
  }
}
