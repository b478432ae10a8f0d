import type { Queryable } from '../../../platform/postgres/db.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { foldText, sameName } from '../../../kernel/fold.ts'
import type { BankDirectory } from '../../banks/index.ts'
import type { Deposit } from '../../deposits/index.ts'
import { depositsOfAmount } from '../../deposits/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { payoutsOfAmount } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { oppositeLines } from '../../statements/index.ts'

/** What a line may be, with what a person would do about it. */
export type LineCandidate = {
  what: 'deposit' | 'payout' | 'return' | 'own_transfer' | 'storno'
  /** Of the deposit, the withdrawal or the other line. */
  id: string
  status: string
  at: Date
  /** The more speaks for it, the higher. */
  score: number
  reasons: string[]
  next: string
}

const WINDOW_MS = 48 * 3_600_000
const MAX_OF_A_KIND = 20

/** Same amount, any account, 48 hours around it, whatever the sender's name. The best first. */
export async function findCandidates(
  { db, banks }: { db: Queryable; banks: BankDirectory },
  line: StoredLine,
): Promise<LineCandidate[]> {
  const time = line.bookedAt.getTime()
  const near = { from: new Date(time - WINDOW_MS), to: new Date(time + WINDOW_MS) }
  const accounts = await banks.accounts()
  const accountIds = accounts.map(({ id }) => id)
  const isCredit = line.direction === 'credit'
  const deposits = isCredit ? await depositsOfAmount(db, { ...line, ...near, accountIds }, MAX_OF_A_KIND) : []
  const payouts = await payoutsOfAmount(db, line.amount, near.from, near.to, MAX_OF_A_KIND)
  const lines = await oppositeLines(db, { ...line, ...near }, MAX_OF_A_KIND)
  const ownIbans = new Set(accounts.map(({ iban }) => iban))
  const found = [
    ...deposits.map((deposit) => ofDeposit(line, deposit)),
    ...payouts.filter(({ currency }) => currency === line.currency).map((payout) => ofPayout(line, payout)),
    ...lines.flatMap((other) => ofLine(line, other, ownIbans)),
  ]
  const distance = ({ at }: LineCandidate) => Math.abs(at.getTime() - time)
  return found.toSorted((a, b) => b.score - a.score || distance(a) - distance(b) || (a.id < b.id ? -1 : 1))
}

type Fact = [holds: boolean, points: number, yes: string, no: string]

function judged(facts: Fact[]): Pick<LineCandidate, 'score' | 'reasons'> {
  return {
    score: facts.reduce((sum, [holds, points]) => sum + (holds ? points : 0), 0),
    reasons: ['same amount', ...facts.map(([holds, , yes, no]) => (holds ? yes : no)).filter((text) => text !== '')],
  }
}

function ofDeposit(line: StoredLine, deposit: Deposit): LineCandidate {
  const { id, status, createdAt, customer, collectingAccountId, previousAccountIds } = deposit
  const shown = [collectingAccountId, ...previousAccountIds].includes(line.collectingAccountId)
  const isOpen = status !== 'cancelled'
  const facts: Fact[] = [
    [shown, 30, 'same account', 'another account'],
    [sameName(line.senderName, customer.name), 30, 'same name', 'another name'],
    [isOpen, 20, '', 'the deposit is cancelled'],
    [createdAt <= line.bookedAt, 10, 'created before the payment', 'created after the payment'],
  ]
  const next = isOpen ? `vezne line match ${line.id} ${id}` : 'vezne journal propose reassign, or refund_unexplained'
  return { what: 'deposit', id, status, at: createdAt, ...judged(facts), next }
}

function ofPayout(line: StoredLine, payout: Payout): LineCandidate {
  const { withdrawalId: id, state, createdAt, iban, accountName, sourceAccountId } = payout
  const isDebit = line.direction === 'debit'
  const facts: Fact[] = [
    [sourceAccountId === line.collectingAccountId, 30, 'same account', 'another account'],
    [normaliseIban(line.senderIban ?? '') === iban, 30, 'same IBAN', ''],
    [foldText(line.senderName) !== '' && sameName(line.senderName, accountName), 20, 'same name', 'another name'],
    [createdAt <= line.bookedAt, 10, 'created before the line', 'created after the line'],
  ]
  const next = `vezne line ${isDebit ? 'sent' : 'return'} ${line.id} --withdrawal ${id}`
  return { what: isDebit ? 'payout' : 'return', id, status: state, at: createdAt, ...judged(facts), next }
}

/** On another account it may be the other side of our own transfer; on the same one, a credit that the bank took back. */
function ofLine(line: StoredLine, other: StoredLine, ownIbans: ReadonlySet<string>): LineCandidate[] {
  const [debit, credit] = line.direction === 'debit' ? [line, other] : [other, line]
  const isSame = debit.collectingAccountId === credit.collectingAccountId
  const isFree = (one: StoredLine) => one.state === 'suspense' || one.state === 'needs_review'
  if (!isFree(debit) || (isSame ? credit.bookedAt > debit.bookedAt || credit.withdrawalId !== null : !isFree(credit)))
    return []
  const what = isSame ? 'storno' : 'own_transfer'
  const ours =
    ownIbans.has(normaliseIban(credit.senderIban ?? '')) || ownIbans.has(normaliseIban(debit.senderIban ?? ''))
  const facts: Fact[] = [
    [isSame, 30, 'same account', 'another of our accounts'],
    [!isSame && ours, 40, 'an IBAN of ours is on it', ''],
    [isFree(other), 10, 'not explained yet', `matched (${other.reason})`],
  ]
  const next = `vezne journal propose ${what} --line ${line.id} --line ${other.id}`
  return [{ what, id: other.id, status: other.state, at: other.bookedAt, ...judged(facts), next }]
}
