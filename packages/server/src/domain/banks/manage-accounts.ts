import type { Actor } from '../../kernel/actor.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { MAX_AMOUNT } from '../../kernel/money.ts'
import { money } from '../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../kernel/refusals/refuse.ts'
import type { Authority } from '../people/index.ts'
import { authorized, loosens, mustBeApproved } from '../people/index.ts'
import type { AccountState, CollectingAccount } from './bank.ts'
import { INTERBANK_CURRENCY, isRecorded } from './bank.ts'
import { accountsInForce, updateMarked } from './mark-accounts.ts'
import type { NewAccount } from './store.ts'
import { listAccounts, lockAccountPool, updateAccountLimits, updateAccountState, updateKarekod } from './store.ts'

/** More payments per day than any account receives. */
const MAX_COUNT = 1_000_000

/** Reads current rows in this transaction instead of the cached directory. */
export async function accountsByIban(db: Queryable): Promise<Map<string, CollectingAccount>> {
  return new Map((await listAccounts(db)).map((account) => [account.iban, account]))
}

/** By its id or its IBAN. */
export async function findAccount({ db }: { db: Queryable }, idOrIban: string): Promise<CollectingAccount> {
  const wanted = idOrIban.replaceAll(' ', '')
  const account = (await listAccounts(db)).find(({ id, iban }) => id === wanted || iban === wanted)
  if (!account) throw refuse('account_unknown', { account: idOrIban })
  return account
}

type Marking = Pick<Authority, 'marks'>

/** One that the service has not written may only be blocked, until two people have connected it. */
export async function setAccountState({ marks }: Marking, tx: Tx, id: string, state: AccountState): Promise<void> {
  const found = (await accountsInForce({ db: tx, marks })).find((one) => one.id === id)
  if (found && !isRecorded(found) && state !== 'blocked') throw refuse('account_not_recorded', { account: found.iban })
  await updateAccountState(tx, id, state)
}

/** What these accounts say is decided from now on. */
export async function connectAccounts(
  { marks }: Marking,
  tx: Tx,
  accounts: CollectingAccount[],
  connected: Pick<NewAccount, 'connection' | 'awaitsConnection'>,
): Promise<void> {
  const after = accounts.map((account) => ({ ...account, ...connected }))
  await updateMarked(marks, tx, after)
}

/** Accounts that have no source of record, and for which a person need not choose one. */
export async function unconnectedAccounts({ marks }: Marking, tx: Tx): Promise<CollectingAccount[]> {
  const isWanted = ({ connection, awaitsConnection }: CollectingAccount) => connection === null && !awaitsConnection
  if (!(await listAccounts(tx)).some(isWanted)) return []
  await lockAccountPool(tx)
  const known = await accountsInForce({ db: tx, marks })
  return known.filter((one) => isWanted(one) && isRecorded(one))
}

export type AccountLimits = { amount: bigint | null; count: number | null }

/** In live two people raise them. */
export async function setAccountLimits(
  app: Authority & { db: Db },
  actor: Actor,
  idOrIban: string,
  limits: AccountLimits,
): Promise<CollectingAccount> {
  checkAccountLimits(limits)
  const { amount, count } = limits
  const after = { dailyAmountLimit: amount, dailyCountLimit: count }
  return authorized(app, actor, 'account.limits', async (tx, audit) => {
    await lockAccountPool(tx)
    const account = await findAccount({ db: tx }, idOrIban)
    const before = { dailyAmountLimit: account.dailyAmountLimit, dailyCountLimit: account.dailyCountLimit }
    if (loosens(before, after)) mustBeApproved(app)
    await updateAccountLimits(tx, account.id, limits)
    await audit(`account:${account.id}`, { before, after })
    return { ...account, ...after }
  })
}

/** Only a licensed institution has a producer code. Null shows no TR Karekod for the account. */
export async function setKarekod(
  app: Authority & { db: Db },
  actor: Actor,
  idOrIban: string,
  producer: string | null,
): Promise<CollectingAccount> {
  if (producer !== null && !/^[0-9]{4}$/.test(producer)) throw refuseField('producer', 'karekod_producer_wrong')
  const account = await findAccount(app, idOrIban)
  if (producer !== null && account.currency !== INTERBANK_CURRENCY)
    throw refuseField('producer', 'karekod_currency_wrong')
  await authorized(app, actor, 'account.karekod', async (tx, audit) => {
    await updateKarekod(tx, account.id, producer)
    const before = { karekodProducer: account.karekodProducer }
    await audit(`account:${account.id}`, { before, after: { karekodProducer: producer } })
  })
  return { ...account, karekodProducer: producer }
}

export function checkAccountLimits({ amount, count }: AccountLimits): void {
  if (amount !== null && (amount < 1n || amount > MAX_AMOUNT))
    throw refuseField('amount', 'setting_amount_out_of_range', { least: money(1n), most: money(MAX_AMOUNT) })
  if (count !== null && (count < 1 || count > MAX_COUNT))
    throw refuseField('count', 'setting_out_of_range', { least: 1, most: MAX_COUNT })
}
