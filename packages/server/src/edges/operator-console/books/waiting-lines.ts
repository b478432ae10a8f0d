import type { AccountProof } from '../../../domain/books/index.ts'
import { listOpenLines, listUnread } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { OperatorDeps } from '../kind.ts'
import type { Viewer } from '../page.ts'
import { writtenIn } from '../unread/written.ts'
import type { Cause } from './causes.ts'
import { causesOf } from './causes.ts'
import { DAY_WORDS } from './day-words.ts'

/** Lines of an account that are in no one's books until a person decides: the likely cause of what is not explained. */
export type WaitingLines = { count: number; sum: bigint; isFull: boolean; unread: number; causes: Cause[] }

/** More would be counted on the page of the lines. */
const MOST_COUNTED = 200

const differs = ({ unexplained, missingLines }: AccountProof) => unexplained !== 0n || (missingLines ?? 0n) !== 0n

export async function waitingLines(
  { db }: OperatorDeps,
  accounts: AccountProof[],
  day: string,
): Promise<ReadonlyMap<string, WaitingLines>> {
  const wanted = accounts.filter(differs)
  if (wanted.length === 0) return new Map()
  const ibans = (await listUnread(db.report)).map(({ raw }) => writtenIn(raw)?.account)
  const all = wanted.map(async (account) => {
    const { collectingAccountId: accountId, iban } = account
    const filter = { direction: null, amount: null, after: '', accountId }
    const open = await listOpenLines(db.report, { ...filter, kind: 'credits' }, MOST_COUNTED)
    const debits = await listOpenLines(db.report, { ...filter, kind: 'debits' }, MOST_COUNTED)
    // A debit to review is booked, unless it may repeat another.
    const lines = [...open, ...debits.filter(({ correctsLineId }) => correctsLineId !== null)]
    const sum = lines.reduce((total, { direction, amount }) => total + (direction === 'debit' ? -amount : amount), 0n)
    const unread = ibans.filter((one) => one === iban).length
    const causes = await causesOf(db.report, account, day)
    return [accountId, { count: lines.length, sum, isFull: open.length === MOST_COUNTED, unread, causes }] as const
  })
  return new Map(await Promise.all(all))
}

export function waitingNote(viewer: Viewer, account: AccountProof, waiting: WaitingLines | undefined): Html | false {
  if (!waiting || waiting.count + waiting.unread === 0) return false
  const words = DAY_WORDS[viewer.language]
  const { count, sum, isFull, unread } = waiting
  const review = words.linesToReview(`${count}${isFull ? '+' : ''}`, formatMoney(sum, account.currency))
  return html`<p class="note">
    ${words.likelyCause}
    ${count > 0 && html`<a href="${viewer.root}/matching?account=${account.collectingAccountId}">${review}</a>`}
    ${count > 0 && unread > 0 && '· '}${unread > 0 && html`<a href="${viewer.root}/unread">${words.unreadLines(unread)}</a>`}
  </p>`
}
