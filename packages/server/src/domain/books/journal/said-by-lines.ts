import { normaliseIban } from '../../../kernel/iban.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { selectByReferenceCodes } from '../../deposits/index.ts'
import { judgePayoutLine, wouldComplete } from '../../matching/index.ts'
import type { LinePart, StoredLine } from '../../statements/index.ts'
import { linesOfPayout, lockLinesAbout, namesNumberOf, payoutReferences } from '../../statements/index.ts'
import { findPayout, mayBeFee, selectPayoutsById } from '../../withdrawals/index.ts'
import { isBankItem } from '../candidates/line-candidate.ts'
import { bankItemOf } from '../candidates/bank-words.ts'
import { sumOf } from './charges.ts'
import type { Draft, JournalDeps, Plan } from './plan.ts'
import { debitAndCredit } from './plan.ts'

type Deps = Pick<JournalDeps, 'banks' | 'marks'>
type Part = Pick<LinePart, 'kind' | 'subject' | 'amount'>

/**
 * Whether the lines of an entry say themselves what it says of them. Each deposit and payout is judged as if the bank had written a
 * line for it alone: what the matcher would book of those, needs no person here.
 */
export async function isSaidByLines(app: Deps, tx: Tx, { kind }: Pick<Draft, 'kind'>, plan: Plan): Promise<boolean> {
  const lines = plan.lines.map(({ line }) => line)
  switch (kind) {
    case 'deposit_payment':
    case 'payout_debit':
    case 'payout_return':
      return areSaid(app, tx, plan)
    case 'own_transfer':
      return showOneAnother(app, lines)
    case 'storno':
      return plan.deposits.length === 0 && namesNumberOf(...debitAndCredit(lines))
    case 'bank_charge':
    case 'bank_tax':
      return lines.length === 1 && lines.every((line) => bankItemOf(line) === kind) && areOfPayouts(tx, lines)
    default:
      return false
  }
}

/** All of the money, to the last kuruş, and for all that they name. */
async function areSaid(app: Deps, tx: Tx, plan: Plan): Promise<boolean> {
  const own = new Set(plan.lines.map(({ line }) => line.id))
  const ibans = new Set((await app.banks.accounts()).map(({ iban }) => iban))
  for (const { line, parts = [] } of plan.lines) {
    if (sumOf(parts) !== line.amount || !(await isForAllNamed(tx, line, parts))) return false
    for (const part of parts) if (!(await isSaid(app, tx, plan, { line, part, own, ibans }))) return false
  }
  return true
}

async function isForAllNamed(tx: Tx, line: StoredLine, parts: Part[]): Promise<boolean> {
  const codes = line.direction === 'credit' ? findReferenceCodes(line.narrative).map(({ code }) => code) : []
  const deposits = (await selectByReferenceCodes(tx, codes)).map(({ id }) => id)
  const payouts = (await selectPayoutsById(tx, payoutReferences(line.narrative))).map((one) => one.withdrawalId)
  return [...deposits, ...payouts].every((id) => parts.some(({ subject }) => subject === id))
}

type Asked = { line: StoredLine; part: Part; own: Set<string>; ibans: Set<string> }

async function isSaid(app: Deps, tx: Tx, plan: Plan, { line, part, own, ibans }: Asked): Promise<boolean> {
  const { kind, subject, amount } = part
  if (kind === 'deposit') {
    const deposit = plan.deposits.find((one) => one.deposit.id === subject)?.deposit
    return deposit !== undefined && wouldComplete(app, tx, { ...line, amount }, deposit)
  }
  const payout = [...(plan.sent ?? []), ...(plan.returned ?? [])].find(({ withdrawalId }) => withdrawalId === subject)
  if (!payout || !payoutReferences(line.narrative).includes(subject)) return false
  const others = (await lockLinesAbout(tx, subject)).filter(({ id }) => !own.has(id))
  const verdict = judgePayoutLine({ ...line, amount: payout.amount }, payout, others, ibans)
  return verdict === (kind === 'payout' ? 'payout_sent' : 'payout_returned')
}

/** Equal amounts, and a line names our account on which the other one is. A smaller one may belong to another transfer. */
async function showOneAnother({ banks }: Deps, lines: StoredLine[]): Promise<boolean> {
  const [debit, credit] = debitAndCredit(lines)
  const shows = async ({ senderIban }: StoredLine, other: StoredLine) =>
    normaliseIban(senderIban ?? '') === (await banks.account(other.collectingAccountId))?.iban
  return debit.amount === credit.amount && ((await shows(debit, credit)) || shows(credit, debit))
}

/** Small debits that the bank calls its own, and that name a payout which has its debit on this account. */
async function areOfPayouts(tx: Tx, lines: StoredLine[]): Promise<boolean> {
  for (const line of lines) {
    const named = line.candidateWithdrawalId
    const payout = named === null ? undefined : await findPayout(tx, named)
    if (!payout || !isBankItem(line) || !mayBeFee(line.amount, payout.amount)) return false
    const its = await linesOfPayout(tx, payout.withdrawalId)
    const isIts = ({ direction, collectingAccountId }: StoredLine) =>
      direction === 'debit' && collectingAccountId === line.collectingAccountId
    if (line.direction !== 'debit' || !its.some(isIts)) return false
  }
  return true
}
