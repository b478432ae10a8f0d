import { normaliseIban } from '../../kernel/iban.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { AccountLimits, CollectingAccount, Limits, NewAccount } from '../banks/index.ts'
import {
  accountsInForce,
  checkAccountLimits,
  checkBankLimits,
  checkNewAccount,
  findAccount,
  isRecorded,
  loosensRange,
  setAccountLimits,
  setBankLimits,
} from '../banks/index.ts'
import { chooseConnection, openConnectedAccount, selectConnections, setSourceOfRecord } from '../connections/index.ts'
import type { Endpoint, EndpointSettings } from '../merchants/index.ts'
import { addEndpoint, changeEndpoint, checkSettings, findEndpoint, findMerchant } from '../merchants/index.ts'
import { loosens } from '../people/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalDeps, ProposalKind } from './proposal-kind.ts'

const ofStaff = { merchantOf: () => null }
const amount = (value: bigint | null | undefined) => (value === null || value === undefined ? null : String(value))

type OfMerchant = { merchantId: string }

function endpointRows(before: Partial<Endpoint>, after: EndpointSettings): Difference[] {
  const text = (field: 'url' | 'description' | 'maxConcurrent' | 'maxPerSecond') =>
    ({ field, as: 'text', before: before[field] ?? null, after: after[field] }) as const
  const events: Difference = {
    field: 'eventTypes',
    as: 'list',
    before: before.eventTypes ?? [],
    after: after.eventTypes,
  }
  return [text('url'), text('description'), events, text('maxConcurrent'), text('maxPerSecond')]
}

/** The secret is for who asks for it afterwards, by rotating it. */
export const ENDPOINT_ADD: ProposalKind<
  OfMerchant & { url: string } & Partial<EndpointSettings>,
  { endpoint: Endpoint; secret: string }
> = {
  action: 'endpoint.add',
  targetOf: ({ merchantId }) => `merchant:${merchantId}`,
  merchantOf: ({ merchantId }) => merchantId,
  async describe(app, db, { merchantId, ...settings }) {
    await findMerchant({ db }, merchantId)
    return { rows: endpointRows({}, checkSettings(app, settings)) }
  },
  apply: (app, actor, { merchantId, ...settings }) => addEndpoint(app, actor, merchantId, settings),
}

/** One person may change anything but the address. */
export const ENDPOINT_CHANGE: ProposalKind<
  OfMerchant & { endpointId: string } & Partial<EndpointSettings & { url: string }>,
  Endpoint
> = {
  action: 'endpoint.change',
  targetOf: ({ endpointId }) => `endpoint:${endpointId}`,
  merchantOf: ({ merchantId }) => merchantId,
  async describe(app, db, { merchantId, endpointId, ...change }) {
    const before = await findEndpoint(db, merchantId, endpointId)
    const after = checkSettings(app, { ...before, ...change })
    return { rows: endpointRows(before, after), alone: after.url === before.url }
  },
  apply: (app, actor, { merchantId, endpointId, ...change }) =>
    changeEndpoint(app, actor, merchantId, endpointId, change),
}

export const BANK_LIMITS: ProposalKind<{ bank: string; currency: string } & Limits, { id: string; name: string }> = {
  ...ofStaff,
  action: 'bank.limits',
  normalise: async ({ db }, terms) => {
    const { bank } = await checkBankLimits(db, terms.bank, terms.currency, terms)
    return { ...terms, bank: bank.id }
  },
  targetOf: ({ bank, currency }) => `bank:${bank}:${currency}`,
  async describe(_app, db, { bank, currency, ...limits }) {
    const { bank: of, before } = await checkBankLimits(db, bank, currency, limits)
    const name = `${of.name} (${currency})`
    const row = (field: 'minAmount' | 'maxAmount') =>
      ({ field, as: 'money', before: amount(before?.[field]), after: amount(limits[field]) }) as const
    const rows = [{ field: 'bank', as: 'fact' as const, before: name, after: name }, row('minAmount'), row('maxAmount')]
    return { rows, alone: !loosensRange(before, limits) }
  },
  apply: (app, actor, { bank, currency, ...limits }) => setBankLimits(app, actor, bank, currency, limits),
}

/** Those of this process's configuration count, too: accounts are moved before the first worker has a bank's new address. */
async function mustKnow({ connections }: ProposalDeps, db: Queryable, wanted: string): Promise<void> {
  const known = [...connections, ...(await selectConnections(db))].map(({ name }) => name)
  if (known.includes(wanted)) return
  throw refuse('connection_unknown', { connection: wanted, known: [...new Set(known)] })
}

export const ACCOUNT_OPEN: ProposalKind<
  { iban: string; title: string; currency: string; connection?: string },
  NewAccount
> = {
  ...ofStaff,
  action: 'account.open',
  async normalise(app, { iban, title, currency, connection: wanted }) {
    const connection = wanted ?? (await chooseConnection(app, app.db)).connection ?? undefined
    return { iban: normaliseIban(iban), title: title.trim(), currency, ...(connection !== undefined && { connection }) }
  },
  targetOf: ({ iban }) => `iban:${iban}`,
  async describe(app, db, { connection, ...given }) {
    if (connection !== undefined) await mustKnow(app, db, connection)
    const { bank, iban, title, currency } = await checkNewAccount(db, given)
    const facts = { bank: bank.name, iban, title, currency, connection: connection ?? null }
    return { rows: Object.entries(facts).map(([field, after]) => ({ field, as: 'text', before: null, after })) }
  },
  apply: (app, actor, facts) => openConnectedAccount(app, actor, facts),
}

export const ACCOUNT_LIMITS: ProposalKind<{ account: string } & AccountLimits, CollectingAccount> = {
  ...ofStaff,
  action: 'account.limits',
  normalise: async (app, terms) => ({ ...terms, account: (await findAccount(app, terms.account)).id }),
  targetOf: ({ account }) => `account:${account}`,
  async describe(_app, db, { account, ...limits }) {
    checkAccountLimits(limits)
    const before = await findAccount({ db }, account)
    return {
      rows: [
        {
          field: 'dailyAmountLimit',
          as: 'money',
          before: amount(before.dailyAmountLimit),
          after: amount(limits.amount),
        },
        { field: 'dailyCountLimit', as: 'text', before: before.dailyCountLimit, after: limits.count },
      ],
      alone: !loosens({ amount: before.dailyAmountLimit, count: before.dailyCountLimit }, limits),
    }
  },
  apply: (app, actor, { account, ...limits }) => setAccountLimits(app, actor, account, limits),
}

/** Of one that the service has not written nothing was decided: two people decide all that it says. */
function connectionRows(account: CollectingAccount, after: string): Difference[] {
  const { iban, bankName, title, currency, connection } = account
  if (isRecorded(account)) return [{ field: iban, as: 'text', before: connection, after }]
  const facts = `${bankName}, ${title}, ${currency}`
  return [
    { field: iban, as: 'fact', before: facts, after: facts },
    { field: iban, as: 'text', before: null, after },
  ]
}

export const ACCOUNT_CONNECT: ProposalKind<{ accounts: string[]; connection: string }, CollectingAccount[]> = {
  ...ofStaff,
  action: 'account.connect',
  normalise: async (app, { accounts, connection }) => {
    const found = await Promise.all(accounts.map((one) => findAccount(app, one)))
    return { accounts: found.map(({ id }) => id).toSorted(), connection }
  },
  targetOf: ({ connection }) => `connection:${connection}`,
  async describe(app, db, { accounts, connection }) {
    await mustKnow(app, db, connection)
    const found = (await accountsInForce({ db, marks: app.marks })).filter(({ id }) => accounts.includes(id))
    return { rows: found.flatMap((account) => connectionRows(account, connection)) }
  },
  apply: (app, actor, { accounts, connection }) => setSourceOfRecord(app, actor, accounts, connection),
}
