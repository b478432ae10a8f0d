import type { StatementHead } from '@vezne/bank-formats'
import { money } from '../../../kernel/refusals/facts.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { Finding, ImportedStatement } from './statement-file.ts'
import { isFinal } from './statement-file.ts'
import { selectOverlapping } from './store.ts'

type PageNumber = NonNullable<StatementHead['page']>
type Facts = Pick<ImportedStatement, 'opening' | 'closing' | 'fromDay' | 'toDay' | 'credits' | 'debits'>
/** `fileId`: null for a page of the file that is read. */
export type Page = PageNumber & Facts & { fileId: string | null }
export type Known = { statement: ReadStatement; account: CollectingAccount }
type Dated = { statement: Pick<ReadStatement, 'head' | 'fromDay' | 'toDay'>; account: CollectingAccount }

/** The bank's number of a statement as it is stored, with that of the page: `S1 page 1`, and for the last `S1 page 2 of 2`. */
export function bankIdOf({ id, page }: StatementHead): string | null {
  return page ? `${id ?? ''} page ${page.number}${page.isLast ? ` of ${page.number}` : ''}` : id
}

/** Each page of the statement once: of those in this file, or the one that was imported last. */
export async function pagesOf(db: Queryable, known: Dated, inFile: Known[]): Promise<Page[]> {
  const own = sameStatement(known, inFile).flatMap((one) => pageOf(one.statement))
  const pages = [...own, ...(await storedPages(db, known))]
  return [...new Map(pages.toReversed().map((page) => [page.number, page])).values()]
}

function sameStatement({ statement, account }: Dated, inFile: Known[]): Known[] {
  const { id } = statement.head
  return inFile.filter((one) => {
    const { head } = one.statement
    return head.page && head.id === id && one.account.id === account.id
  })
}

/** Of each statement with pages, its last one in the file. */
export function lastPages(inFile: Known[]): Known[] {
  return inFile.filter((one) => one.statement.head.page && sameStatement(one, inFile).at(-1) === one)
}

/** Pages of the same statement that were imported before, newest first. */
async function storedPages(db: Queryable, { statement, account }: Dated): Promise<Page[]> {
  const { head, fromDay, toDay } = statement
  if (fromDay === null || toDay === null) return []
  const others = await selectOverlapping(db, { collectingAccountId: account.id, fromDay, toDay })
  return others.flatMap((one) => {
    const [, id, number, last] = /^(.*) page (\d+)( of \d+)?$/s.exec(one.bankId ?? '') ?? []
    return id === (head.id ?? '') ? [{ ...one, number: Number(number), isLast: last !== undefined }] : []
  })
}

function pageOf({ head, foot, fromDay, toDay, credits, debits }: ReadStatement): Page[] {
  if (!head.page || fromDay === null || toDay === null) return []
  const balances = { opening: head.opening?.amount ?? null, closing: foot.closing?.amount ?? null }
  return [{ ...head.page, ...balances, fromDay, toDay, credits, debits, fileId: null }]
}

function missingBefore(number: number, pages: PageNumber[]): number[] {
  const known = new Set(pages.map((page) => page.number))
  return Array.from({ length: number - 1 }, (_, at) => at + 1).filter((one) => !known.has(one))
}

export function isWhole(pages: PageNumber[]): boolean {
  const last = pages.find(({ isLast }) => isLast)
  return last !== undefined && missingBefore(last.number, pages).length === 0
}

/** `pages`: those that came so far, with this one. */
export function pageFindings(known: Known, pages: Page[]): Finding[] {
  const { id, page } = known.statement.head
  if (!page) return []
  if (isWhole(pages)) return sumFindings(known, pages)
  const missing = missingBefore(page.number, pages)
  return [{ severity: 'note', what: note('finding_page_waits', { statement: id ?? '', page: page.number, missing }) }]
}

function sumFindings(known: Known, pages: Page[]): Finding[] {
  const { closing, expected } = balancesOfPages(known, pages) ?? {}
  if (closing === undefined || expected === undefined || closing === expected) return []
  const { currency } = known.account
  const sums = { closing: money(closing, currency), expected: money(expected, currency), pages: pages.length }
  const what = note('finding_pages_sum', { statement: known.statement.head.id ?? '', ...sums })
  return [{ severity: 'problem', what }]
}

/** `expected`: the opening balance and the lines of all pages. Null if there are no balances to compare. */
export function balancesOfPages({ statement, account }: Known, pages: Page[]) {
  const { head, foot } = wholeOf(statement, account, pages)
  if (!isFinal(head.format) || !head.opening || !foot.closing) return null
  const expected = pages.reduce((sum, { credits, debits }) => sum + credits - debits, head.opening.amount)
  return { closing: foot.closing.amount, expected }
}

/** `isPart`: pages of it are missing, or it is counted with a later page of the file. */
export type Joined = Known & { isPart: boolean }

/** The page that completes its statement has the opening balance of the first page, the closing balance of the last, and all days. */
export async function joinPages(tx: Tx, known: Known[]): Promise<Joined[]> {
  const joined: Joined[] = []
  for (const one of known) {
    const { statement, account } = one
    const pages = statement.head.page ? await pagesOf(tx, one, known) : []
    const isPart = statement.head.page !== undefined && (sameStatement(one, known).at(-1) !== one || !isWhole(pages))
    const isJoined = statement.head.page !== undefined && !isPart
    joined.push({ statement: isJoined ? wholeOf(statement, account, pages) : statement, account, isPart })
  }
  return joined
}

export function wholeOf(statement: ReadStatement, { currency }: CollectingAccount, pages: Page[]): ReadStatement {
  const fromDay = pages.map((page) => page.fromDay).toSorted()[0] ?? statement.fromDay
  const toDay =
    pages
      .map((page) => page.toDay)
      .toSorted()
      .at(-1) ?? statement.toDay
  const balance = (amount: bigint | null | undefined, on: string | null) =>
    typeof amount === 'bigint' && on !== null ? { amount, currency, on } : null
  const opening = balance(pages.find(({ number }) => number === 1)?.opening, fromDay)
  const closing = balance(pages.find(({ isLast }) => isLast)?.closing, toDay)
  return { ...statement, head: { ...statement.head, opening }, foot: { ...statement.foot, closing }, fromDay, toDay }
}
