import { normaliseIban } from '../../../kernel/iban.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { findDepositById, selectByReferenceCodes } from '../../deposits/index.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { largerPaymentsFrom, linesOfDeposit, payoutReferences } from '../../statements/index.ts'
import { takesPartOf } from '../journal/plan-deposit-charge.ts'
import { propose } from '../journal/propose-step.ts'
import type { LineCandidate } from './line-candidate.ts'
import { ofOther } from './line-candidate.ts'
import type { NextStep } from './next-step.ts'
import { owedStep } from './next-step.ts'
import type { Fact } from './reason.ts'

const DAYS_MS = 30 * DAY_MS
const MAX_FOUND = 5

/** Credited payments of which a debit takes a part back. The whole of one is a storno, and found by its amount. */
export async function partsOfPayments(db: Queryable, line: StoredLine): Promise<LineCandidate[]> {
  if (line.direction === 'credit' || line.candidateWithdrawalId !== null) return []
  const found = new Map<string, LineCandidate>()
  for (const deposit of await depositsOf(db, line)) {
    if (deposit.status !== 'completed') continue
    for (const payment of await linesOfDeposit(db, deposit.merchantId, deposit.id))
      if (payment.bookedAt <= bookedUntil(line) && takesPartOf(line, deposit, payment))
        found.set(payment.id, candidate(line, deposit, payment))
  }
  return [...found.values()].slice(0, MAX_FOUND)
}

async function depositsOf(db: Queryable, line: StoredLine): Promise<Deposit[]> {
  const codes = findReferenceCodes(line.narrative).map(({ code }) => code)
  const iban = normaliseIban(line.senderIban ?? '')
  const since = new Date(line.bookedAt.getTime() - DAYS_MS)
  const payments = iban === '' ? [] : await largerPaymentsFrom(db, { ...line, iban, since }, MAX_FOUND)
  const ids = [...payoutReferences(line.narrative), ...payments.flatMap(({ depositId }) => depositId ?? [])]
  const byId = await Promise.all([...new Set(ids)].slice(0, MAX_FOUND * 2).map((id) => findDepositById(db, id)))
  return [...(await selectByReferenceCodes(db, codes)), ...byId.filter((one) => one !== undefined)]
}

function candidate(line: StoredLine, deposit: Deposit, payment: StoredLine): LineCandidate {
  const { id, referenceCode, takenBackAmount, receivedAmount } = deposit
  const isNamed = findReferenceCodes(line.narrative).some(({ code }) => code === referenceCode)
  const points: Fact[] = [
    [isNamed || payoutReferences(line.narrative).includes(id), 80, 'code_same', null],
    [normaliseIban(line.senderIban ?? '') === normaliseIban(payment.senderIban ?? '-'), 30, 'iban_same', null],
    [true, 30, 'account_same', null],
    [true, 0, { code: 'matched_as', as: payment.reason }, null],
  ]
  const afterwards = propose('receivable', [], { depositId: id }, ['settles'])
  // More than the deposit received stays owed by the bank: its merchant is charged no more.
  const isWithin = takenBackAmount + line.amount <= receivedAmount
  const next: NextStep = { ...owedStep(line), because: 'part_taken_back', ...(isWithin && { afterwards }) }
  return ofOther(line, payment, { what: 'storno', points, next })
}
