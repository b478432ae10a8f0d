import type { Actor } from '../../../kernel/actor.ts'
import { actorName, merchantActor } from '../../../kernel/actor.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { INTERBANK_CURRENCY } from '../../banks/index.ts'
import { holdAccounts, lockAccounts } from '../../ledger/index.ts'
import type { SettlementAccount } from '../../merchants/index.ts'
import { activeSchedules, dueDay, findMerchant, findSettlementAccount, NO_FEE_TERMS } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import { isAside, runBatch } from '../../set-aside/index.ts'
import { createSpecial } from '../create-withdrawals.ts'
import type { Withdrawal } from '../withdrawal.ts'
import type { Sendable, SeenSettlement } from './preview-settlement.ts'
import { seenHash, SETTLEMENTS_SHOWN, unconfirmedOf, waitsForWhat, whatCanBeSent } from './preview-settlement.ts'
import type { Settlement } from './store.ts'
import { insertSettlement, lastSettlements, notYetSettled, settlementsOn } from './store.ts'

type Deps = { clock: Clock; ids: Ids; marks: Marks }

/**
 * Sends the available balance to the merchant's own account now, because a person says so. `seen`: what the person saw on a
 * page. Then that amount leaves, whatever came in since, to the account that was shown, once.
 */
export function requestSettlement(
  app: Deps & Authority & { db: Db },
  actor: Actor,
  merchantId: string,
  seen?: SeenSettlement,
): Promise<Withdrawal> {
  return authorized(
    app,
    actor,
    'settlement.request',
    async (tx, audit) => {
      const day = istanbul(app.clock.now()).day
      const { made, ...balance } = await lockBalance(app, tx, merchantId, day)
      if (seen) await mustBeSeen(tx, merchantId, balance, seen)
      const possible = whatCanBeSent(merchantId, balance)
      if (possible instanceof Refusal) throw possible
      const amount = seen?.amount ?? possible.amount
      const toSend = { made, account: possible.account, amount, day, requestedBy: actorName(actor) }
      const sent = await send(app, tx, merchantId, toSend)
      await audit(`merchant:${merchantId}`, { after: { withdrawalId: sent.id, amount } })
      return sent
    },
    { usersOf: merchantId },
  )
}

/** A form that is sent twice, or after a settlement of someone else, finds another list of settlements. */
async function mustBeSeen(
  tx: Tx,
  merchantId: string,
  { account, available, unconfirmed }: Sendable,
  { hash, amount }: SeenSettlement,
): Promise<void> {
  const isSame = hash === seenHash(merchantId, account, await lastSettlements(tx, merchantId, SETTLEMENTS_SHOWN))
  if (isSame && amount > 0n && amount <= available - unconfirmed) return
  throw refuse('settlement_changed')
}

/**
 * Makes every scheduled settlement that is due, in any number of processes: once for each merchant and day, because a row
 * of that day is made with it while the merchant's accounts are locked.
 */
export async function settleDue(app: Deps & { db: Db; log: Log }): Promise<number> {
  const now = app.clock.now()
  const due = (await activeSchedules(app.db)).flatMap((schedule) => {
    const day = dueDay(schedule, now)
    return day === null ? [] : [{ merchantId: schedule.merchantId, minimum: schedule.minimum, day }]
  })
  let settled = 0
  for (const one of due.length > 0 ? await notYetSettled(app.db, due) : []) {
    const { moved } = await runBatch<Due, Due>(app, {
      what: 'settlement',
      idOf: ({ merchantId }) => merchantId,
      claim: async (tx, only) => only ?? ((await isAside(tx, 'settlement', one.merchantId)) ? [] : [one]),
      work: async (tx) => ((await settleScheduled(app, tx, one)) ? [one] : []),
    })
    settled += moved
  }
  return settled
}

type Due = { merchantId: string; minimum: bigint; day: string }

/** False if it waits, or another process was first. */
async function settleScheduled(app: Deps, tx: Tx, { merchantId, minimum, day }: Due): Promise<boolean> {
  const { made, account, available, unconfirmed, waitsFor } = await lockBalance(app, tx, merchantId, day)
  const amount = available - unconfirmed
  if (!account || waitsFor || made.some(({ requestedBy }) => requestedBy === null)) return false
  if (amount >= minimum && amount > 0n)
    await send(app, tx, merchantId, { made, account, amount, day, requestedBy: null })
  else {
    const nothing = { day, requestedBy: null, amount: 0n, withdrawalId: null }
    await insertSettlement(tx, merchantId, made.length + 1, nothing, app.clock.now())
  }
  return true
}

/** Read after the lock, so that settlements of a merchant see each other. */
async function lockBalance({ marks }: Deps, tx: Tx, merchantId: string, day: string) {
  const merchant = await findMerchant({ db: tx }, merchantId)
  const refs = holdAccounts(merchantId, INTERBANK_CURRENCY)
  const available = (await lockAccounts(tx, Object.values(refs))).balanceOf(refs.available)
  const made = await settlementsOn(tx, merchantId, day)
  const account = await findSettlementAccount({ db: tx, marks }, merchantId)
  const unconfirmed = await unconfirmedOf(tx, merchantId)
  return { made, available, unconfirmed, account, waitsFor: await waitsForWhat(tx, merchant) }
}

type ToSend = {
  made: Settlement[]
  account: SettlementAccount
  amount: bigint
  day: string
  requestedBy: string | null
}

/** The merchant may have used our processIds for its own withdrawals. */
const MAX_NUMBER = 100

async function send(app: Deps, tx: Tx, merchantId: string, settlement: ToSend): Promise<Withdrawal> {
  const { made, account, amount, day, requestedBy } = settlement
  const before = made.filter(({ withdrawalId }) => withdrawalId !== null).length
  for (let number = before + 1; number <= MAX_NUMBER; number++) {
    const created = await createSpecial(app, tx, {
      actor: merchantActor(merchantId),
      processId: `settlement-${day}${number === 1 ? '' : `-${number}`}`,
      amount,
      currency: INTERBANK_CURRENCY,
      bankId: null,
      iban: account.iban,
      accountName: account.title,
      userId: merchantId,
      userName: merchantId,
      name: account.title,
      settlement: true,
      feeTerms: NO_FEE_TERMS,
    })
    if (created instanceof Refusal && created.code === 'DUPLICATE_TRANSACTION') continue
    if (created instanceof Refusal) throw created
    const row = { day, requestedBy, amount, withdrawalId: created.id }
    await insertSettlement(tx, merchantId, made.length + 1, row, app.clock.now())
    return created
  }
  throw refuse('settlement_numbers_used', { day, most: MAX_NUMBER })
}
