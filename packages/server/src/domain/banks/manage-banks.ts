import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { bankCodeOf, ibanFault, normaliseIban } from '../../kernel/iban.ts'
import { MAX_AMOUNT } from '../../kernel/money.ts'
import { money } from '../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../kernel/refusals/refuse.ts'
import { switchBankOff } from '../merchants/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized, loosens, mustBeApproved } from '../people/index.ts'
import type { Bank, Limits } from './bank.ts'
import { FAST, INTERBANK_CURRENCY, isOffered } from './bank.ts'
import { accountMark, accountsInForce } from './mark-accounts.ts'
import type { NewAccount } from './store.ts'
import {
  insertAccounts,
  listAccounts,
  lockLimits,
  selectBanks,
  selectLimits,
  updateEnabled,
  upsertLimits,
} from './store.ts'

type Decides = Authority & { db: Db }

/** By its 24-character id, its 4-digit code, or FAST. */
async function findBank({ db }: { db: Queryable }, idOrCode: string): Promise<Bank> {
  const bank = (await selectBanks(db)).find(({ id, code }) => id === idOrCode || code === idOrCode)
  if (!bank) throw refuse('bank_unknown', { bank: idOrCode })
  return bank
}

export async function listBanks(
  app: Pick<Authority, 'marks'> & { db: Queryable },
): Promise<(Bank & { limits: (Limits & { currency: string })[]; accounts: number })[]> {
  const [banks, limits, accounts] = await Promise.all([selectBanks(app.db), selectLimits(app.db), accountsInForce(app)])
  return banks
    .toSorted((a, b) => Number(b.id === FAST) - Number(a.id === FAST) || a.code.localeCompare(b.code))
    .map((bank) => ({
      ...bank,
      limits: limits.filter(({ bankId }) => bankId === bank.id).map(({ bankId: _, ...limit }) => limit),
      accounts: accounts.filter((account) => account.bankId === bank.id && isOffered(account)).length,
    }))
}

/** The bank and its limits now. */
export async function checkBankLimits(
  db: Queryable,
  idOrCode: string,
  currency: string,
  limits: Limits,
): Promise<{ bank: Bank; before: Limits | undefined }> {
  const bank = await findBank({ db }, idOrCode)
  if (bank.id === FAST && currency !== INTERBANK_CURRENCY) throw refuseField('currency', 'fast_currency_wrong')
  if (limits.minAmount < 1n || limits.maxAmount < limits.minAmount || limits.maxAmount > MAX_AMOUNT) {
    throw refuseField('limits', 'bank_limits_wrong', { most: money(MAX_AMOUNT, currency) })
  }
  const before = (await selectLimits(db)).find((one) => one.bankId === bank.id && one.currency === currency)
  return { bank, before }
}

/** A bank without limits takes nothing. */
export function loosensRange(before: Limits | undefined, { minAmount, maxAmount }: Limits): boolean {
  return !before || loosens({ below: -before.minAmount, max: before.maxAmount }, { below: -minAmount, max: maxAmount })
}

/** In live two people widen them. */
export async function setBankLimits(
  app: Decides,
  actor: Actor,
  idOrCode: string,
  currency: string,
  limits: Limits,
): Promise<Bank> {
  const { bank } = await checkBankLimits(app.db, idOrCode, currency, limits)
  await authorized(app, actor, 'bank.limits', async (tx, audit) => {
    await lockLimits(tx)
    const { before } = await checkBankLimits(tx, idOrCode, currency, limits)
    if (loosensRange(before, limits)) mustBeApproved(app)
    await upsertLimits(tx, [{ bankId: bank.id, currency, ...limits }])
    const { minAmount, maxAmount } = before ?? {}
    await audit(`bank:${bank.id}`, { before: { currency, minAmount, maxAmount }, after: { currency, ...limits } })
  })
  return bank
}

/** For all merchants, or for one. */
export async function switchBank(
  app: Decides,
  actor: Actor,
  idOrCode: string,
  on: boolean,
  merchantId?: string,
): Promise<Bank> {
  const bank = await findBank(app, idOrCode)
  await authorized(app, actor, 'bank.switch', async (tx, audit) => {
    if (merchantId === undefined) await updateEnabled(tx, bank.id, on)
    else await switchBankOff(tx, merchantId, bank.id, !on)
    await audit(`bank:${bank.id}`, { after: { on, merchantId } })
  })
  return bank
}

type Connected = Pick<NewAccount, 'connection' | 'awaitsConnection'>

/** A worker gives it the connection. */
const UNCONNECTED: Connected = { connection: null, awaitsConnection: false }

type AccountFacts = { iban: string; title: string; currency: string }

/** As it will be stored, with its bank, which is derived from the IBAN. */
export async function checkNewAccount(db: Queryable, { iban: text, title, currency }: AccountFacts) {
  const iban = normaliseIban(text)
  const fault = ibanFault(iban)
  if (fault) throw refuseField('iban', 'iban_wrong', { fault, characters: iban.length })
  if (title.trim().length < 3 || title.length > 140) throw refuseField('title', 'length_wrong', { least: 3, most: 140 })
  const bank = await findBank({ db }, bankCodeOf(iban))
  if ((await listAccounts(db)).some((one) => one.iban === iban)) {
    throw refuse('account_open', { account: iban })
  }
  return { bank, iban, title: title.trim(), currency }
}

/** A new account of the operator's company; two people, in live. `connect` runs in the transaction. */
export async function openCollectingAccount(
  app: Decides & { ids: Ids; clock: Clock },
  actor: Actor,
  given: AccountFacts,
  connect: (tx: Tx) => Promise<Connected> = () => Promise.resolve(UNCONNECTED),
): Promise<NewAccount> {
  const { bank, iban, title, currency } = await checkNewAccount(app.db, given)
  return authorized(app, actor, 'account.open', async (tx, audit) => {
    mustBeApproved(app)
    const facts = { id: app.ids.next(), bankId: bank.id, title, iban, currency, state: 'active' as const }
    const account = { ...facts, ...(await connect(tx)) }
    await insertAccounts(tx, [{ ...account, mark: await accountMark(app.marks, account) }], app.clock.now())
    const { connection } = account
    await audit(`account:${account.id}`, { after: { bankId: bank.id, iban, currency, connection } })
    return account
  })
}
