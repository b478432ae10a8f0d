import type { FindAnswer, Connection } from '../connections/index.ts'
import type { StoredLine } from '../statements/index.ts'
import { voidHold } from '../ledger/index.ts'
import type { PayoutNeeds } from '../payouts/index.ts'
import { failureOf } from '../payouts/index.ts'
import type { Withdrawal, Restore } from '../withdrawals/index.ts'
import {
  changeWithdrawal,
  lockWithdrawal,
  isFoundUnsent,
  recordCheckResult,
  namesWithdrawal,
} from '../withdrawals/index.ts'

/** `on_statement`: a debit names it, and its amount or number does not fit. `not_sent`: a person says so. */
export type Said = FindAnswer['outcome'] | 'on_statement' | 'not_asked' | 'not_sent'
export type Heard = { withdrawal: Withdrawal; said: Said }

/** Once it is released. By hand, a person looks it up first. */
export function mayLeave(said: Said): boolean {
  return said === 'never_seen' || said === 'not_sent' || said === 'not_asked'
}

/** `complete`: the statements were read to their end. Before that no answer is acted on: a debit may be among the unread lines. */
export type Evidence = { restore: Restore; connections: Connection[]; debits: StoredLine[]; complete: boolean }

const AT_ONCE = 5

/** Asks about each withdrawal that waits, under its reference at every bank. What the bank has refused ends here as failed. */
export async function askWaiting(app: PayoutNeeds, waiting: Withdrawal[], evidence: Evidence): Promise<Heard[]> {
  const heard: Heard[] = []
  for (let first = 0; first < waiting.length; first += AT_ONCE) {
    const some = waiting.slice(first, first + AT_ONCE)
    heard.push(...(await Promise.all(some.map((withdrawal) => askAbout(app, withdrawal, evidence)))))
  }
  return heard
}

async function askAbout(app: PayoutNeeds, withdrawal: Withdrawal, evidence: Evidence): Promise<Heard> {
  const { restore, connections, debits, complete } = evidence
  if (debits.some((line) => namesWithdrawal(line, withdrawal.id))) return { withdrawal, said: 'on_statement' }
  if (connections.length === 0)
    return { withdrawal, said: (await isFoundUnsent(app.db, restore, withdrawal)) ? 'not_sent' : 'not_asked' }
  const { id: reference, amount, iban: toIban, currency } = withdrawal
  const asked = { reference, amount, toIban, currency }
  const answer = strongest(await Promise.all(connections.map((connection) => connection.find(asked))))
  return { withdrawal: complete ? await act(app, withdrawal, restore, answer) : withdrawal, said: answer.outcome }
}

/** A bank that has it, or does not say, counts before one that refused it, and that before one that never saw it. */
function strongest(answers: FindAnswer[]): FindAnswer {
  return (
    answers.find(({ outcome }) => outcome !== 'never_seen' && outcome !== 'rejected') ??
    answers.find(({ outcome }) => outcome === 'rejected') ?? { outcome: 'never_seen' }
  )
}

/** Returns the withdrawal as it is now. */
async function act(
  app: PayoutNeeds,
  { merchantId, id }: Withdrawal,
  restore: Restore,
  answer: FindAnswer,
): Promise<Withdrawal> {
  return app.db.transaction(async (tx) => {
    const withdrawal = (await lockWithdrawal(tx, merchantId, id)) as Withdrawal
    // Cancelled, stopped or settled in the meantime. An answer that says nothing is not recorded.
    if (withdrawal.status !== 'pending' || answer.outcome === 'unknown') return withdrawal
    const detail = answer.outcome === 'rejected' ? answer.reason : null
    await recordCheckResult(app, tx, restore, withdrawal, { kind: 'find', outcome: answer.outcome, detail })
    if (answer.outcome !== 'rejected') return withdrawal
    const failed = await changeWithdrawal(app, tx, withdrawal, {
      stage: 'failed',
      failureReason: failureOf(answer.reason),
    })
    await voidHold(app, tx, { merchantId, subjectId: id })
    return failed
  })
}
