import { money } from '../../../../../kernel/refusals/facts.ts'
import type { Said } from '../../../../../platform/refusal.ts'
import { note } from '../../../../../kernel/refusals/note.ts'
import type { OrderReport, StatusReason, TransactionReport } from '@vezne/bank-formats'
import { reportedSum } from '@vezne/bank-formats'
import type { FailureReason } from '../../../withdrawal.ts'
import type { Payout } from '../../payout.ts'
import type { Batch } from '../batch.ts'

/** What the bank says about one order, at the most detailed level that has a status. */
export type Status = {
  status: string | null
  reasons: StatusReason[]
  /** About this order, or about the file. */
  own: boolean
  bankReference: string | null
  /** Why it cannot be acted on. */
  problem: Said | null
}

/** Executed: the money has left the account. */
export const SETTLED: readonly string[] = ['ACSC', 'ACCC']
const REJECTED = 'RJCT'
/** The bank has seen it before, so an earlier one may have been paid. */
const DUPLICATE = /^(?:DU0[1-5]|AM05|DUPL)$/

const REASONS: Readonly<Record<string, FailureReason>> = {
  ...{ AC01: 'invalid_iban', AC03: 'invalid_iban', AC04: 'account_closed', AC07: 'account_closed' },
  ...{ AM02: 'limit_exceeded', AM14: 'limit_exceeded', AM21: 'limit_exceeded', BE01: 'name_mismatch' },
}

export const isSettled = ({ status }: Pick<Status, 'status'>) => SETTLED.includes(status ?? '')
export const isRejected = ({ status }: Pick<Status, 'status'>) => status === REJECTED
/** The bank works on it. */
export const isInProcess = ({ status }: Pick<Status, 'status'>) => status === 'ACSP'

export function saidAbout(report: OrderReport, batch: Batch, payout: Payout): Status {
  const { group, payments } = report
  const own = payments.flatMap(({ transactions }) => transactions.filter((one) => names(one, payout.withdrawalId)))
  const [first] = own
  // One account a file is one payment information.
  const levels = [first, payments.find(({ status }) => status !== null), group].filter((level) => level !== undefined)
  const { status = null, reasons = [] } = levels.find((level) => level.status !== null) ?? {}
  const problem =
    reportProblem(report, batch) ??
    ownProblem(own, payout) ??
    (disagree(levels) ? note('report_levels_disagree') : null)
  return {
    status,
    reasons,
    own: (first?.status ?? null) !== null,
    bankReference: first?.bankReference ?? null,
    problem,
  }
}

const names = ({ endToEndId, instructionId }: TransactionReport, id: string) => (endToEndId ?? instructionId) === id

/** What is said about orders that are not in `known`. Of two things said about one, that it was executed. */
export function saidAboutOthers({ payments }: OrderReport, known: Set<string>): Map<string, string | null> {
  const others = new Map<string, string | null>()
  for (const { endToEndId, instructionId, status } of payments.flatMap(({ transactions }) => transactions)) {
    const id = endToEndId ?? instructionId
    if (id === null || known.has(id)) continue
    if (!others.has(id) || isSettled({ status })) others.set(id, status)
  }
  return others
}

/** The bank should not have the file. A report about it shows that it has, so all its orders may be paid. */
export const isUnexpected = ({ state }: Batch) => state === 'cut' || state === 'staged' || state === 'cancelled'

/** The report is about another file than the one that we made, or about one that the bank cannot have. */
function reportProblem({ group, payments }: OrderReport, batch: Batch): Said | null {
  if (isUnexpected(batch)) return note(batch.state === 'cancelled' ? 'report_file_cancelled' : 'report_file_unreleased')
  for (const level of [group, ...payments]) {
    if (level.count !== null && level.count !== batch.orders)
      return note('report_count_differs', { said: level.count, orders: batch.orders })
    const sum = reportedSum(level, batch.currency)
    if (sum !== null && sum !== batch.amount) {
      const { currency } = batch
      return note('report_sum_differs', { said: money(sum, currency), sum: money(batch.amount, currency) })
    }
  }
  const other = payments.find(({ id }) => id !== null && id !== batch.id)
  return other ? note('report_payment_differs', { payment: other.id ?? '' }) : null
}

function ownProblem(own: TransactionReport[], payout: Payout): Said | null {
  if (new Set(own.map(({ status }) => status)).size > 1) return note('report_two_statuses')
  for (const { amount, currency, iban } of own) {
    if (amount !== null && (amount !== payout.amount || currency !== payout.currency))
      return note('report_amount_differs', {
        said: money(amount, currency ?? payout.currency),
        amount: money(payout.amount, payout.currency),
      })
    if (iban !== null && iban !== payout.iban) return note('report_recipient_differs')
  }
  return null
}

function disagree(levels: { status: string | null }[]): boolean {
  return levels.some(isSettled) && levels.some(isRejected)
}

export function isDuplicate({ reasons }: Status): boolean {
  return reasons.some(({ code }) => DUPLICATE.test(code ?? ''))
}

export function failureOfReport({ reasons }: Status): FailureReason {
  return reasons.map(({ code }) => REASONS[code ?? '']).find((reason) => reason !== undefined) ?? 'bank_refused'
}

/** For people: the status with its codes and texts. */
export function saidOf({ status, reasons }: Status): string[] {
  const details = reasons.map(({ code, text }) => [code, text.slice(0, 200)].filter(Boolean).join(' '))
  return [...(status === null ? [] : [status]), ...details]
}
