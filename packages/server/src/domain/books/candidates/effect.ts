import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import type { ReturnOutcome } from '../../matching/index.ts'
import { amountOfMatch, previewMatch, previewSuspend } from '../../matching/index.ts'
import { findEndpoints, wants } from '../../merchants/index.ts'
import { findPayout, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import type { JournalKind } from '../journal/journal-entry.ts'
import type { NextStep } from './next-step.ts'

/** What a step would do, said before it is done. `callback`: an endpoint of the merchant is told. `takesTwo`: another person must approve it. `thirdParty`: it takes a reason, because the sender is not the customer. */
export type Effect =
  | { does: 'credit'; deposit: Deposit; credited: bigint; callback: boolean; takesTwo: boolean; thirdParty: boolean }
  | { does: 'free'; deposit: Deposit; fails: boolean; callback: boolean }
  | {
      does: 'return'
      outcome: ReturnOutcome
      withdrawalId: string
      merchantId: string
      amount: bigint
    }
  | { does: 'debit'; withdrawalId: string }
  | { does: 'propose'; kind: JournalKind }
  /** Nothing yet: something else comes first. */
  | { does: 'nothing' }

type Deps = { db: Queryable; sandbox: boolean; marks: Marks }

export async function effectOf({ db, sandbox, marks }: Deps, line: StoredLine, step: NextStep): Promise<Effect> {
  switch (step.do) {
    case 'match': {
      const deposit = await previewMatch(db, line, step.depositId)
      if (!deposit) return { does: 'nothing' }
      const callback = await isTold(db, deposit.merchantId, 'deposit.completed')
      const { takesTwo, thirdParty } = await amountOfMatch({ db, sandbox, marks }, line.id, step.depositId)
      const credited = deposit.receivedAmount - deposit.fee
      return { does: 'credit', deposit, credited, callback, takesTwo, thirdParty }
    }
    case 'suspend': {
      const deposit = await previewSuspend(db, line)
      if (!deposit) return { does: 'nothing' }
      const fails = deposit.status === 'failed'
      const callback = await isTold(db, deposit.merchantId, `deposit.${fails ? 'failed' : 'updated'}`)
      return { does: 'free', deposit, fails, callback }
    }
    case 'return':
      return returnEffect(db, step.withdrawalId)
    case 'sent':
      return { does: 'debit', withdrawalId: step.withdrawalId }
    case 'propose':
      return { does: 'propose', kind: step.kind }
    default:
      return { does: 'nothing' }
  }
}

async function returnEffect(db: Queryable, withdrawalId: string): Promise<Effect> {
  const payout = await findPayout(db, withdrawalId)
  if (!payout) return { does: 'nothing' }
  const { merchantId, amount } = payout
  const effect = (outcome: ReturnOutcome): Effect => ({ does: 'return', outcome, withdrawalId, merchantId, amount })
  if (wasNotSent(payout)) return effect('cancelled')
  if (payout.state === 'returned') return effect('noted')
  return effect(merchantId === NO_MERCHANT ? 'reopened' : 'credited')
}

async function isTold(db: Queryable, merchantId: string, type: string): Promise<boolean> {
  const endpoints = await findEndpoints(db, [merchantId])
  return endpoints.some((one) => one.state !== 'removed' && one.url !== null && wants(one, type))
}
