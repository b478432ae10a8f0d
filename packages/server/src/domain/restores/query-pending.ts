import type { FindAnswer, Connection } from '../connections/index.ts'
import type { StoredLine } from '../statements/index.ts'
import { voidHold } from '../ledger/index.ts'
import type { PayoutDeps, Withdrawal, Restore } from '../withdrawals/index.ts'
import {
  failureOf,
  changeWithdrawal,
  lockWithdrawal,
  isFoundUnsent,
  recordCheckResult,
  namesWithdrawal,
} from '../withdrawals/index.ts'

/** `on_statement`: a debit names it, but its amount or number does not fit. `not_sent`: a person confirmed it. */
export type BankStatus = FindAnswer['outcome'] | 'on_statement' | 'not_asked' | 'not_sent'
export type Checked = { withdrawal: Withdrawal; said: BankStatus }

/** Whether it may be sent after the release. For payouts by hand, a person checks first. */
export function maySend(said: BankStatus): boolean {
  return said === 'never_seen' || said === 'not_sent' || said === 'not_asked'
}

export type Evidence = {
  restore: Restore
  /** Banks that can be queried. */
  connections: Connection[]
  /** Payouts also leave in files, which no bank is queried about: a person must check. */
  filesToo: boolean
  debits: StoredLine[]
  /** The statements were read to the end. Before that no response is acted on: a debit may be among the unread lines. */
  complete: boolean
}

const BATCH_SIZE = 5

/** Queries each waiting withdrawal by its reference at every bank. Withdrawals that the bank has refused end as failed. */
export async function queryPending(app: PayoutDeps, waiting: Withdrawal[], evidence: Evidence): Promise<Checked[]> {
  const checked: Checked[] = []
  for (let first = 0; first < waiting.length; first += BATCH_SIZE) {
    const some = waiting.slice(first, first + BATCH_SIZE)
    checked.push(...(await Promise.all(some.map((withdrawal) => queryOne(app, withdrawal, evidence)))))
  }
  return checked
}

async function queryOne(app: PayoutDeps, withdrawal: Withdrawal, evidence: Evidence): Promise<Checked> {
  const { restore, connections, filesToo, debits, complete } = evidence
  const unasked = async () => ((await isFoundUnsent(app.db, restore, withdrawal)) ? 'not_sent' : 'not_asked')
  if (debits.some((line) => namesWithdrawal(line, withdrawal.id))) return { withdrawal, said: 'on_statement' }
  if (connections.length === 0) return { withdrawal, said: await unasked() }
  const { id: reference, amount, iban: toIban, currency } = withdrawal
  const transfer = { reference, amount, toIban, currency }
  const answer = strongest(await Promise.all(connections.map((connection) => connection.find(transfer))))
  const said = filesToo && answer.outcome === 'never_seen' ? await unasked() : answer.outcome
  return { withdrawal: complete ? await act(app, withdrawal, restore, answer) : withdrawal, said }
}

/** A bank that has it or does not know takes precedence over one that refused it, and that over one that never saw it. */
function strongest(answers: FindAnswer[]): FindAnswer {
  return (
    answers.find(({ outcome }) => outcome !== 'never_seen' && outcome !== 'rejected') ??
    answers.find(({ outcome }) => outcome === 'rejected') ?? { outcome: 'never_seen' }
  )
}

/** Returns the current withdrawal. */
async function act(
  app: PayoutDeps,
  { merchantId, id }: Withdrawal,
  restore: Restore,
  answer: FindAnswer,
): Promise<Withdrawal> {
  return app.db.transaction(async (tx) => {
    const withdrawal = (await lockWithdrawal(tx, merchantId, id)) as Withdrawal
    // Cancelled, stopped or settled meanwhile. An unknown outcome is not recorded.
    if (withdrawal.status !== 'pending' || answer.outcome === 'unknown') return withdrawal
    const detail = answer.outcome === 'rejected' ? answer.reason : null
    await recordCheckResult(app, tx, restore, withdrawal, { kind: 'find', outcome: answer.outcome, detail })
    if (answer.outcome !== 'rejected') return withdrawal
    const failed = await changeWithdrawal(app, tx, withdrawal, {
      state: 'failed',
      failureReason: failureOf(answer.reason),
    })
    await voidHold(app, tx, { merchantId, subjectId: id })
    return failed
  })
}
