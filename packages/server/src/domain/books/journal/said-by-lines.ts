import { normaliseIban } from '../../../kernel/iban.ts'
import { sameParty, senderOf } from '../../../kernel/party.ts'
import { sumOf } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { judgePayoutLine, subjectsNamedBy, wouldComplete } from '../../matching/index.ts'
import type { LinePart, StoredLine } from '../../statements/index.ts'
import {
  explainedDebitsNaming,
  linesNamedIn,
  linesOfPayout,
  lockLinesAbout,
  payoutReferences,
} from '../../statements/index.ts'
import { findPayout, mayBeFee } from '../../withdrawals/index.ts'
import { isBankItem, isOurs } from '../candidates/line-candidate.ts'
import { bankItemOf } from '../candidates/bank-words.ts'
import type { Draft, JournalDeps, Plan } from './plan.ts'
import { debitAndCredit } from './plan.ts'
import { BACK_MS } from './windows.ts'

type Deps = Pick<JournalDeps, 'banks' | 'marks'>
type Part = Pick<LinePart, 'kind' | 'subject' | 'amount'>

/**
 * Whether the lines of an entry say themselves what it says of them. Each deposit and payout is judged as if the bank had written a
 * line for it alone: what the matcher would book of those, needs no person here.
 */
export async function isSaidByLines(app: Deps, tx: Tx, { kind }: Pick<Draft, 'kind'>, plan: Plan): Promise<boolean> {
  const lines = plan.lines.map(({ line }) => line)
  const [first, another] = lines
  switch (kind) {
    case 'deposit_payment':
    case 'payout_debit':
    case 'payout_return':
      return areSaid(app, tx, plan)
    case 'own_transfer':
      return showOneAnother(app, lines)
    case 'storno':
      return plan.deposits.length === 0 && takesBack(tx, ...debitAndCredit(lines))
    case 'bank_charge':
    case 'bank_tax':
      return first !== undefined && !another && bankItemOf(first) === kind && isChargeOfPayout(tx, first)
    default:
      return false
  }
}

/** All of the money, to the last kuruş, and for all that they name. */
async function areSaid(app: Deps, tx: Tx, plan: Plan): Promise<boolean> {
  const own = new Set(plan.lines.map(({ line }) => line.id))
  const ibans = new Set((await app.banks.accounts()).map(({ iban }) => iban))
  for (const { line, parts = [] } of plan.lines) {
    if (sumOf(parts) !== line.amount) return false
    for (const id of await subjectsNamedBy(tx, line)) if (!parts.some(({ subject }) => subject === id)) return false
    for (const part of parts) if (!(await isSaid(app, tx, plan, { line, part, own, ibans }))) return false
  }
  return true
}

type Asked = { line: StoredLine; part: Part; own: Set<string>; ibans: Set<string> }

async function isSaid(app: Deps, tx: Tx, plan: Plan, { line, part, own, ibans }: Asked): Promise<boolean> {
  const { kind, subject, amount } = part
  if (kind === 'deposit') {
    const deposit = plan.deposits.find((one) => one.deposit.id === subject)?.deposit
    const isAsked = plan.deposits.length === 1 || deposit?.amount === amount
    return deposit !== undefined && isAsked && wouldComplete(app, tx, { ...line, amount }, deposit)
  }
  const payout = [...(plan.sent ?? []), ...(plan.returned ?? [])].find(({ withdrawalId }) => withdrawalId === subject)
  if (!payout || !payoutReferences(line.narrative).includes(subject)) return false
  // Of a return less costs a person says who bears them.
  const its = plan.lines.flatMap(({ parts = [] }) =>
    parts.filter((one) => one.kind === kind && one.subject === subject),
  )
  if (sumOf(its) !== payout.amount) return false
  const others = (await lockLinesAbout(tx, subject)).filter(({ id }) => !own.has(id))
  const verdict = judgePayoutLine({ ...line, amount: payout.amount }, payout, others, ibans)
  return verdict === (kind === 'payout' ? 'payout_sent' : 'payout_returned')
}

/**
 * The bank's own booking, or the sender's: it shows no one else, comes no earlier than the credit, and its text has the number of this
 * credit and of no other line.
 */
async function takesBack(tx: Tx, debit: StoredLine, credit: StoredLine): Promise<boolean> {
  const [taken, other] = (await linesNamedIn(tx, [debit])).filter(({ id }) => id !== debit.id)
  if (taken?.id !== credit.id || other) return false
  const isOfBank = debit.senderIban === null && debit.senderName.trim() === ''
  const laterMs = debit.bookedAt.getTime() - credit.bookedAt.getTime()
  return (
    (isOfBank || sameParty(senderOf(debit), senderOf(credit))) &&
    debit.valueDate >= credit.valueDate &&
    laterMs <= BACK_MS
  )
}

/** Equal amounts, and each line shows our account on which the other one is, or one does and the other our name. A smaller one may belong to another transfer. */
async function showOneAnother({ banks }: Deps, lines: StoredLine[]): Promise<boolean> {
  const [debit, credit] = debitAndCredit(lines)
  const accounts = await banks.accounts()
  const titles = accounts.map(({ title }) => title)
  const ibans = new Map(accounts.map(({ id, iban }) => [id, iban]))
  const shows = ({ senderIban }: StoredLine, { collectingAccountId }: StoredLine) =>
    normaliseIban(senderIban ?? '') === ibans.get(collectingAccountId)
  const mayBe = (line: StoredLine) => line.senderIban === null && isOurs(line, titles)
  const [first, second] = [shows(debit, credit), shows(credit, debit)]
  return debit.amount === credit.amount && ((first && (second || mayBe(credit))) || (second && mayBe(debit)))
}

/** A small debit that the bank calls its own, and that names a payout which has its debit on this account, and nothing else. All that it takes for one is small. */
async function isChargeOfPayout(tx: Tx, line: StoredLine): Promise<boolean> {
  const named = line.candidateWithdrawalId
  const payout = named === null ? undefined : await findPayout(tx, named)
  if (!payout || line.direction !== 'debit' || !isBankItem(line)) return false
  if ((await subjectsNamedBy(tx, line)).size > 1) return false
  const before = await explainedDebitsNaming(tx, payout.withdrawalId)
  if (!mayBeFee(sumOf([...before, line]), payout.amount)) return false
  const its = await linesOfPayout(tx, payout.withdrawalId)
  return its.some((one) => one.direction === 'debit' && one.collectingAccountId === line.collectingAccountId)
}
