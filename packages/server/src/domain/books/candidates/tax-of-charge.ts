import { foldText } from '../../../kernel/fold.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { StoredLine } from '../../statements/index.ts'
import { debitsInReviewOf } from '../../statements/index.ts'
import { amountsBeside, chargeAndTax } from '../journal/charge-and-tax.ts'
import { propose } from '../journal/propose-step.ts'
import { isCalledTax } from './bank-words.ts'
import type { LineCandidate } from './line-candidate.ts'
import { ofOther } from './line-candidate.ts'
import type { Fact } from './reason.ts'

const MAX_READ = 200
const MAX_FOUND = 3

/** A charge and the tax on it that both wait, of one day or with one number: one entry explains both. */
export async function taxOfCharge(db: Queryable, line: StoredLine): Promise<LineCandidate[]> {
  if (line.direction === 'credit' || line.candidateWithdrawalId !== null) return []
  const since = new Date(line.bookedAt.getTime() - DAY_MS)
  const debits = await debitsInReviewOf(db, { ...line, since, amounts: amountsBeside(line.amount) }, MAX_READ)
  const found = debits.flatMap((other) => candidate(line, other))
  return found.toSorted((a, b) => b.score - a.score).slice(0, MAX_FOUND)
}

function candidate(line: StoredLine, other: StoredLine): LineCandidate[] {
  const pair = other.candidateWithdrawalId === null ? chargeAndTax(line, other) : null
  if (!pair) return []
  const { charge, tax } = pair
  const hasNumber = tax.bankReference !== null && tax.bankReference === charge.bankReference
  const text = foldText(tax.narrative)
  if (!hasNumber && !(isCalledTax(tax) && tax.valueDate === charge.valueDate)) return []
  const points: Fact[] = [
    [true, 100, 'tax_of_charge', null],
    [true, 30, 'account_same', null],
    [hasNumber, 20, null, null],
    [foldText(charge.narrative) !== '' && text.includes(foldText(charge.narrative)), 20, null, null],
  ]
  const next = propose('bank_charge', [charge.id, tax.id])
  return [ofOther(line, other, { what: 'charge_and_tax', points, next })]
}
