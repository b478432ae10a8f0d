import pg from 'pg'
import type { App } from '../src/compose.ts'
import { fits } from '../src/domain/banks/index.ts'
import type { Deposit, NewDeposit } from '../src/domain/deposits/index.ts'
import type { NewWithdrawal, Withdrawal } from '../src/domain/withdrawals/index.ts'
import { feeOn } from '../src/platform/money.ts'
import { Refusal } from '../src/platform/refusal.ts'

// What one writes first: a transaction per request, one statement after the other. Same tables, same guarantees, same
// HTTP in front; fairly tuned (a pool that suits two cores, prepared statements), so that the ratio means something.

/** More does not help on two cores, fewer leave commits unshared. */
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
      (merchant_id, subject_id, id, reason, from_account, to_account, currency, amount, created_at)
    values ($1, $2, $3, 'withdrawal_held', $4, $5, $6, $7, $8)`,
  addToBalance: 'update accounts set balance = balance + $2 where id = $1',
  usedByDeposit: 'select 1 from deposits where merchant_id = $1 and process_id = $2',
  insertDeposit: `insert into deposits (
      merchant_id, id, process_id, amount, currency, status, bank_id, collecting_account_id,
      customer_id, customer_name, customer_username, metadata, return_url, language, expires_at, created_at, updated_at
    ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
}

export function openNaive(app: App) {
  const pool = new pg.Pool({ connectionString: app.databaseUrl, max: POOL_SIZE })
  return {
    createWithdrawal: (request: NewWithdrawal) => transaction(pool, (query) => createWithdrawal(app, query, request)),
    createDeposit: async (request: NewDeposit) => {
      const deposit = await draftDeposit(app, request)
      return transaction(pool, (query) => createDeposit(query, deposit))
    },
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
  const { merchantId, currency, amount, processId } = request
  const accounts = await query<Account>('lockAccounts', [merchantId, currency])
  const available = accounts.find(({ kind }) => kind === 'merchant_available')
  const held = accounts.find(({ kind }) => kind === 'merchant_held')
  if (!available || !held) throw new Error('The merchant has no accounts.')
  if ((await query('usedByWithdrawal', [merchantId, processId])).length > 0) throw duplicate()
  const fee = feeOn(amount, feeTerms)
  const needed = amount + fee
  if (needed > available.balance) throw new Refusal('INSUFFICIENT_BALANCE', 'The balance is too small.')
  const [id, now] = [ids.next(), clock.now()]
  const { bankId, iban, accountName, userId, userName, name } = request
  const recipient = [bankId, iban, accountName, userId, userName, name]
  await query('insertWithdrawal', [merchantId, id, processId, amount, fee, currency, 'pending', ...recipient, now])
  await query('insertHold', [merchantId, id, currency, needed, now])
  await query('insertTransfer', [merchantId, id, ids.next(), available.id, held.id, currency, needed, now])
  await query('addToBalance', [available.id, -needed])
  await query('addToBalance', [held.id, needed])
  return { ...fields, id, fee, status: 'pending', sequence: 0, failureReason: null, createdAt: now, updatedAt: now }
}

/** The bank list comes from the same cache as the product's: what is compared is the way to write. */
async function draftDeposit({ banks, clock, ids, random }: App, request: NewDeposit): Promise<Deposit> {
  const { merchantId, currency, amount, bankId = null } = request
  const options = await banks.optionsFor(merchantId, currency)
  const fitting = options.filter((option) => (bankId === null || option.id === bankId) && fits(amount, option))
  if (fitting.length === 0) throw new Refusal('AMOUNT_OUT_OF_RANGE', 'No bank takes this amount.')
  const accounts = bankId === null ? [] : await banks.accountsFor(bankId, currency)
  const now = clock.now()
  return {
    ...request,
    id: ids.next(),
    status: 'pending',
    sequence: 0,
    bankId,
    collectingAccountId: accounts[random.bytes(4).readUInt32BE() % Math.max(1, accounts.length)]?.id ?? null,
    metadata: request.metadata ?? null,
    returnUrl: request.returnUrl ?? null,
    language: request.language ?? 'tr',
    receivedAmount: 0n,
    fee: 0n,
    flags: [],
    reason: null,
    expiresAt: new Date(now.getTime() + EXPIRES_AFTER_MS),
    createdAt: now,
    updatedAt: now,
  }
}

async function createDeposit(query: Query, deposit: Deposit): Promise<Deposit> {
  const { merchantId, id, processId, amount, currency, status, bankId, collectingAccountId, customer } = deposit
  if ((await query('usedByDeposit', [merchantId, processId])).length > 0) throw duplicate()
  const key = [merchantId, id, processId, amount, currency, status, bankId, collectingAccountId]
  const person = [customer.id, customer.name, customer.username]
  const { metadata, returnUrl, language, expiresAt, createdAt } = deposit
  await query('insertDeposit', [...key, ...person, metadata, returnUrl, language, expiresAt, createdAt])
  return deposit
}

function duplicate(): Refusal {
  return new Refusal('DUPLICATE_TRANSACTION', 'This processId was used before.')
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505'
}
