import { sumOf } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { NEXT, selectByReferenceCodes } from '../../deposits/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { propose } from '../journal/propose-step.ts'
import type { LineCandidate } from './line-candidate.ts'
import { comparedAmounts, judged } from './reason.ts'

/** A credit with the codes of several deposits that wait for money: it pays them all, and what is left stays in suspense. */
export async function splitOfCodes(db: Queryable, line: StoredLine): Promise<LineCandidate[]> {
  const codes = line.direction === 'debit' ? [] : findReferenceCodes(line.narrative).map(({ code }) => code)
  if (codes.length < 2 || line.depositId !== null) return []
  const deposits = (await selectByReferenceCodes(db, codes)).filter((one) => mayTake(one, line))
  const amount = sumOf(deposits)
  const [first] = deposits
  if (!first || deposits.length < 2 || amount > line.amount) return []
  const { id, status, createdAt: at, currency } = first
  const { score, reasons } = judged(
    [
      [true, 100, 'codes_on_line', null],
      [amount === line.amount, 30, null, null],
    ],
    comparedAmounts(line, amount, 'deposit'),
  )
  const parts = deposits.map((one) => ({ depositId: one.id, amount: one.amount }))
  const rest = line.amount > amount && { rest: { amount: line.amount - amount } }
  const facts = { amount, currency, name: null, iban: null, code: first.referenceCode, accountIds: [], at }
  return [
    {
      what: 'deposit',
      id,
      status,
      at,
      facts,
      score,
      reasons,
      next: propose('deposit_payment', [line.id], { parts, ...rest }),
    },
  ]
}

const mayTake = ({ status, receivedAmount, currency }: Deposit, line: StoredLine) =>
  NEXT[status].includes('completed') && receivedAmount === 0n && currency === line.currency
