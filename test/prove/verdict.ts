import {
  balancesOf,
  findDrift,
  findMixedEntries,
  merchantAccount,
} from '../../packages/server/src/domain/ledger/index.ts'
import { proveDay } from '../../packages/server/src/domain/books/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Names } from './advice.ts'
import type { Bank } from './bank-model.ts'
import type { ModelDeposit, ModelMerchant, ModelPayout, Truth } from './truth.ts'
import type { World } from './world.ts'

// The books of the service compared with the story: to the kuruş, and line by line.

/** Every account of the day: the bank's balance, the proof of the service, and its cash with the named differences. */
export async function differencesOfDay({ app, accounts }: World, bank: Bank, day: string): Promise<string[]> {
  const proof = await proveDay(app.db, day)
  return accounts.flatMap(({ iban }) => {
    const its = proof.accounts.find((one) => one.iban === iban)
    const { opening, closing } = bank.dayOf(iban, day)
    if (!its) return [`${day} ${iban}: not proven`]
    const booked = its.ledger + its.differences.reduce((sum, { amount }) => sum + amount, 0n)
    const found = [
      ...compared('opening', its.opening, opening),
      ...compared('closing', its.closing, closing),
      ...compared('cash and named differences', booked, closing),
      ...compared('unexplained', its.unexplained, 0n),
    ]
    return found.map((one) => `${day} ${iban}: ${one}`)
  })
}

function compared(what: string, has: unknown, wanted: unknown): string[] {
  return has === wanted ? [] : [`${what} is ${String(has)}, and should be ${String(wanted)}`]
}

type Story = { deposits: ModelDeposit[]; payouts: ModelPayout[]; shops: ModelMerchant[] }

/** After the last day. */
export async function differencesOfMonth(world: World, bank: Bank, names: Names, story: Story): Promise<string[]> {
  return [
    ...(await ofLines(world, bank, names)),
    ...(await ofMerchants(world, story.shops)),
    ...(await ofDeposits(world, bank, story.deposits)),
    ...(await ofPayouts(world, story.payouts)),
    ...(await ofLedger(world)),
  ]
}

async function ofMerchants({ app }: World, shops: ModelMerchant[]): Promise<string[]> {
  const balances = await balancesOf(
    app.db,
    shops.map(({ id }) => merchantAccount('merchant_available', id, 'TRY')),
  )
  return shops.flatMap(({ name, balance }, index) => compared(`${name} has`, balances[index], balance))
}

async function ofDeposits({ app }: World, bank: Bank, deposits: ModelDeposit[]): Promise<string[]> {
  const rows = await app.db.query<{ id: string; status: string; flags: string[] }>(sql`
    select id, status, flags from deposits where id = any(${deposits.map(({ id }) => id)}::text[])`)
  const found = new Map(rows.map((row) => [row.id, `${row.status} ${row.flags.toSorted().join(' ')}`]))
  const lineOf = (id: string) =>
    bank.lines.find(({ truth }) => truth.is === 'deposits' && truth.parts.some((part) => part.deposit.id === id))
  return deposits.flatMap(({ id, code, status, flags }) => {
    const line = lineOf(id)
    const where = line ? `${line.day} ${line.number} (${line.kind})` : 'no line'
    return compared(`${where}: deposit ${code}`, found.get(id), `${status} ${[...flags].toSorted().join(' ')}`)
  })
}

async function ofPayouts({ app }: World, payouts: ModelPayout[]): Promise<string[]> {
  const rows = await app.db.query<{ id: string; status: string; state: string }>(sql`
    select id, status, state from withdrawals where id = any(${payouts.map(({ id }) => id)}::text[])`)
  const found = new Map(rows.map((row) => [row.id, `${row.status} ${row.state}`]))
  return payouts.flatMap(({ id, status, isReturned, amount, to }) => {
    const state = status === 'failed' ? 'failed' : isReturned ? 'returned' : 'sent'
    return compared(`payout of ${amount} kuruş to ${to.name}`, found.get(id), `${status} ${state}`)
  })
}

async function ofLedger({ app }: World): Promise<string[]> {
  const [sum] = await app.db.query<{ total: bigint }>(
    sql`select coalesce(sum(balance), 0)::bigint as total from accounts`,
  )
  const drifted = [...(await findDrift(app.db)), ...(await findMixedEntries(app.db))]
  return [...compared('the sum of the ledger', sum?.total, 0n), ...compared('rows that drifted', drifted.length, 0)]
}

type Explained = {
  id: string
  state: string
  reason: string | null
  parts: { kind: string; subject: string; amount: number }[]
}

/** What is said of each line at the end, whoever said it. */
async function ofLines({ app }: World, bank: Bank, names: Names): Promise<string[]> {
  const rows = await app.db.query<Explained>(sql`
    select l.id, l.state, l.reason, coalesce((
      select json_agg(json_build_object('kind', p.kind, 'subject', p.subject, 'amount', p.amount))
      from line_parts p where p.line_id = l.id), '[]') as parts
    from bank_lines l`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return bank.lines.flatMap((line) => {
    const its = byId.get(names.idOf(line))
    const where = `${line.day} ${line.number} (${line.kind})`
    if (!its) return [`${where}: the service does not have it`]
    const wanted = wantedOf(line.truth)
    return compared(where, shownAs(its, line.truth), wanted)
  })
}

const OF_SUBJECTS: Partial<Record<Truth['is'], string>> = {
  deposits: 'deposit',
  payouts: 'payout',
  returns: 'payout_return',
}

/** As `shownAs` says it. */
function wantedOf(truth: Truth): string {
  switch (truth.is) {
    case 'deposits':
      return subjects(truth.parts.map(({ deposit, amount }) => `${deposit.id}=${amount}`))
    case 'payouts':
    case 'returns':
      return subjects(truth.payouts.map(({ id }) => id))
    case 'replaced':
      return 'dismissed'
    case 'correction':
      return wantedOf(truth.meant)
    default:
      return REASONS[truth.is]
  }
}

const REASONS = {
  ...{ charge: 'bank_charge', tax: 'bank_tax', interest: 'interest', owed: 'receivable', settles: 'receivable' },
  ...{
    own_funds: 'own_funds',
    fees_taken: 'fee_withdrawal',
    refund: 'refund_unexplained',
    own_transfer: 'own_transfer',
    storno: 'storno',
  },
} as const

const subjects = (list: string[]) => `matched ${list.toSorted().join(' ')}`

function shownAs({ state, reason, parts }: Explained, truth: Truth): string {
  if (state !== 'matched') return state
  const kind = OF_SUBJECTS[truth.is]
  if (kind === undefined) return reason ?? ''
  const its = parts.filter((one) => one.kind === kind)
  const withAmounts = truth.is === 'deposits'
  return subjects(its.map(({ subject, amount }) => (withAmounts ? `${subject}=${amount}` : subject)))
}
