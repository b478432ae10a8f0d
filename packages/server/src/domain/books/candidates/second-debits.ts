import { sumOf } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { furtherDebits, givenBackBy, selectPayoutsById } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { debitsInReview, selectLinesNaming } from '../../statements/index.ts'
import type { ProposeStep } from '../journal/propose-step.ts'
import { propose } from '../journal/propose-step.ts'
import { BACK_MS } from '../journal/windows.ts'
import { fewestMaking, otherCredits } from './rest-of-payout.ts'

const MAX_READ = 200
const MAX_OF_A_KIND = 20

/** The further debit is owed first, the credit then settles it, and what will not come back is written off. Null: there is none. */
export function giveBackStep(credit: StoredLine, payout: Payout, its: StoredLine[]): ProposeStep | null {
  const debits = givenBackBy(credit, furtherDebits(payout, its))
  if (debits.length === 0) return null
  const owed = sumOf(debits)
  const first = { ...propose('receivable', idsOf(debits)), because: 'second_debit_first' as const }
  if (owed < credit.amount) return first
  const settles = propose('receivable', [credit.id], {}, ['settles'])
  const isWhole = restOfDebit(credit, owed, its) !== undefined
  return { ...first, afterwards: isWhole ? settles : { ...settles, afterwards: writeOff } }
}

const writeOff: ProposeStep = { ...propose('bank_charge', [], {}, ['settles']), because: 'no_credit_covers_it' }

const idsOf = (lines: StoredLine[]) => lines.map(({ id }) => id)

/** The credits about the payout that give the debit back together with this one. */
const restOfDebit = (credit: StoredLine, owed: bigint, its: StoredLine[]) =>
  fewestMaking(owed - credit.amount, otherCredits(credit, its))

/** Payouts with a further debit that a credit which names none gives back, alone or with credits that do. */
export async function payoutsGivenBack(db: Queryable, credit: StoredLine): Promise<Payout[]> {
  const { collectingAccountId, bookedAt } = credit
  const since = new Date(bookedAt.getTime() - BACK_MS)
  const debits = await debitsInReview(db, { collectingAccountId, since }, MAX_READ)
  const ids = debits.filter((debit) => debit.amount >= credit.amount).map((debit) => debit.candidateWithdrawalId)
  const named = [...new Set(ids)].filter((id) => id !== null).slice(0, MAX_OF_A_KIND)
  const fits = await Promise.all(named.map((id) => isGivenBack(db, credit, id, debits)))
  return selectPayoutsById(
    db,
    named.filter((_id, place) => fits[place]),
  )
}

async function isGivenBack(db: Queryable, credit: StoredLine, id: string, debits: StoredLine[]): Promise<boolean> {
  const its = await selectLinesNaming(db, id, MAX_OF_A_KIND)
  return debits.some(
    (debit) => debit.candidateWithdrawalId === id && restOfDebit(credit, debit.amount, its) !== undefined,
  )
}
