import assert from 'node:assert/strict'
import { findCandidates } from '../../packages/server/src/domain/books/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { StoredLine } from '../../packages/server/src/domain/statements/index.ts'
import { selectLinesById } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { startBankDays } from './bank-days.ts'

type Days = Awaited<ReturnType<typeof startBankDays>>
/** As the simulated bank lists it (docs/cli.md, `vezne sim day`). */
export type Discrepancy = {
  number: number
  kind: string
  account: string
  day: string
  amount: number
  bankNumbers: string[]
  original: string | null
  reference: string | null
  otherAccount: string | null
  before: { amount: number; day: string } | null
  text: string
}

/** What our side shows about discrepancies of the bank. */
export function discrepancyDesk({ app, accounts }: Days) {
  const accountOf = (iban: string | null) => accounts.find((one) => one.iban === iban)?.id
  const withNumbers = async (numbers: (string | null)[], iban: string | null) => {
    const rows = await app.db.query<{ id: string }>(sql`
      select id from bank_lines
      where bank_reference = any(${numbers}::text[]) and collecting_account_id = ${accountOf(iban) ?? null}`)
    return selectLinesById(
      app.db,
      rows.map(({ id }) => id),
    )
  }

  const linesAbout = async (one: Discrepancy) => [
    ...(await withNumbers(one.bankNumbers, one.account)),
    ...(one.kind === 'own_transfer' ? await withNumbers(one.bankNumbers, one.otherAccount) : []),
  ]
  const shown = (lines: StoredLine[]) => lines.map(({ direction, state, reason }) => `${direction} ${state} ${reason}`)

  /** In which ways a discrepancy may show itself, in words of ours. */
  const SHOWS: Record<string, string[][]> = {
    transfer_charge: [['debit needs_review outgoing', 'debit needs_review outgoing']],
    monthly_charge: [['debit needs_review outgoing', 'debit needs_review outgoing']],
    interest: [['credit suspense no_reference']],
    own_transfer: [['debit needs_review outgoing', 'credit suspense own_transfer']],
    wrong_account: [['credit suspense no_reference'], ['credit suspense unknown_reference']],
    foreign_currency: [['credit suspense no_reference'], ['credit suspense unknown_reference']],
    paid_twice: [['credit matched exact', 'credit suspense duplicate']],
    listed_twice: [['credit matched exact'], ['debit matched payout_sent']],
    late_listing: [['credit matched exact'], ['debit matched payout_sent']],
    // The first wording was in the books before, or the corrected one is all that we have seen.
    correction_amount: [
      ['credit matched exact', 'credit needs_review suspected_correction'],
      ['credit suspense short'],
      ['credit suspense over'],
    ],
    correction_date: [['credit matched exact', 'credit needs_review suspected_correction'], ['credit matched exact']],
    return: [['credit matched payout_returned']],
    // The bank does not say which payout came back.
    return_less_costs: [['credit suspense no_reference']],
    return_other_account: [['credit suspense no_reference']],
    storno: [['debit needs_review outgoing']],
  }

  /** Fails if nothing names it. */
  async function mustBeNamed(one: Discrepancy): Promise<void> {
    const lines = await linesAbout(one)
    const pair = one.kind === 'paid_twice' ? await withNumbers([one.original], one.account) : []
    const found = shown([...lines, ...pair]).toSorted()
    const ways = (SHOWS[one.kind] ?? []).map((way) => way.toSorted().join(', '))
    assert.ok(ways.includes(found.join(', ')), `${one.kind} shows as ${found.join(', ') || 'nothing'}`)
    if (one.kind === 'return') assert.equal((await findPayout(app.db, one.reference ?? ''))?.state, 'returned')
    const wanted = await otherSideOf(one, lines)
    const offered = wanted && lines[0] ? (await findCandidates(app, lines[0])).map(({ id }) => id) : []
    assert.ok(wanted === null || offered.includes(wanted), `${one.kind} is not offered ${wanted}`)
  }

  /** What people must be offered as an explanation; null: nothing has its amount. */
  async function otherSideOf(one: Discrepancy, lines: StoredLine[]): Promise<string | null> {
    if (one.kind === 'return_other_account') return one.reference
    if (one.kind === 'own_transfer') return lines[1]?.id ?? ''
    if (one.kind === 'storno') return (await withNumbers([one.original], one.account))[0]?.id ?? ''
    return null
  }

  return { mustBeNamed, linesAbout }
}
