import pg from 'pg'
import type { App } from '../packages/server/src/compose.ts'
import { fits } from '../packages/server/src/domain/banks/index.ts'
import type { Deposit, NewDeposit } from '../packages/server/src/domain/deposits/index.ts'
import type { NewWithdrawal, Withdrawal } from '../packages/server/src/domain/withdrawals/index.ts'
import { termsAt } from '../packages/server/src/domain/merchants/index.ts'
import { istanbul } from '../packages/server/src/kernel/istanbul.ts'
import { feeOn } from '../packages/server/src/kernel/money.ts'
import { Refusal } from '../packages/server/src/platform/refusal.ts'

// The obvious implementation: a transaction per request, one statement after the other. Same tables, guarantees and
// HTTP layer, and fairly tuned (pool size, prepared statements), so that the ratio is meaningful.

/** More does not help on two cores; fewer reduce group commits. */
const POOL_SIZE = 20
const EXPIRES_AFTER_MS = 30 * 60 * 1000

type Query = <Row>(name: keyof typeof STATEMENTS, values: unknown[]) => Promise<Row[]>
type Account = { id: string; kind: string; balance: bigint }

const STATEMENTS = {
  lockAccounts: `select id, kind, balance from accounts
    where merchant_id = $1 and currency = $2 and subject = '' and kind in ('merchant_available', 'merchant_held')
    order by id for update`,
  usedByWithdrawal: 'select 1 from withdrawals where merchant_id = $1 and process_id = $2',
  insertWithdrawal: `insert into withdrawals (
      merchant_id, id, process_id, amount, fee, currency, status, bank_id, iban, account_name, user_id, user_name, name,
      created_at, updated_at
    ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
  insertHold: `insert into holds (merchant_id, subject_id, currency, amount, state, created_at)
    values ($1, $2, $3, $4, 'pending', $5)`,
  insertTransfer: `insert into transfers
      (merchant_id, subject_id, id, entry_id, kind, effective_on, actor, from_account, to_account, currency, amount, created_at)
    values ($1, $2, $3, $3, 'withdrawal_hold', $9, 'merchant:' || $1, $4, $5, $6, $7, $8)`,
  addToBalance: 'update accounts set balance = balance + $2 where id = $1',
  // Without an in-memory directory, limits and account are queried for every request.
  bankLimits: `select l.min_amount as "minAmount", l.max_amount as "maxAmount"
    from banks b join bank_limits l on l.bank_id = b.id
    where b.id = $1 and l.currency = $2 and b.enabled
      and not exists (select from merchants m where m.id = $3 and b.id = any(m.banks_off))`,
  anAccount: `select id from collecting_accounts
    where state = 'active' and currency = $2 and ($1 = 'FAST' or bank_id = $1) order by random() limit 1`,
  usedByDeposit: 'select 1 from deposits where merchant_id = $1 and process_id = $2',
  insertDeposit: `insert into deposits (
      merchant_id, id, process_id, amount, currency, status, bank_id, collecting_account_id,
      customer_id, customer_name, customer_username, metadata, return_url, language, reference_code, expires_at,
      created_at, updated_at
    ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
}

export function openNaive(app: App) {
  const pool = new pg.Pool({ connectionString: app.databaseUrl, max: POOL_SIZE })
  return {
    createWithdrawal: (request: NewWithdrawal) => transaction(pool, (query) => createWithdrawal(app, query, request)),
    createDeposit: (request: NewDeposit) => transaction(pool, (query) => createDeposit(app, query, request)),
    end: () => pool.end(),
  }
}

async function transaction<Result>(pool: pg.Pool, work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  const query: Query = async <Row>(name: keyof typeof STATEMENTS, values: unknown[]) =>
    (await client.query({ name, text: STATEMENTS[name], values })).rows as Row[]
  try {
    await client.query('begin')
    const result = await work(query)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw isUniqueViolation(error) ? duplicate() : error
  } finally {
    client.release()
  }
}

async function createWithdrawal({ clock, ids }: App, query: Query, request: NewWithdrawal): Promise<Withdrawal> {
  const { feeTerms, ...fields } = request
  const { actor, currency, amount, processId } = request
  const { merchantId } = actor
  const accounts = await query<Account>('lockAccounts', [merchantId, currency])
  const available = accounts.find(({ kind }) => kind === 'merchant_available')
  const held = accounts.find(({ kind }) => kind === 'merchant_held')
  if (!available || !held) throw new Error('The merchant has no accounts.')
  if ((await query('usedByWithdrawal', [merchantId, processId])).length > 0) throw duplicate()
  const fee = feeOn(amount, termsAt(feeTerms, clock.now()).withdraw)
  const needed = amount + fee
  if (needed > available.balance) throw new Refusal('INSUFFICIENT_BALANCE', 'The balance is too small.')
  const [id, now] = [ids.next(), clock.now()]
  const { bankId, iban, accountName, userId, userName, name } = request
  const recipient = [bankId, iban, accountName, userId, userName, name]
  await query('insertWithdrawal', [merchantId, id, processId, amount, fee, currency, 'pending', ...recipient, now])
  await query('insertHold', [merchantId, id, currency, needed, now])
  const { day } = istanbul(now)
  await query('insertTransfer', [merchantId, id, ids.next(), available.id, held.id, currency, needed, now, day])
  await query('addToBalance', [available.id, -needed])
  await query('addToBalance', [held.id, needed])
  const inside = {
    state: 'queued',
    stateReason: null,
    firstTimeIban: false,
    rail: null,
    sourceAccountId: null,
    refundOf: null,
    refundReason: null,
    settlement: false,
    approvalRequired: false,
    approvedBy: null,
    mark: null,
  } as const
  const dates = { scheduledFor: null, bankReference: null, createdAt: now, updatedAt: now }
  return {
    metadata: null,
    merchantId,
    ...fields,
    id,
    fee,
    status: 'pending',
    sequence: 0,
    failureReason: null,
    ...inside,
    ...dates,
  }
}

async function createDeposit({ clock, ids, random }: App, query: Query, request: NewDeposit): Promise<Deposit> {
  const { actor, processId, amount, currency, customer, bankId = null } = request
  const { merchantId } = actor
  const [limits] = await query<{ minAmount: bigint; maxAmount: bigint }>('bankLimits', [bankId, currency, merchantId])
  if (!limits || !fits(amount, limits)) throw new Refusal('AMOUNT_OUT_OF_RANGE', 'The bank does not take this amount.')
  const [account] = await query<{ id: string }>('anAccount', [bankId, currency])
  if ((await query('usedByDeposit', [merchantId, processId])).length > 0) throw duplicate()
  const [id, now] = [ids.next(), clock.now()]
  const expiresAt = new Date(now.getTime() + EXPIRES_AFTER_MS)
  const referenceCode = random.bytes(8).toString('hex').slice(0, 8).toUpperCase() + id.slice(-4)
  const { metadata = null, returnUrl = null, language = 'tr' } = request
  const collectingAccountId = account?.id ?? null
  const key = [merchantId, id, processId, amount, currency, 'pending', bankId, collectingAccountId]
  const person = [customer.id, customer.name, customer.username]
  await query('insertDeposit', [...key, ...person, metadata, returnUrl, language, referenceCode, expiresAt, now])
  const empty = {
    receivedAmount: 0n,
    refundedAmount: 0n,
    takenBackAmount: 0n,
    duplicateAmount: 0n,
    fee: 0n,
    flags: [],
    reason: null,
    sequence: 0,
    version: 0,
    previousAccountIds: [],
  }
  const untouched = { claimedAt: null, accountChangedAt: null, createdAt: now, updatedAt: now }
  const known = {
    id,
    status: 'pending' as const,
    bankId,
    collectingAccountId,
    metadata,
    returnUrl,
    language,
    referenceCode,
  }
  return { ...request, merchantId, ...known, ...empty, ...untouched, expiresAt }
}

function duplicate(): Refusal {
  return new Refusal('DUPLICATE_TRANSACTION', 'This processId was used before.')
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505'
}
