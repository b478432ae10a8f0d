import type { Actor, MerchantActor } from '../../../kernel/actor.ts'
import { merchantActor } from '../../../kernel/actor.ts'
import { duplicateTransaction } from '../../../kernel/duplicate-transaction.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { beforeSaving } from '../../../platform/postgres/database-faults.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { BankDirectory } from '../../banks/index.ts'
import type { Deposit } from '../../deposits/index.ts'
import { lockDeposits } from '../../deposits/index.ts'
import type { FeeTerms } from '../../merchants/index.ts'
import { findMerchant, mustNotBeFrozen, NO_FEE_TERMS } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import type { WithdrawalViews } from '../change-withdrawal.ts'
import { createSpecial, findDuplicates } from '../create-withdrawals.ts'
import { findWithdrawal, selectKnownRequests, sumRefunds } from '../store.ts'
import type { Withdrawal } from '../withdrawal.ts'
import type { GivenRecipient } from './refund-recipient.ts'
import { recipientOf } from './refund-recipient.ts'
import { mustNotBePaidTwice, mustNotBeSuspected, mustNotBeTakenBack } from './refund-guards.ts'
import { updateRefunded } from './update-refunded.ts'

type Deps = { db: Db; clock: Clock; ids: Ids; marks: Marks; banks: BankDirectory; views: WithdrawalViews }

export type RefundRequest = GivenRecipient & {
  processId: string
  /** All that is left, if not given. */
  amount?: bigint
  reason?: string
  /** Although a second payment waits: a person has seen that it is not the one to be refunded. */
  besidesDuplicate?: boolean
  feeTerms: readonly FeeTerms[]
  /** Absent if a person asked for it on a page. */
  signature?: string
}

/**
 * Sends money of a completed deposit back: creates a withdrawal with its hold, and the deposit shows it, in one commit.
 * The deposit is locked first, so that refunds of it follow each other in all processes.
 */
export async function refundDeposit(
  app: Deps,
  actor: MerchantActor,
  depositId: string,
  request: RefundRequest,
): Promise<Withdrawal> {
  const accounts = await beforeSaving(app.banks.accounts())
  return app.db.transaction((tx) => refundIn(app, tx, accounts, actor, depositId, request))
}

/** The same by a user of the merchant, whose role and name are recorded. */
export async function makeRefund(
  app: Deps & Authority,
  actor: Actor,
  merchantId: string,
  depositId: string,
  request: Omit<RefundRequest, 'feeTerms' | 'signature'>,
): Promise<Withdrawal> {
  const accounts = await app.banks.accounts()
  return authorized(
    app,
    actor,
    'refund.make',
    async (tx, audit) => {
      const merchant = await findMerchant({ db: tx }, merchantId)
      mustNotBeFrozen(merchant)
      const feeTerms = merchant.refundsCharged ? merchant.fees : NO_FEE_TERMS
      const asked = { ...request, feeTerms }
      const refund = await refundIn(app, tx, accounts, merchantActor(merchantId), depositId, asked)
      const { id, amount, currency } = refund
      await audit(`deposit:${depositId}`, { after: { refund: id, amount, currency } })
      return refund
    },
    { usersOf: merchantId },
  )
}

async function refundIn(
  app: Deps,
  tx: Tx,
  accounts: Awaited<ReturnType<BankDirectory['accounts']>>,
  actor: MerchantActor,
  depositId: string,
  request: RefundRequest,
): Promise<Withdrawal> {
  const { merchantId } = actor
  const [deposit] = await lockDeposits(tx, [merchantId], [depositId])
  if (!deposit) throw await notADeposit(tx, merchantId, depositId)
  // Before anything that the first request may have changed: a repeat must learn that it is one.
  await mustBeNew(tx, actor, depositId, request)
  await mustNotBeTakenBack(tx, deposit)
  await mustNotBeSuspected(tx, deposit)
  if (!request.besidesDuplicate) await mustNotBePaidTwice(tx, deposit)
  const amount = refundable(deposit, await sumRefunds(tx, merchantId, depositId), request.amount)
  const created = await createSpecial(app, tx, {
    ...(await recipientOf(app, tx, deposit, request, accounts)),
    actor,
    processId: request.processId,
    amount,
    currency: deposit.currency,
    bankId: null,
    userId: deposit.customer.id,
    userName: deposit.customer.username,
    name: deposit.customer.name,
    refundOf: depositId,
    refundReason: request.reason ?? null,
    feeTerms: request.feeTerms,
    ...(request.signature !== undefined && { signature: request.signature }),
  })
  if (created instanceof Refusal) throw created
  await updateRefunded(app, tx, created)
  return created
}

async function notADeposit(tx: Tx, merchantId: string, id: string): Promise<Refusal> {
  if (!(await findWithdrawal(tx, merchantId, id))) return refuse('transaction_unknown', { transaction: id })
  return refuse('refund_of_withdrawal', { transaction: id })
}

/** What a request leaves out was decided by the first one, and does not differ. */
async function mustBeNew(tx: Tx, actor: MerchantActor, depositId: string, request: RefundRequest): Promise<void> {
  const asked = { actor, processId: request.processId }
  const [first] = await findDuplicates(tx, [asked], await selectKnownRequests(tx, [asked]))
  if (!first) return
  const { amount = first.amount, reason = null, iban = first.iban, accountName = first.accountName } = request
  throw duplicateTransaction('withdrawal', first, {
    refundOf: [first.refundOf, depositId],
    amount: [first.amount, amount],
    reason: [first.refundReason, reason],
    iban: [first.iban, iban],
    accountName: [first.accountName, accountName],
  })
}

function refundable(deposit: Deposit, refunded: bigint, wanted?: bigint): bigint {
  const { status, currency, receivedAmount, takenBackAmount } = deposit
  if (status !== 'completed') throw refuse('refund_of_uncompleted_deposit', { status })
  const left = receivedAmount - refunded - takenBackAmount
  if (left > 0n && (wanted === undefined || wanted <= left)) return wanted ?? left
  const facts = {
    refunded: money(refunded, currency),
    received: money(receivedAmount, currency),
    takenBack: takenBackAmount > 0n ? money(takenBackAmount, currency) : null,
  }
  if (left <= 0n) throw refuse('refund_nothing_left', facts)
  const details = { minAmount: 1, maxAmount: Number(left) }
  throw refuse('refund_above_rest', { ...facts, left: money(left, currency) }, { details })
}
