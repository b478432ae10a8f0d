import { foldText } from '../../../kernel/fold.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfNumber } from '../../statements/index.ts'
import { reverseStep } from '../journal/propose-step.ts'
import type { LineCandidate } from './line-candidate.ts'
import { ofOther } from './line-candidate.ts'
import type { NextStep } from './next-step.ts'
import type { Fact } from './reason.ts'

const MAX_FOUND = 5

/**
 * Debits with number, time and text of this one and another amount: the bank may have corrected one by the other. It may also book
 * two charges under one number, so a person decides. That of a payout is found with its payout.
 */
export async function correctedBySameNumber(db: Queryable, line: StoredLine): Promise<LineCandidate[]> {
  const { direction, bankReference, candidateWithdrawalId } = line
  if (direction === 'credit' || bankReference === null || candidateWithdrawalId !== null) return []
  const others = await linesOfNumber(db, { ...line, bankReference }, MAX_FOUND)
  return others.filter((other) => isSameBut(line, other)).map((other) => candidate(line, other))
}

function isSameBut(line: StoredLine, other: StoredLine): boolean {
  const isSame =
    line.bookedAt.getTime() === other.bookedAt.getTime() &&
    line.valueDate === other.valueDate &&
    foldText(line.narrative) === foldText(other.narrative)
  return isSame && line.amount !== other.amount && other.withdrawalId === null && other.candidateWithdrawalId === null
}

function candidate(line: StoredLine, other: StoredLine): LineCandidate {
  const points: Fact[] = [
    [true, 100, { code: 'same_number', lineIds: [other.id] }, null],
    [true, 30, 'account_same', null],
  ]
  return ofOther(line, other, { what: 'correction', points, next: stepOf(line, other) })
}

/** The later one counts. What the earlier one was explained as is taken back first. */
function stepOf(line: StoredLine, other: StoredLine): NextStep {
  const earlier = line.id < other.id ? line : other
  return earlier.journalId === null
    ? { do: 'dismiss', lineId: earlier.id, because: 'ask_bank' }
    : { ...reverseStep(earlier.journalId), because: 'ask_bank' }
}
