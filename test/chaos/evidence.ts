import { bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Witness } from '../harness/payouts.ts'
import type { World } from './world.ts'

export type PaidOut = {
  id: string
  merchantId: string
  status: string
  state: string
  amount: bigint
  fee: bigint
  iban: string
  sequence: number
  history: number[]
  events: number[]
}

type Line = { id: string; state: string; narrative: string }
type Balance = { account: string; kind: string; merchantId: string; balance: bigint }

/** Everything the verdict is about, from both sides: our database, and the bank's own books. */
export type Evidence = {
  withdrawals: PaidOut[]
  witness: Witness[]
  lines: Line[]
  balances: Balance[]
  funded: Map<string, bigint>
  drift: Awaited<ReturnType<typeof findDrift>>
  cash: { iban: string; books: bigint; bank: bigint }[]
  pendingHolds: string[]
}

export async function gatherEvidence(world: World, funded: Map<string, bigint>): Promise<Evidence> {
  const { db } = world.app
  const [withdrawals, lines, balances, holds, drift, cash, witness] = await Promise.all([
    selectWithdrawals(world),
    db.query<Line>(sql`select id, state, narrative from bank_lines where for_payouts`),
    db.query<Balance>(sql`select id as account, kind, merchant_id as "merchantId", balance from accounts`),
    db.query<{ id: string }>(sql`select subject_id as id from holds where state = 'pending'`),
    findDrift(db),
    compareCash(world),
    world.witness(),
  ])
  return { withdrawals, witness, lines, balances, funded, drift, cash, pendingHolds: holds.map(({ id }) => id) }
}

function selectWithdrawals({ app }: World): Promise<PaidOut[]> {
  return app.db.query<PaidOut>(sql`
    select w.id, w.merchant_id as "merchantId", w.status, w.state, w.amount, w.fee, w.iban, w.sequence,
      array(select h.sequence from status_history h
        where h.merchant_id = w.merchant_id and h.transaction_id = w.id order by h.sequence) as history,
      array(select e.sequence from events e
        where e.merchant_id = w.merchant_id and e.transaction_id = w.id order by e.sequence) as events
    from withdrawals w order by w.id`)
}

async function compareCash({ app, call }: World): Promise<Evidence['cash']> {
  const [books, { accounts }, ours] = await Promise.all([
    bankCash(app.db),
    call<{ accounts: { iban: string; balance: number }[] }>('GET', 'accounts'),
    app.banks.accounts(),
  ])
  return ours.map(({ id, iban }) => ({
    iban,
    books: books.find(({ collectingAccountId }) => collectingAccountId === id)?.amount ?? 0n,
    bank: BigInt(accounts.find((account) => account.iban === iban)?.balance ?? 0),
  }))
}
