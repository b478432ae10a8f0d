import type { StatementHead } from '@vezne/bank-formats'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { Finding, ImportedStatement } from './statement-file.ts'
import { selectOverlapping } from './store.ts'

type PageNumber = NonNullable<StatementHead['page']>
type Page = PageNumber & Pick<ImportedStatement, 'opening' | 'closing' | 'fromDay' | 'toDay'>

/** The bank's number of a statement as it is stored, with that of the page: `S1 page 1`, and for the last `S1 page 2 of 2`. */
export function bankIdOf({ id, page }: StatementHead): string | null {
  return page ? `${id ?? ''} page ${page.number}${page.isLast ? ` of ${page.number}` : ''}` : id
}

/** Pages of the same statement that were imported before. */
async function storedPages(db: Queryable, accountId: string, statement: ReadStatement): Promise<Page[]> {
  const { head, fromDay, toDay } = statement
  if (fromDay === null || toDay === null) return []
  const others = await selectOverlapping(db, { collectingAccountId: accountId, fromDay, toDay })
  return others.flatMap((one) => {
    const [, id, number, last] = /^(.*) page (\d+)( of \d+)?$/s.exec(one.bankId ?? '') ?? []
    return id === (head.id ?? '') ? [{ ...one, number: Number(number), isLast: last !== undefined }] : []
  })
}

function missingBefore(number: number, pages: PageNumber[]): number[] {
  const known = new Set(pages.map((page) => page.number))
  return Array.from({ length: number - 1 }, (_, at) => at + 1).filter((one) => !known.has(one))
}

function isWhole(pages: PageNumber[]): boolean {
  const last = pages.find(({ isLast }) => isLast)
  return last !== undefined && missingBefore(last.number, pages).length === 0
}

/** `inFile`: statements that came before in the same file. */
export async function pageFindings(
  db: Queryable,
  account: CollectingAccount,
  statement: ReadStatement,
  inFile: StatementHead[],
): Promise<Finding[]> {
  const { id, page } = statement.head
  if (!page) return []
  const isSame = (head: StatementHead) => head.id === id && head.account.iban === statement.head.account.iban
  const others = inFile.flatMap((head) => (isSame(head) && head.page ? [head.page] : []))
  const pages = [...(await storedPages(db, account.id, statement)), ...others, page]
  const missing = missingBefore(page.number, pages)
  if (missing.length > 0)
    return [
      {
        severity: 'problem',
        what: `page ${page.number} of statement ${id} came without page ${missing.join(', ')}: import that first`,
      },
    ]
  const waits = `page ${page.number} of statement ${id}: its days count as read, and its balances are kept, once the last page came`
  return isWhole(pages) ? [] : [{ severity: 'note', what: waits }]
}

type Known = { statement: ReadStatement; account: CollectingAccount }
/** `isPart`: pages of it are missing, or it is counted with a later page of the file. */
export type Joined = Known & { isPart: boolean }

/** The page that completes its statement has the opening balance of the first page, the closing balance of the last, and all days. */
export async function joinPages(tx: Tx, known: Known[]): Promise<Joined[]> {
  const joined: Joined[] = []
  for (const { statement, account } of known) {
    const { page, id } = statement.head
    const inFile = known.filter(({ statement: { head }, ...one }) => {
      return head.page && head.id === id && one.account.id === account.id
    })
    const pages = page
      ? [...(await storedPages(tx, account.id, statement)), ...inFile.flatMap((one) => pageOf(one.statement))]
      : []
    const isPart = page !== undefined && (inFile.at(-1)?.statement !== statement || !isWhole(pages))
    joined.push({ statement: page && !isPart ? wholeOf(statement, account, pages) : statement, account, isPart })
  }
  return joined
}

function pageOf({ head, foot, fromDay, toDay }: ReadStatement): Page[] {
  if (!head.page || fromDay === null || toDay === null) return []
  const balances = { opening: head.opening?.amount ?? null, closing: foot.closing?.amount ?? null }
  return [{ ...head.page, ...balances, fromDay, toDay }]
}

function wholeOf(statement: ReadStatement, { currency }: CollectingAccount, pages: Page[]): ReadStatement {
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
