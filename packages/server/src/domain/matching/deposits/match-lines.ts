import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantsInForce } from '../../merchants/index.ts'
import { runBatch } from '../../set-aside/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { claimNewLines, decideLines, mustBeGenuine } from '../../statements/index.ts'
import type { Deposit, DepositViews } from '../../deposits/index.ts'
import { lockByReferenceCodes, payableUntil } from '../../deposits/index.ts'
import { recordFailure } from '../decisions/record-decision.ts'
import type { Planned } from './apply-matches.ts'
import { applyMatches } from './apply-matches.ts'
import { decideMatch } from './decide-match.ts'
import type { Candidate } from './score-match.ts'

type Deps = { db: Db; clock: Clock; ids: Ids; log: Log; marks: Marks; views: DepositViews }
type Found = ReturnType<typeof findReferenceCodes>

/** Lines per transaction: larger batches are no cheaper per line, and no customer's row is locked for long. */
const BATCH_SIZE = 250

/**
 * Judges new lines and applies the decisions; returns how many. If a batch fails because of its data, its lines are
 * tried one by one; a line that fails alone needs review. Any other error is temporary and thrown: all lines stay `new`.
 */
export async function matchLines(app: Deps): Promise<number> {
  const { moved } = await runBatch<StoredLine, Planned>(app, {
    what: 'line',
    idOf: ({ id }) => id,
    claim: (tx, only) => claimNewLines(tx, false, BATCH_SIZE, only),
    work: (tx, lines) => matchBatch(app, tx, lines),
    mark: (tx, line, error) => quarantine(app, tx, line, error),
    marksEnd: true,
  })
  return moved
}

async function quarantine(app: Deps, tx: Tx, { id, state }: StoredLine, error: Error): Promise<void> {
  const stuck = { id, from: state, state: 'needs_review' as const, reason: 'cannot_be_booked' as const, deposit: null }
  await decideLines(tx, [stuck], app.clock.now())
  await recordFailure(app, tx, id, error)
}

/** In one transaction. Deposits are locked before they are judged, so that an expiry or cancellation comes wholly before or after. */
async function matchBatch(app: Deps, tx: Tx, lines: StoredLine[]): Promise<Planned[]> {
  await mustBeGenuine(app, tx, lines)
  const found = new Map(
    lines.map((line) => [line.id, line.direction === 'credit' ? findReferenceCodes(line.narrative) : []]),
  )
  const codes = [...new Set([...found.values()].flat().map(({ code }) => code))]
  const deposits = codes.length > 0 ? await lockByReferenceCodes(tx, codes) : []
  const merchants = await merchantsInForce({ db: tx, marks: app.marks }, [
    ...new Set(deposits.map(({ merchantId }) => merchantId)),
  ])
  const accounts = await accountsByIban(tx)
  const plan = planAll(lines, found, { deposits, merchants, accounts })
  await applyMatches(app, tx, plan, merchants)
  return plan
}

type Known = {
  deposits: Deposit[]
  merchants: Map<string, Merchant>
  accounts: ReadonlyMap<string, CollectingAccount>
}

function planAll(lines: StoredLine[], found: Map<string, Found>, { deposits, merchants, accounts }: Known): Planned[] {
  const byCode = new Map(deposits.map((deposit) => [deposit.referenceCode, deposit]))
  const touched = new Set<Deposit>()
  return lines.flatMap((line) => {
    const codes = found.get(line.id) ?? []
    const named = codes.flatMap(({ code, how }) => ({ deposit: byCode.get(code), how })).filter(hasDeposit)
    // A second line for a deposit that this batch already changes waits for the next batch, where it sees the change.
    if (named.some(({ deposit }) => touched.has(deposit))) return []
    for (const { deposit } of named) touched.add(deposit)
    const candidates = named.map(({ deposit, how }) => candidate(deposit, how, merchants))
    // Eight characters inside other text pass the check by chance once in ten lines; only whole words count as written.
    const written = codes.filter(({ how }) => how === 'word').length
    const fromOwnAccount = accounts.has(normaliseIban(line.senderIban ?? ''))
    const decision = decideMatch({ ...line, fromOwnAccount }, candidates, written)
    return [{ line, decision, deposits: named.map(({ deposit }) => deposit) }]
  })
}

/** Whether the matcher would complete the deposit with this line, if it were for it alone. */
export async function wouldComplete(
  { marks }: Pick<Deps, 'marks'>,
  tx: Tx,
  line: StoredLine,
  deposit: Deposit,
): Promise<boolean> {
  const how = findReferenceCodes(line.narrative).find(({ code }) => code === deposit.referenceCode)?.how
  if (how === undefined) return false
  const merchants = await merchantsInForce({ db: tx, marks }, [deposit.merchantId])
  const fromOwnAccount = (await accountsByIban(tx)).has(normaliseIban(line.senderIban ?? ''))
  return decideMatch({ ...line, fromOwnAccount }, [candidate(deposit, how, merchants)], 1).verdict === 'complete'
}

function hasDeposit<How>(one: { deposit: Deposit | undefined; how: How }): one is { deposit: Deposit; how: How } {
  return one.deposit !== undefined
}

function candidate(deposit: Deposit, how: Candidate['how'], merchants: Map<string, Merchant>): Candidate {
  const merchant = merchants.get(deposit.merchantId)
  if (!merchant) throw new Error(`Deposit ${deposit.id} has no merchant.`)
  return {
    merchantId: deposit.merchantId,
    id: deposit.id,
    how,
    status: deposit.status,
    amount: deposit.amount,
    receivedAmount: deposit.receivedAmount,
    flags: deposit.flags,
    customerName: deposit.customer.name,
    accounts: [...deposit.previousAccountIds, ...(deposit.collectingAccountId ? [deposit.collectingAccountId] : [])],
    createdAt: deposit.createdAt,
    expiresAt: payableUntil(deposit),
    policy: merchant.matching,
  }
}
