import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { makeIban } from '../../../kernel/iban.ts'
import { DEFAULT_FAST_CAPS } from '../../banks/index.ts'
import { AKBANK, CAP, HOLIDAYS, source, ZIRAAT } from '../../../../../../test/harness/routes.ts'
import { routePayout } from './route.ts'
import type { FastCap, Route, PayoutAccount } from './route.ts'

const RECIPIENT = makeIban(ZIRAAT, '77')
const BIG = CAP + 1n

const holding = (id: string, balance: bigint) => source(id, { balance })

type Case = { amount?: bigint; currency?: string; at?: string; from?: PayoutAccount[]; caps?: readonly FastCap[] }

/** `at` is Istanbul time unless it ends with Z; default: a Monday at noon. The recipient is at Ziraat. */
function routed({
  amount = 100n,
  currency = 'TRY',
  at = '2026-06-15 12:00',
  from = [source('a')],
  caps,
}: Case): string {
  const now = new Date(at.endsWith('Z') ? at : `${at.replace(' ', 'T')}+03:00`)
  const payout = { iban: RECIPIENT, amount, currency }
  return told(routePayout(payout, from, now, HOLIDAYS, caps ?? DEFAULT_FAST_CAPS))
}

function told(route: Route): string {
  if (route.kind === 'wait') return `wait: ${route.why}`
  if (route.kind === 'send') return `${route.rail} from ${route.sourceId}`
  const istanbul = new Date(route.at.getTime() + 3 * 3_600_000).toISOString()
  return `eft at ${istanbul.slice(0, 16).replace('T', ' ')}`
}

function table(name: string, cases: [what: string, given: Case, expected: string][]): void {
  suite(name, () => {
    for (const [what, given, expected] of cases) test(what, () => assert.equal(routed(given), expected))
  })
}

const onDay = (at: string, amount: bigint): Case => ({ at, amount })
table('FAST by the cap of the day', [
  ['a small amount', { amount: 1n }, 'fast from a'],
  ['exactly the cap', { amount: CAP }, 'fast from a'],
  ['one kuruş above the cap', { amount: BIG }, 'eft from a'],
  ['exactly the cap at night', onDay('2026-06-15 03:00', CAP), 'fast from a'],
  ['exactly the cap on a Sunday', onDay('2026-06-14 12:00', CAP), 'fast from a'],
  ['exactly the cap on a holiday', onDay('2026-04-23 12:00', CAP), 'fast from a'],
  ['before FAST began', onDay('2021-01-07 12:00', 1n), 'eft from a'],
  ['50 TL on the first day', onDay('2021-01-08 12:00', 50_00n), 'fast from a'],
  ['50.01 TL on the first day', onDay('2021-01-08 12:00', 50_01n), 'eft from a'],
  ['1,000 TL the day before', onDay('2021-01-28 12:00', 1_000_00n), 'eft from a'],
  ['1,000 TL from its day', onDay('2021-01-29 12:00', 1_000_00n), 'fast from a'],
  ['2,000 TL the day before', onDay('2021-08-03 12:00', 2_000_00n), 'eft from a'],
  ['2,000 TL from its day', onDay('2021-08-04 12:00', 2_000_00n), 'fast from a'],
  ['5,000 TL the day before, a Sunday', onDay('2022-02-20 12:00', 5_000_00n), 'eft at 2022-02-21 08:00'],
  ['5,000 TL from its day', onDay('2022-02-21 12:00', 5_000_00n), 'fast from a'],
  ['50,000 TL the day before', onDay('2023-12-20 12:00', 50_000_00n), 'eft from a'],
  ['50,000 TL from its day', onDay('2023-12-21 12:00', 50_000_00n), 'fast from a'],
  ['100,000 TL the day before', onDay('2024-04-03 12:00', CAP), 'eft from a'],
  ['100,000 TL from its day', onDay('2024-04-04 12:00', CAP), 'fast from a'],
  ['a new cap at 23:59 of the day before', onDay('2024-04-03 23:59', CAP), 'eft at 2024-04-04 08:00'],
  ['a new cap at 00:00 Istanbul, still yesterday in UTC', onDay('2024-04-03T21:00:00Z', CAP), 'fast from a'],
  ['one second before that', onDay('2024-04-03T20:59:59Z', CAP), 'eft at 2024-04-04 08:00'],
  ['no caps known: no FAST', { amount: 1n, caps: [] }, 'eft from a'],
  ['caps in any order', { amount: CAP, caps: DEFAULT_FAST_CAPS.toReversed() }, 'fast from a'],
  ['a cap to come is not yet one', { amount: 2n, caps: [{ from: '2026-06-16', amount: 9n }] }, 'eft from a'],
  [
    'a cap that went down',
    { amount: 5n, caps: [...DEFAULT_FAST_CAPS, { from: '2026-06-15', amount: 4n }] },
    'eft from a',
  ],
])

const big = (at: string): Case => ({ at, amount: BIG })
table('EFT inside our cut-offs, else at its next opening', [
  ['07:59', big('2026-06-15 07:59'), 'eft at 2026-06-15 08:00'],
  ['one second before 08:00', big('2026-06-15 07:59:59'), 'eft at 2026-06-15 08:00'],
  ['08:00 sharp', big('2026-06-15 08:00'), 'eft from a'],
  ['16:29', big('2026-06-15 16:29'), 'eft from a'],
  ['one second before 16:30', big('2026-06-15 16:29:59'), 'eft from a'],
  ['16:30', big('2026-06-15 16:30'), 'eft at 2026-06-16 08:00'],
  ['17:29, EFT runs but banks may not', big('2026-06-15 17:29'), 'eft at 2026-06-16 08:00'],
  ['17:30', big('2026-06-15 17:30'), 'eft at 2026-06-16 08:00'],
  ['23:59', big('2026-06-15 23:59'), 'eft at 2026-06-16 08:00'],
  ['00:00', big('2026-06-16 00:00'), 'eft at 2026-06-16 08:00'],
  ['00:00 Istanbul on Saturday is Friday in UTC', big('2026-06-19T21:00:00Z'), 'eft at 2026-06-22 08:00'],
  ['00:00 UTC is 03:00 in Istanbul', big('2026-06-16T00:00:00Z'), 'eft at 2026-06-16 08:00'],
  ['00:00 Istanbul on Monday is Sunday in UTC', big('2026-06-14T21:00:00Z'), 'eft at 2026-06-15 08:00'],
  ['05:00 UTC opens in winter', big('2026-01-12T05:00:00Z'), 'eft from a'],
  ['05:00 UTC opens in summer', big('2026-07-13T05:00:00Z'), 'eft from a'],
  ['13:30 UTC is the cut-off in winter', big('2026-01-12T13:30:00Z'), 'eft at 2026-01-13 08:00'],
  ['04:59 UTC after Europe changed its clocks', big('2026-03-30T04:59:00Z'), 'eft at 2026-03-30 08:00'],
  ['Friday 16:29', big('2026-06-19 16:29'), 'eft from a'],
  ['Friday 16:30', big('2026-06-19 16:30'), 'eft at 2026-06-22 08:00'],
  ['Saturday noon', big('2026-06-20 12:00'), 'eft at 2026-06-22 08:00'],
  ['Saturday 07:00', big('2026-06-20 07:00'), 'eft at 2026-06-22 08:00'],
  ['Sunday 23:59', big('2026-06-21 23:59'), 'eft at 2026-06-22 08:00'],
  ['a holiday in mid-week', big('2026-07-15 12:00'), 'eft at 2026-07-16 08:00'],
  ['a holiday before 08:00', big('2026-07-15 07:00'), 'eft at 2026-07-16 08:00'],
  ['the evening before a holiday', big('2026-07-14 18:00'), 'eft at 2026-07-16 08:00'],
  ['a holiday on Friday, then the weekend', big('2026-05-01 10:00'), 'eft at 2026-05-04 08:00'],
  ['the evening before a holiday on Friday', big('2026-04-30 16:30'), 'eft at 2026-05-04 08:00'],
  ['half day 07:59', big('2026-10-28 07:59'), 'eft at 2026-10-28 08:00'],
  ['half day 08:00', big('2026-10-28 08:00'), 'eft from a'],
  ['half day 12:29', big('2026-10-28 12:29'), 'eft from a'],
  ['half day 12:30, the holiday follows', big('2026-10-28 12:30'), 'eft at 2026-10-30 08:00'],
  ['half day 13:00', big('2026-10-28 13:00'), 'eft at 2026-10-30 08:00'],
  ['the evening before a half day', big('2026-10-27 16:30'), 'eft at 2026-10-28 08:00'],
  ['half day into a feast and its weekend', big('2026-03-19 12:30'), 'eft at 2026-03-23 08:00'],
  ['half day into three days and a weekend', big('2026-05-26 12:30'), 'eft at 2026-06-01 08:00'],
  ['a half day on a Saturday is a Saturday', big('2027-05-15 09:00'), 'eft at 2027-05-20 08:00'],
  ['Friday evening before that feast', big('2027-05-14 16:30'), 'eft at 2027-05-20 08:00'],
  ['year end before the cut-off', big('2026-12-31 16:29'), 'eft from a'],
  ['year end, then a Friday off and a weekend', big('2026-12-31 16:30'), 'eft at 2027-01-04 08:00'],
  ['year end in the middle of the week', big('2025-12-31 16:30'), 'eft at 2026-01-02 08:00'],
  ['midnight of the new year in Istanbul', big('2025-12-31T21:00:00Z'), 'eft at 2026-01-02 08:00'],
  ['the end of February in a leap year', big('2028-02-28 16:30'), 'eft at 2028-02-29 08:00'],
])

const home = (id: string, changes: Partial<PayoutAccount> = {}) => source(id, { bank: ZIRAAT, ...changes })
table('havale from an account at the same bank', [
  ['a small amount', { from: [home('h')] }, 'havale from h'],
  ['at 3 a.m. on a Sunday', { ...big('2026-06-14 03:00'), from: [home('h')] }, 'havale from h'],
  ['on a holiday', { ...big('2026-04-23 12:00'), from: [home('h')] }, 'havale from h'],
  ['far above the cap', { amount: 9_000_000_00n, from: [home('h')] }, 'havale from h'],
  ['before larger accounts elsewhere', { from: [source('a'), home('h', { balance: 100n })] }, 'havale from h'],
  ['the largest of two', { from: [home('g', { balance: 100n }), home('h', { balance: 101n })] }, 'havale from h'],
  ['not without the funds', { from: [source('a'), home('h', { balance: 99n })] }, 'fast from a'],
  ['not beyond its limit', { from: [source('a'), home('h', { dailySendLimit: 99n })] }, 'fast from a'],
  ['not from a blocked one', { from: [source('a'), home('h', { state: 'blocked' })] }, 'fast from a'],
  ['not in another currency', { from: [source('a'), home('h', { currency: 'EUR' })] }, 'fast from a'],
  ['not by like digits elsewhere', { from: [{ ...source('a'), iban: makeIban(AKBANK, '10') }] }, 'fast from a'],
])

const euros = (from: PayoutAccount[], amount = 100n): Case => ({ currency: 'EUR', amount, from })
const EUR = { currency: 'EUR' }
table('another currency leaves by havale only: FAST and EFT carry TRY', [
  ['from an account of it at the same bank', euros([source('a', EUR), home('h', EUR)]), 'havale from h'],
  ['far above the cap', euros([home('h', EUR)], 9_000_000_00n), 'havale from h'],
  ['accounts of it at other banks only', euros([source('a', EUR), home('t')]), 'wait: no_rail'],
  ['no funds at the same bank', euros([source('a', EUR), home('h', { ...EUR, balance: 99n })]), 'wait: no_funds'],
])

const spent = (sentToday: bigint, dailySendLimit: bigint | null) => source('s', { sentToday, dailySendLimit })
table('which account may send', [
  ['none at all', { from: [] }, 'wait: no_account'],
  ['only a blocked one', { from: [source('b', { state: 'blocked' })] }, 'wait: no_account'],
  ['only a blocked one at the same bank', { from: [home('b', { state: 'blocked' })] }, 'wait: no_account'],
  ['only in another currency', { from: [source('e', { currency: 'EUR' })] }, 'wait: no_account'],
  ['a payout in another currency', { currency: 'EUR' }, 'wait: no_account'],
  ['only one whose connection is not here', { from: [source('a', { connection: null })] }, 'wait: no_connection'],
  ['the next when its connection is not here', { from: [home('h', { connection: null }), source('a')] }, 'fast from a'],
  ['a paused one', { from: [source('p', { state: 'paused' })] }, 'fast from p'],
  ['a draining one', { from: [source('d', { state: 'draining' })] }, 'fast from d'],
  [
    'a paused one with more than an active one',
    { from: [holding('a', 100n), source('p', { state: 'paused' })] },
    'fast from p',
  ],
  ['the recipient is an account of ours', { from: [source('a'), home('o', { iban: RECIPIENT })] }, 'wait: own_account'],
  ['balance equal to the amount', { from: [holding('a', 100n)] }, 'fast from a'],
  ['one kuruş short', { from: [holding('a', 99n)] }, 'wait: no_funds'],
  ['two that would do only together', { from: [holding('a', 60n), holding('b', 60n)] }, 'wait: no_funds'],
  ['funds only on a blocked one', { from: [holding('a', 1n), source('b', { state: 'blocked' })] }, 'wait: no_funds'],
  [
    'funds only on one whose connection is not here',
    { from: [holding('a', 1n), source('b', { connection: null })] },
    'wait: no_connection',
  ],
  ['exactly up to the limit', { from: [spent(400n, 500n)] }, 'fast from s'],
  ['the only account is stopped', { from: [source('a', { stoppedBy: 'books_differ' })] }, 'wait: books_differ'],
  [
    'another account is not stopped',
    { from: [source('a', { stoppedBy: 'books_differ' }), source('b')] },
    'fast from b',
  ],
  ['one kuruş beyond the limit', { from: [spent(401n, 500n)] }, 'wait: daily_limit'],
  ['much sent without a limit', { from: [spent(10n ** 15n, null)] }, 'fast from s'],
  ['a limit of zero', { from: [spent(0n, 0n)] }, 'wait: daily_limit'],
  ['a limit lowered below what was sent', { from: [spent(900n, 500n)] }, 'wait: daily_limit'],
  ['neither funds nor limit', { from: [source('s', { balance: 1n, dailySendLimit: 0n })] }, 'wait: no_funds'],
  ['limit on one, no funds on the other', { from: [spent(0n, 1n), holding('a', 1n)] }, 'wait: daily_limit'],
  ['the next when the largest is at its limit', { from: [spent(0n, 1n), holding('a', 100n)] }, 'fast from a'],
  ['no schedule beyond the limit', { ...big('2026-06-14 12:00'), from: [spent(0n, CAP)] }, 'wait: daily_limit'],
  ['no schedule without funds', { ...big('2026-06-14 12:00'), from: [holding('a', CAP)] }, 'wait: no_funds'],
])

table('among equals', [
  ['the largest balance', { from: [holding('a', 100n), holding('b', 101n)] }, 'fast from b'],
  ['then the first id', { from: [source('b'), source('a'), source('c')] }, 'fast from a'],
  ['then the first id, for EFT', { amount: BIG, from: [source('b'), source('a')] }, 'eft from a'],
  ['then the first id, for havale', { from: [source('0'), home('b'), home('a')] }, 'havale from a'],
  [
    'balances that a double cannot tell apart',
    { from: [holding('a', 2n ** 53n), holding('b', 2n ** 53n + 1n)] },
    'fast from b',
  ],
])
