import { foldText } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { part } from '../../../kernel/refusals/part.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { debitsInReview, selectLinesById } from '../../statements/index.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import { openReceivables } from './receivables.ts'

const MAX_READ = 200
/** Shorter numbers are found in any text. */
const MIN_REFERENCE = 5

/**
 * A debit takes back a credit that no one has explained, or a part of it: on its account, not before it, no more than it, and with
 * its sender's IBAN or its number. One that names a payout does not.
 */
export function takesBack(debit: StoredLine, credit: StoredLine): boolean {
  const isLike = debit.collectingAccountId === credit.collectingAccountId && debit.currency === credit.currency
  const isAfter = credit.bookedAt <= bookedUntil(debit) && debit.amount <= credit.amount
  return isLike && isAfter && debit.candidateWithdrawalId === null && shows(debit, credit)
}

function shows(debit: StoredLine, credit: StoredLine): boolean {
  const [to, from] = [debit, credit].map(({ senderIban }) => normaliseIban(senderIban ?? ''))
  const number = foldText(credit.bankReference ?? '')
  return (to !== '' && to === from) || (number.length >= MIN_REFERENCE && foldText(debit.narrative).includes(number))
}

/** All of it is a storno. Of a part the debit is owed, the credit settles it, and what is left stays in suspense. */
export function takenBackStep(debit: StoredLine, credit: StoredLine): ProposeStep {
  if (debit.amount === credit.amount) return propose('storno', [credit.id, debit.id])
  const rest = { amount: credit.amount - debit.amount }
  const afterwards = propose('receivable', [credit.id], { rest }, ['settles'])
  return { ...propose('receivable', [debit.id]), because: 'part_of_unexplained', afterwards }
}

type TakenBack = { what: Said; next: ProposeStep }

/** The debit that took the credit, or a part of it, back, while no one has explained it, or it is owed to us. */
export async function takenBackBy(db: Queryable, credit: StoredLine): Promise<TakenBack | null> {
  const { id, collectingAccountId, bookedAt, amount } = credit
  const since = new Date(bookedAt.getTime() - DAY_MS)
  const waiting = await debitsInReview(db, { collectingAccountId, since }, MAX_READ)
  const debit = waiting.find((one) => takesBack(one, credit))
  if (debit)
    return { what: part('credit_taken_back', { line: debit.id, isOwed: false }), next: takenBackStep(debit, credit) }
  const owed = (await openReceivables(db)).filter(({ account }) => account.subject === collectingAccountId)
  const lineIds = owed.map(({ lineId }) => lineId)
  const booked = (await selectLinesById(db, lineIds)).find((one) => takesBack(one, credit))
  const receivable = owed.find(({ lineId }) => lineId === booked?.id)
  if (!booked || !receivable || receivable.open > amount) return null
  const rest = amount > receivable.open && { rest: { amount: amount - receivable.open } }
  const next = propose('receivable', [id], { settles: receivable.entryId, ...rest })
  return { what: part('credit_taken_back', { line: booked.id, isOwed: true }), next }
}
