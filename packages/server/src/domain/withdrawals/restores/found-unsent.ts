import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import type { Rail } from '../../connections/index.ts'
import type { PayoutCall } from '../payouts/payout.ts'
import { insertCall, selectCalls } from '../payouts/store.ts'
import { lockWithdrawal } from '../store.ts'
import type { Withdrawal } from '../withdrawal.ts'
import type { Restore } from './store.ts'
import { selectOpenRestore } from './store.ts'
import { namesWithdrawal, outgoingLines } from './unexplained.ts'

/** In the record of calls, with every answer of a check. Another mark makes another stamp: answers from before it do not count. */
const stampOf = ({ number, markedAt }: Restore) => `restore ${number}, marked ${markedAt.toISOString()}`

const UNSENT = new Set(['never_seen', 'not_sent'])
const LEAST_EVIDENCE = 5

/** What the checks of this restore were told about the withdrawal: by the bank, or by a person. */
async function answersOf(db: Queryable, restore: Restore, { merchantId, id }: Withdrawal): Promise<string[]> {
  const calls = await selectCalls(db, merchantId, id)
  return calls.filter(({ detail }) => detail?.startsWith(stampOf(restore))).map(({ outcome }) => outcome)
}

/**
 * Two checks may record in another order than they asked: once the bank has said that it has it, *never seen* counts no more. Nor
 * does it when a debit that was read since names the withdrawal.
 */
export async function isFoundUnsent(db: Queryable, restore: Restore, withdrawal: Withdrawal): Promise<boolean> {
  const answers = await answersOf(db, restore, withdrawal)
  if (answers.length === 0 || !answers.every((one) => UNSENT.has(one))) return false
  return !(await outgoingLines(db)).some((line) => namesWithdrawal(line, withdrawal.id))
}

/** The caller has locked the withdrawal. An answer that was recorded before is not recorded again. */
export async function recordAnswer(
  app: { clock: Clock },
  tx: Tx,
  restore: Restore,
  withdrawal: Withdrawal,
  { kind, outcome, detail }: PayoutCall,
): Promise<void> {
  if ((await answersOf(tx, restore, withdrawal)).includes(outcome)) return
  const call = { kind, outcome, detail: [stampOf(restore), detail].filter(Boolean).join(': ') }
  await insertCall(tx, { merchantId: withdrawal.merchantId, withdrawalId: withdrawal.id }, call, app.clock.now())
}

/** Where there is no bank to ask, a person has looked it up and says that it was not sent. */
export async function recordUnsent(
  app: { db: Db; clock: Clock; rails: Rail[] },
  { merchantId, id }: Withdrawal,
  { by, checked }: { by: string; checked: string },
): Promise<void> {
  if (checked.trim().length < LEAST_EVIDENCE) throw invalidField('checked', 'must say where you looked it up')
  if (app.rails.some(({ name }) => name !== 'manual'))
    throw new Refusal('INVALID_STATE', 'There is a bank to ask about it. Run: npx vezne restore-check')
  await app.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, merchantId, id)
    const restore = await selectOpenRestore(tx)
    if (!restore || withdrawal?.status !== 'pending')
      throw new Refusal(
        'INVALID_STATE',
        `The withdrawal is ${withdrawal?.status}; only a pending one, before the release, is marked as not sent.`,
      )
    await recordAnswer(app, tx, restore, withdrawal, {
      kind: 'person',
      outcome: 'not_sent',
      detail: `${by}: ${checked.trim()}`,
    })
  })
}
