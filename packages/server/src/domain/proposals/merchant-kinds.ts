import type { Fee } from '../../kernel/money.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { FeeChange, MatchingRules, NetworkChange, PayoutRules, SettlementAccount } from '../merchants/index.ts'
import {
  callbackNetworks,
  changeCallbackNetworks,
  changedNetworks,
  changeFees,
  changeNetworks,
  checkCallbackNetworks,
  checkedAccount,
  checkFee,
  checkNetworks,
  findMerchant,
  findSettlementAccount,
  freezeMerchant,
  lockMerchant,
  matchingAllows,
  matchLimit,
  merchantInForce,
  opensNetworks,
  payoutRulesInForce,
  registerSettlementAccount,
  setMatching,
  setMaxOpenDeposits,
  setPayoutRules,
  setRefundsCharged,
  termsAt,
  unfreezeMerchant,
} from '../merchants/index.ts'
import { loosens } from '../people/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

type Of = { merchantId: string }

/** All these lock the merchant before they change it. */
const OF_MERCHANT = {
  targetOf: ({ merchantId }: Of) => `merchant:${merchantId}`,
  merchantOf: ({ merchantId }: Of) => merchantId,
  lock: (tx: Parameters<typeof lockMerchant>[0], { merchantId }: Of) => lockMerchant(tx, merchantId),
}

const OF_NETWORKS = {
  ...OF_MERCHANT,
  normalise: (_app: unknown, { merchantId, add = [], remove = [] }: Of & NetworkChange) =>
    Promise.resolve({ merchantId, add: add.toSorted(), remove: remove.toSorted() }),
}

/** Taking one back is for one person. */
export const CALLBACK_NETWORKS: ProposalKind<Of & NetworkChange, string[]> = {
  ...OF_NETWORKS,
  action: 'endpoint.networks',
  async describe({ marks }, db, { merchantId, ...change }) {
    checkCallbackNetworks(change.add ?? [])
    await findMerchant({ db }, merchantId)
    const before = await callbackNetworks({ db, marks }, merchantId)
    return {
      rows: [{ field: 'callbackNetworks', as: 'list', before, after: changedNetworks(before, change) }],
      alone: (change.add ?? []).length === 0,
    }
  },
  apply: (app, actor, { merchantId, ...change }) => changeCallbackNetworks(app, actor, merchantId, change),
}

export const NETWORKS: ProposalKind<Of & NetworkChange, string[]> = {
  ...OF_NETWORKS,
  action: 'merchant.networks',
  async describe({ marks }, db, { merchantId, ...change }) {
    checkNetworks(change.add ?? [])
    const { networks } = await merchantInForce({ db, marks }, merchantId)
    const after = changedNetworks(networks, change)
    return {
      rows: [{ field: 'networks', as: 'list', before: networks, after }],
      alone: !opensNetworks(networks, after),
    }
  },
  apply: (app, actor, { merchantId, ...change }) => changeNetworks(app, actor, merchantId, change),
}

export const FEES: ProposalKind<Of & FeeChange, Awaited<ReturnType<typeof changeFees>>> = {
  ...OF_MERCHANT,
  action: 'merchant.fees',
  async describe({ clock }, db, { merchantId, deposit, withdraw, from }) {
    checkFee(deposit)
    checkFee(withdraw)
    const before = termsAt((await findMerchant({ db }, merchantId)).fees, from ?? clock.now())
    return {
      rows: [
        ...feeRows('deposit', before.deposit, { ...before.deposit, ...deposit }),
        ...feeRows('withdraw', before.withdraw, { ...before.withdraw, ...withdraw }),
        ...(from ? [{ field: 'from', as: 'time' as const, before: null, after: from.toISOString() }] : []),
      ],
    }
  },
  apply: (app, actor, { merchantId, ...change }) => changeFees(app, actor, merchantId, change),
}

function feeRows(kind: 'deposit' | 'withdraw', before: Fee, after: Fee): Difference[] {
  const money = (name: 'fixed' | 'min' | 'max') =>
    ({ field: `${kind}.${name}`, as: 'money', before: amount(before[name]), after: amount(after[name]) }) as const
  return [
    { field: `${kind}.bps`, as: 'bps', before: before.bps, after: after.bps },
    money('fixed'),
    money('min'),
    money('max'),
  ]
}

/** JSON has no bigint. */
const amount = (value: bigint | null) => (value === null ? null : String(value))

export const REFUNDS: ProposalKind<Of & { charged: boolean }, void> = {
  ...OF_MERCHANT,
  action: 'merchant.settings',
  async describe(_app, db, { merchantId, charged }) {
    const { refundsCharged } = await findMerchant({ db }, merchantId)
    return { rows: [{ field: 'refundsCharged', as: 'text', before: refundsCharged, after: charged }] }
  },
  apply: (app, actor, { merchantId, charged }) => setRefundsCharged(app, actor, merchantId, charged),
}

/** One person freezes at once; two end it. */
export const FREEZE: ProposalKind<Of & { frozen: boolean }, void> = {
  ...OF_MERCHANT,
  action: 'merchant.freeze',
  async describe(_app, db, { merchantId, frozen }) {
    const before = (await findMerchant({ db }, merchantId)).frozen
    return {
      rows: [{ field: 'frozen', as: 'text', before, after: frozen }],
      alone: frozen,
      mustExplain: (why) => mustGiveReason('why', why),
    }
  },
  apply: (app, actor, { merchantId, frozen }, why) =>
    (frozen ? freezeMerchant : unfreezeMerchant)(app, actor, merchantId, why ?? ''),
}

export const OPEN_DEPOSITS: ProposalKind<Of & { max: number }, void> = {
  ...OF_MERCHANT,
  action: 'merchant.settings',
  async describe(_app, db, { merchantId, max }) {
    const { maxOpenDeposits } = await findMerchant({ db }, merchantId)
    return {
      rows: [{ field: 'maxOpenDeposits', as: 'text', before: maxOpenDeposits, after: max }],
      alone: !loosens({ max: maxOpenDeposits }, { max }),
    }
  },
  apply: (app, actor, { merchantId, max }) => setMaxOpenDeposits(app, actor, merchantId, max),
}

const COUNTS: ReadonlySet<string> = new Set(['dailyCount', 'dailyIbanCount'])

export const PAYOUT_RULES: ProposalKind<Of & Partial<PayoutRules>, PayoutRules> = {
  ...OF_MERCHANT,
  action: 'merchant.settings',
  async describe(app, db, { merchantId, ...change }) {
    const { payoutRules } = await merchantInForce({ db, marks: app.marks }, merchantId)
    const before = payoutRulesInForce(payoutRules, app)
    const after = payoutRulesInForce({ ...payoutRules, ...change }, app)
    const rows = (Object.keys(before) as (keyof PayoutRules)[]).map((field): Difference => {
      const shown = (value: bigint | number | null) => (typeof value === 'bigint' ? String(value) : value)
      return {
        field,
        as: COUNTS.has(field) ? 'text' : 'money',
        before: shown(before[field]),
        after: shown(after[field]),
      }
    })
    return { rows, alone: !loosens(before, after) }
  },
  apply: (app, actor, { merchantId, ...change }) => setPayoutRules(app, actor, merchantId, change),
}

export const MATCHING: ProposalKind<Of & Partial<MatchingRules>, MatchingRules> = {
  ...OF_MERCHANT,
  action: 'merchant.settings',
  async describe(app, db, { merchantId, ...change }) {
    const { matching } = await merchantInForce({ db, marks: app.marks }, merchantId)
    const inForce = (rules: MatchingRules) => ({ ...rules, approveFrom: matchLimit(rules, app) })
    const changed = { ...matching, ...change }
    const [before, after] = [inForce(matching), inForce(changed)]
    const text = (field: 'amount' | 'late' | 'nameCheck') =>
      ({ field: `matching.${field}`, as: 'text', before: before[field], after: after[field] }) as const
    const money = (field: 'tolerance' | 'approveFrom') =>
      ({ field: `matching.${field}`, as: 'money', before: amount(before[field]), after: amount(after[field]) }) as const
    const rows = [text('amount'), money('tolerance'), text('late'), text('nameCheck'), money('approveFrom')]
    return { rows, alone: !loosens(matchingAllows(matching, app), matchingAllows(changed, app)) }
  },
  apply: (app, actor, { merchantId, ...change }) => setMatching(app, actor, merchantId, change),
}

export const SETTLEMENT_ACCOUNT: ProposalKind<Of & SettlementAccount, SettlementAccount> = {
  ...OF_MERCHANT,
  action: 'settlement.account',
  always: true,
  normalise: async (app, { merchantId, ...given }) => ({ merchantId, ...(await checkedAccount(app, given)) }),
  async describe(app, db, { merchantId, ...given }) {
    const after = await checkedAccount(app, given)
    await findMerchant({ db }, merchantId)
    const before = await findSettlementAccount({ db, marks: app.marks }, merchantId)
    return {
      rows: [
        { field: 'iban', as: 'text', before: before?.iban ?? null, after: after.iban },
        { field: 'title', as: 'text', before: before?.title ?? null, after: after.title },
      ],
    }
  },
  apply: (app, actor, { merchantId, ...account }) => registerSettlementAccount(app, actor, merchantId, account),
}
