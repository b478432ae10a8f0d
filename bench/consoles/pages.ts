import { DEPOSIT_STATUSES } from '../../packages/server/src/domain/deposits/index.ts'
import { OPEN_KINDS } from '../../packages/server/src/domain/statements/index.ts'
import { WITHDRAWAL_STATUSES } from '../../packages/server/src/domain/withdrawals/index.ts'

/** Words in braces are examples of each database: see examples.ts. A new page is a new line here. */
type Path = `/${string}` | ''

const ALL = 'from={first}&to={today}'
const OLD_DAY = 'from={oldDay}&to={oldDay}'

const listsOf = (list: string, statuses: readonly string[], old: string): Path[] => [
  `/${list}`,
  `/${list}${ALL}`,
  `/${list}${OLD_DAY}`,
  `/${list}${ALL}&before={${old}}`,
  ...statuses.flatMap((status): Path[] => [
    `/${list}${ALL}&status=${status}`,
    `/${list}${ALL}&status=${status}&before={${old}}`,
  ]),
]

/** Names and amounts that many transactions have, or few, or none. */
const SEARCHES: readonly Path[] = [
  '/search?q={code}',
  '/search?q={processId}',
  '/search?q={iban}',
  '/search?q={ibanTail}',
  '/search?q={amount}',
  '/search?q=500,00',
  '/search?q={customer}',
  '/search?q=Mehmet',
  '/search?q=Mehmet+500,00',
  '/search?q=I%C5%9F%C4%B1l',
  '/search?q=isil+yildirim',
  '/search?q=AY%C5%9EE+%C3%96ZT%C3%9CRK',
  '/search?q=yil',
  '/search?q=nobody+at+all',
]

export const OPERATOR_PAGES: readonly Path[] = [
  '',
  ...listsOf('transactions?kind=deposit&', DEPOSIT_STATUSES, 'deposit'),
  ...listsOf('transactions?kind=withdrawal&', WITHDRAWAL_STATUSES, 'withdrawal'),
  ...listsOf('transactions?kind=deposit&merchant={merchant}&', [], 'deposit'),
  ...listsOf('transactions?kind=deposit&merchant={smallMerchant}&', ['failed'], 'deposit'),
  '/transactions/{deposit}',
  '/transactions/{withdrawal}',
  '/transactions/{returned}',
  '/search?q={deposit}',
  '/search?q={withdrawal}',
  '/search?q={line}',
  '/search?q={number}',
  ...SEARCHES,
  '/matching',
  ...OPEN_KINDS.map((kind): Path => `/matching?kind=${kind}`),
  '/matching?direction=debit',
  '/matching?amount={openAmount}',
  '/matching/{openLine}',
  '/matching/{line}',
  '/unread',
  '/approvals',
  '/payouts',
  '/payouts/unseen',
  '/payouts/by-hand',
  '/payouts/files',
  '/payouts/files?state=cancelled',
  '/payouts/files/reports',
  '/accounts',
  '/statements',
  '/statements?before={file}',
  '/statements/{file}',
  '/statements/enter',
  '/books',
  '/books?before={oldDay}',
  '/books/{today}',
  '/books/exports',
  '/books/journal',
  '/merchants',
  '/merchants/{merchant}',
  '/banks',
]

export const MERCHANT_PAGES: readonly Path[] = [
  '',
  ...listsOf('deposits?', DEPOSIT_STATUSES, 'deposit'),
  ...listsOf('withdrawals?', WITHDRAWAL_STATUSES, 'withdrawal'),
  '/transactions/{ownDeposit}',
  '/transactions/{ownWithdrawal}',
  '/search?q={ownDeposit}',
  '/search?q={ownWithdrawal}',
  ...SEARCHES,
  '/callbacks',
  '/callbacks?state=waiting',
  '/callbacks?state=given_up',
  '/callbacks?before={position}',
  '/calls',
  '/calls?result=failed',
  '/calls?before={call}',
  '/calls/{call}',
  '/balance',
  '/balance?day={today}',
  '/balance?month={oldMonth}',
  '/links',
  '/links?before={link}',
  '/links/{link}',
  '/instructions',
  '/instructions?before={instruction}',
  '/instructions/{instruction}',
  '/developer',
  '/developer/endpoints/{endpoint}',
  '/team',
  '/brand',
]

/** Of a merchant with few transactions among those of all others. */
export const SMALL_MERCHANT_PAGES: readonly Path[] = ['', '/deposits', ...SEARCHES]
