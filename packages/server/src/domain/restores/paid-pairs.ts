import type { Actor } from '../../kernel/actor.ts'
import { recipientOf, sameParty, senderOf } from '../../kernel/party.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { findDepositById } from '../deposits/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized, mustBeApproved } from '../people/index.ts'
import type { StoredLine } from '../statements/index.ts'
import { lockLine, payoutReferences } from '../statements/index.ts'
import type { Payout } from '../withdrawals/index.ts'
import {
  listPayouts,
  lockPayout,
  OPEN_STATES,
  findOpenRestore,
  listByState,
  lockWithdrawal,
  MAX_ROWS,
  outgoingLines,
} from '../withdrawals/index.ts'
import type { LostDeps } from './lost-payouts.ts'
import { settleBy, writeAgain } from './lost-payouts.ts'

type Unsent = Pick<Payout, 'withdrawalId' | 'merchantId' | 'amount' | 'currency' | 'iban' | 'accountName'> & {
  /** Of its payout, if there is one already. */
  sourceAccountId: string | null
}

/** A withdrawal that would be sent, and the debit of a lost one with its amount and recipient: probably its retry, paid already. */
export type PaidPair = Unsent & { line: StoredLine }

export type PairTerms = { number: number; pairs: { withdrawalId: string; lineId: string }[] }

/** In id order of the withdrawals. Each debit is in one pair. */
export async function listPaidPairs(db: Queryable): Promise<PaidPair[]> {
  const all = await unsent(db)
  const ofSum = Map.groupBy(await orphans(db, new Set(all.map(sumOf))), sumOf)
  return all.flatMap((one) => {
    const fitting = ofSum.get(sumOf(one)) ?? []
    // The other side of a debit is its recipient.
    const line = fitting.find((debit) => sameParty(senderOf(debit), recipientOf(one)))
    if (!line) return []
    fitting.splice(fitting.indexOf(line), 1)
    return [{ ...one, line }]
  })
}

/** Debits of these sums that name a withdrawal of ours that is not here. People write the id of a deposit that they give back. */
async function orphans(db: Queryable, sums: Set<string>): Promise<StoredLine[]> {
  const found: StoredLine[] = []
  for (const line of await outgoingLines(db)) {
    const [reference] = payoutReferences(line.narrative)
    if (reference === undefined || line.candidateWithdrawalId !== null || !sums.has(sumOf(line))) continue
    if (!(await findDepositById(db, reference))) found.push(line)
  }
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** All that waits, whatever the bank says of it: the bank knows the retry by no reference. */
async function unsent(db: Queryable): Promise<Unsent[]> {
  const waiting = await listWaiting(db)
  const payouts = (await Promise.all(OPEN_STATES.map((state) => listPayouts(db, state, MAX_ROWS)))).flat()
  return [
    ...waiting.map(({ id: withdrawalId, ...one }) => ({ ...partsOf({ ...one, withdrawalId }), sourceAccountId: null })),
    ...payouts.map((one) => ({ ...partsOf(one), sourceAccountId: one.sourceAccountId })),
  ].toSorted((a, b) => (a.withdrawalId < b.withdrawalId ? -1 : 1))
}

export async function listWaiting(db: Queryable) {
  const states = ['queued', 'awaiting_approval'] as const
  return (await Promise.all(states.map((state) => listByState(db, state, MAX_ROWS)))).flat()
}

function partsOf(one: Omit<Unsent, 'sourceAccountId'>): Omit<Unsent, 'sourceAccountId'> {
  const { withdrawalId, merchantId, amount, currency, iban, accountName } = one
  return { withdrawalId, merchantId, amount, currency, iban, accountName }
}

const sumOf = ({ amount, currency }: Pick<StoredLine, 'amount' | 'currency'>) => `${amount} ${currency}`

/** A payout that would leave from another account than the debit's cannot have this debit: two people resolve it. */
export const canBeRecorded = ({ sourceAccountId, line }: PaidPair) =>
  sourceAccountId === null || sourceAccountId === line.collectingAccountId

/** Each of them is a pair now, of the restore that is open. */
export async function findPairs(db: Queryable, { number, pairs }: PairTerms): Promise<PaidPair[]> {
  const known = new Map((await listPaidPairs(db)).map((pair) => [keyOf({ ...pair, lineId: pair.line.id }), pair]))
  const found = pairs.flatMap((pair) => known.get(keyOf(pair)) ?? [])
  const isOpen = (await findOpenRestore(db))?.number === number
  if (isOpen && pairs.length > 0 && found.length === pairs.length && found.every(canBeRecorded)) return found
  throw pairsChanged()
}

const keyOf = ({ withdrawalId, lineId }: PairTerms['pairs'][number]) => `${withdrawalId} ${lineId}`

const pairsChanged = () => refuse('restore_pairs_changed')

/** The debits of the lost ones are theirs: they are completed, and not paid again. All or none. */
export async function recordPaidPairs(
  app: LostDeps & Authority & { db: Db },
  actor: Actor,
  terms: PairTerms,
): Promise<number> {
  return authorized(app, actor, 'restore.record', async (tx, audit) => {
    mustBeApproved(app)
    const pairs = await findPairs(tx, terms)
    for (const pair of pairs) await settlePair(app, tx, actor, pair)
    await audit(`restore:${terms.number}`, { after: { sent: terms.pairs } })
    return pairs.length
  })
}

async function settlePair(app: LostDeps, tx: Tx, actor: Actor, pair: PaidPair): Promise<void> {
  const { merchantId, withdrawalId, sourceAccountId } = pair
  const cause = { actor }
  const withdrawal = await lockWithdrawal(tx, merchantId, withdrawalId)
  const known = sourceAccountId === null ? undefined : await lockPayout(tx, merchantId, withdrawalId)
  const line = await lockLine(tx, pair.line.id)
  if (line?.state !== 'needs_review') throw pairsChanged()
  if (known) {
    if (known.state !== 'ready' && known.state !== 'asking') throw pairsChanged()
    return settleBy(app, tx, known, line, cause)
  }
  if (withdrawal?.status !== 'pending') throw pairsChanged()
  const from = { connection: line.source, accountId: line.collectingAccountId }
  await settleBy(app, tx, await writeAgain(app, tx, withdrawal, from, cause), line, cause)
}
