import type { Witness } from '../harness/payouts.ts'
import type { Evidence, PaidOut } from './evidence.ts'

/** A rule, and everything that broke it: nothing, when all is well. */
export type Finding = { rule: string; offenders: string[] }

/** Judges by the bank's own word on what left it, not by what was answered to us. */
export function judge(evidence: Evidence): Finding[] {
  const { withdrawals, witness, drift, cash, pendingHolds } = evidence
  const moves = Map.groupBy(witness, ({ reference }) => reference)
  const movesOf = ({ id }: PaidOut) => moves.get(id) ?? []
  const ids = (broken: (one: PaidOut) => boolean) => withdrawals.filter(broken).map(describe)
  const known = new Set(withdrawals.map(({ id }) => id))
  return [
    { rule: 'the bank moved money at most once per payout', offenders: ids((one) => movesOf(one).length > 1) },
    { rule: 'a settled payout left the bank, and stayed away', offenders: ids(broke('sent', movesOf, isPaid)) },
    { rule: 'a returned payout left the bank, and came back', offenders: ids(broke('returned', movesOf, cameBack)) },
    { rule: 'a failed payout never left, or came back', offenders: ids(broke('failed', movesOf, stayed)) },
    { rule: 'nothing is left open', offenders: ids(({ status }) => status !== 'completed' && status !== 'failed') },
    {
      rule: 'the bank sent what was asked for, where it was asked',
      offenders: ids((one) => differs(one, movesOf(one))),
    },
    { rule: 'the bank sent nothing else', offenders: [...moves.keys()].filter((reference) => !known.has(reference)) },
    { rule: 'history, events and sequence have no gap', offenders: ids(hasGap) },
    { rule: 'the ledger has no drift', offenders: drift.map(({ what, id }) => `${what} ${id}`) },
    { rule: 'no hold is left, nothing is in transit', offenders: [...pendingHolds, ...inBetween(evidence)] },
    { rule: 'each merchant has what it should have', offenders: wrongBalances(evidence) },
    {
      rule: 'the bank has what the books say, per account',
      offenders: cash.filter(({ books, bank }) => books !== bank).map((one) => `${one.iban} ${one.books} ${one.bank}`),
    },
    { rule: 'each line of the bank is explained', offenders: unexplained(evidence) },
  ]
}

export function isClean(findings: Finding[]): boolean {
  return findings.every(({ offenders }) => offenders.length === 0)
}

const isPaid = ([first]: Witness[]) => first !== undefined && !first.reversed
const cameBack = ([first]: Witness[]) => first !== undefined && first.reversed
const stayed = (moves: Witness[]) => moves.every(({ reversed }) => reversed)

function broke(state: string, movesOf: (one: PaidOut) => Witness[], holds: (moves: Witness[]) => boolean) {
  return (one: PaidOut) => one.state === state && !holds(movesOf(one))
}

function differs({ amount, iban }: PaidOut, moves: Witness[]): boolean {
  return moves.some((move) => BigInt(move.amount) !== amount || move.toIban !== iban)
}

function hasGap({ sequence, history, events }: PaidOut): boolean {
  const expected = Array.from({ length: sequence }, (_, index) => index + 1).join()
  return history.join() !== expected || events.join() !== expected
}

function inBetween({ balances }: Evidence): string[] {
  const empty = new Set(['payouts_in_transit', 'merchant_held'])
  return balances
    .filter(({ kind, balance }) => empty.has(kind) && balance !== 0n)
    .map(({ kind, account, balance }) => `${kind} ${account} ${balance}`)
}

/** Reckoned from the outcomes alone: what came in, less what was paid; a return keeps the fee. */
function wrongBalances({ withdrawals, balances, funded }: Evidence): string[] {
  const cost = ({ state, amount, fee }: PaidOut) => {
    return state === 'failed' ? 0n : state === 'returned' ? fee : amount + fee
  }
  return [...funded].flatMap(([merchantId, money]) => {
    const theirs = withdrawals.filter((one) => one.merchantId === merchantId)
    const expected = theirs.reduce((left, one) => left - cost(one), money)
    const row = balances.find((one) => one.kind === 'merchant_available' && one.merchantId === merchantId)
    return row?.balance === expected ? [] : [`${merchantId} has ${row?.balance}, should have ${expected}`]
  })
}

/** Nothing waits for a person: what was refused, sent and taken back all the same is two lines that cancel each other. */
function unexplained({ lines }: Evidence): string[] {
  return lines
    .filter(({ state }) => state !== 'matched')
    .map(({ id, state, narrative }) => `${id} ${state} ${narrative}`)
}

function describe({ id, state }: PaidOut): string {
  return `${id} (${state})`
}
