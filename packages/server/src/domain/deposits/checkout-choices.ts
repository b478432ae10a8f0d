import type { Actor } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankDirectory } from '../banks/index.ts'
import { findAccount, setAccountState } from '../banks/index.ts'
import type { AccountState, CollectingAccount } from '../banks/index.ts'
import type { Audit, Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import { runBatch } from '../set-aside/index.ts'
import type { AccountPool } from './account-pool.ts'
import type { DepositViews, Changes } from './change-deposits.ts'
import { changeDeposits } from './change-deposits.ts'
import { rangeRefusal } from './create-deposits.ts'
import type { Deposit } from './deposit.ts'
import { isClaimed, isShort, payableUntil } from './deposit.ts'
import { claimPendingOnAccount, lockDeposits } from './store.ts'

type Deps = { db: Db; clock: Clock; ids: Ids; log: Log; banks: BankDirectory; views: DepositViews; pool: AccountPool }
type Key = Pick<Deposit, 'merchantId' | 'id'>

/** Deposits per transaction when an account is blocked and its deposits move. */
const BATCH_SIZE = 500

/** Each change of bank is an event for the merchant; no legitimate customer makes this many. */
const MAX_VISIBLE_CHANGES = 20

/** The customer chooses a bank, or another one. The account shown before stays valid for money already sent to it. */
export async function chooseBank(app: Deps, key: Key, bankId: string): Promise<Deposit> {
  return changePending(app, key, async (deposit) => {
    if (deposit.bankId === bankId && deposit.collectingAccountId !== null) return null
    // Without an account there is nothing to pay into, so the last choice is always possible.
    if (deposit.collectingAccountId !== null) mustChangeSeldom(deposit)
    const options = await app.banks.optionsFor(deposit.merchantId, deposit.currency)
    const refusal = rangeRefusal(options, bankId, deposit)
    if (refusal) throw refusal
    const account = await app.pool.assign(deposit.merchantId, bankId, deposit.currency, deposit.amount)
    if (account === null) throw refuse('bank_accounts_taken')
    await giveBack(app, deposit)
    return { ...withAccount(deposit, account), bankId, accountChangedAt: null }
  })
}

/** The customer goes back to the bank list. */
export async function forgetBank(app: Deps, key: Key): Promise<Deposit> {
  return changePending(app, key, async (deposit) => {
    mustChangeSeldom(deposit)
    await giveBack(app, deposit)
    return { ...withAccount(deposit, null), bankId: null, claimedAt: null }
  })
}

function mustChangeSeldom({ sequence }: Deposit): void {
  if (sequence >= MAX_VISIBLE_CHANGES) throw refuse('bank_changed_too_often')
}

async function giveBack({ pool }: Deps, { merchantId, collectingAccountId, amount }: Deposit): Promise<void> {
  if (collectingAccountId !== null) await pool.giveBack(merchantId, collectingAccountId, amount)
}

/** "I have sent it", or the rest of it: changes the text on the page, never the money. */
export async function claimPayment(app: Deps, key: Key): Promise<Deposit> {
  return changeUnpaid(app, key, async (deposit) => {
    if (deposit.collectingAccountId === null) throw refuse('bank_not_chosen')
    return isClaimed(deposit) ? null : { claimedAt: app.clock.now() }
  })
}

/** The claim was a mistake: the page shows the details again. */
export async function takeBackClaim(app: Deps, key: Key): Promise<Deposit> {
  return changeUnpaid(app, key, async ({ claimedAt }) => (claimedAt === null ? null : { claimedAt: null }))
}

/** The customer has seen that the account has changed. */
export async function acknowledgeAccount(app: Deps, key: Key): Promise<Deposit> {
  return changePending(app, key, async () => ({ accountChangedAt: null }))
}

type Choose = (deposit: Deposit) => Promise<Changes | null>

function changePending(app: Deps, key: Key, choose: Choose): Promise<Deposit> {
  return changeUnpaid(app, key, async (deposit) => {
    if (deposit.status !== 'pending') throw refuse('deposit_not_pending', { status: deposit.status })
    return choose(deposit)
  })
}

/** Pending, or with a rest that is missing. */
async function changeUnpaid(app: Deps, { merchantId, id }: Key, choose: Choose): Promise<Deposit> {
  return app.db.transaction(async (tx) => {
    const [deposit] = await lockDeposits(tx, [merchantId], [id])
    if (!deposit) throw refuse('deposit_unknown', { deposit: id })
    if (deposit.status !== 'pending' && !isShort(deposit))
      throw refuse('deposit_not_pending', { status: deposit.status })
    if (payableUntil(deposit) <= app.clock.now()) throw refuse('deposit_time_passed')
    const changes = await choose(deposit)
    const [after = deposit] = changes ? await changeDeposits(app, tx, [{ deposit, changes }]) : []
    return after
  })
}

/** Pauses, drains, blocks or opens an account. If it is blocked, customers who have not paid yet are shown another one. */
export async function changeAccountState(
  app: Deps & Authority,
  actor: Actor,
  idOrIban: string,
  state: AccountState,
  reason: string | null = null,
): Promise<CollectingAccount & { moved: number }> {
  // A block also stops payouts. In a sandbox one tries it out.
  if (reason !== null || (state === 'blocked' && !app.sandbox)) mustGiveReason('why', reason ?? '')
  const account = await findAccount(app, idOrIban)
  const decide = async (tx: Tx, audit: Audit) => {
    await setAccountState(app, tx, account.id, state)
    await audit(`account:${account.id}`, {
      before: { state: account.state },
      after: { state },
      reason: reason?.trim() ?? null,
    })
  }
  await authorized(app, actor, 'account.state', decide, { brake: state === 'blocked' })
  let moved = 0
  if (state === 'blocked') {
    for (let count = 1; count > 0; moved += count) count = await moveDeposits(app, account.id)
  }
  return { ...account, state, moved }
}

/** Moves deposits that another process assigned in the second before it learned of the block. */
export async function leaveBlockedAccounts(app: Deps): Promise<number> {
  let moved = 0
  for (const { id } of await app.banks.blockedAccounts()) moved += await moveDeposits(app, id)
  return moved
}

async function moveDeposits(app: Deps, accountId: string): Promise<number> {
  const { moved } = await runBatch<Deposit, Deposit>(app, {
    what: 'deposit',
    idOf: ({ id }) => id,
    claim: (tx, only) => claimPendingOnAccount(tx, accountId, BATCH_SIZE, only),
    work: (tx, deposits) => moveFrom(app, tx, accountId, deposits),
  })
  return moved
}

async function moveFrom(app: Deps, tx: Tx, accountId: string, deposits: Deposit[]): Promise<Deposit[]> {
  const accountChangedAt = app.clock.now()
  const moves: { deposit: Deposit; changes: Changes }[] = []
  for (const deposit of deposits) {
    const { merchantId, bankId, currency, amount } = deposit
    const next = bankId === null ? null : await app.pool.assign(merchantId, bankId, currency, amount, accountId)
    const moved = { ...withAccount(deposit, next), accountChangedAt, claimedAt: null }
    // If the bank has no other account, the customer must choose again.
    moves.push({ deposit, changes: next === null ? { ...moved, bankId: null } : moved })
  }
  await changeDeposits(app, tx, moves)
  return deposits
}

function withAccount({ collectingAccountId, previousAccountIds }: Deposit, next: string | null): Changes {
  const before = collectingAccountId !== null && collectingAccountId !== next ? [collectingAccountId] : []
  return {
    collectingAccountId: next,
    previousAccountIds: [...new Set([...previousAccountIds, ...before])].filter((id) => id !== next),
  }
}
