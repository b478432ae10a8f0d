import { bankCodeOf } from '../../../kernel/iban.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { eftOpen, eftOpening, fastCapOn, INTERBANK_CURRENCY, nextEftDay } from '../../banks/index.ts'
import type { AccountState, CollectingAccount, FastCap, Holiday } from '../../banks/index.ts'

export type { FastCap } from '../../banks/index.ts'

/** One of our accounts that a payout may be sent from. */
export type PayoutAccount = {
  id: string
  iban: string
  currency: string
  state: AccountState
  /** Why nothing leaves from it for now. */
  stoppedBy: CollectingAccount['stoppedBy']
  /** The connection that sends from it; null: this process does not have that connection. */
  connection: string | null
  /** Balance at the bank according to the ledger, positive. */
  balance: bigint
  sentToday: bigint
  /** Null: no limit of its own. */
  dailySendLimit: bigint | null
}

export type Route =
  | { kind: 'send'; sourceId: string; connection: string; rail: 'havale' | 'fast' | 'eft' }
  /** EFT is closed: time of the next opening. Funds and limits are current ones, so route again at that time. */
  | { kind: 'schedule'; at: Date }
  | {
      kind: 'wait'
      why: 'own_account' | 'no_account' | 'books_differ' | 'no_connection' | 'no_rail' | 'no_funds' | 'daily_limit'
    }

/**
 * EFT closes at 17:30 and 13:00, but banks stop taking orders earlier, the first at 16:30; later orders wait
 * at the bank until the next business day. No cut-off is published for half days: half an hour before closing.
 */
const CUT_OFF = { fullDay: 16 * 60 + 30, halfDay: 12 * 60 + 30 }

/** Paused and draining accounts get no new customers, but still send their money. A blocked account sends nothing. */
const MAY_SEND: Record<AccountState, boolean> = { active: true, paused: true, draining: true, blocked: false }

/** Chooses account and rail, or returns what the payout waits for. Deterministic. */
export function routePayout(
  payout: { iban: string; amount: bigint; currency: string },
  sources: PayoutAccount[],
  now: Date,
  holidays: readonly Holiday[],
  fastCaps: readonly FastCap[],
): Route {
  const { amount, currency } = payout
  // Also checked at creation, but an account can become ours later.
  if (sources.some(({ iban }) => iban === payout.iban)) return { kind: 'wait', why: 'own_account' }
  const inCurrency = sources.filter((source) => MAY_SEND[source.state] && source.currency === currency)
  if (inCurrency.length === 0) return { kind: 'wait', why: 'no_account' }
  const running = inCurrency.filter(({ stoppedBy }) => stoppedBy === null)
  if (running.length === 0) return { kind: 'wait', why: 'books_differ' }
  const connected = running.filter(isConnected)
  if (connected.length === 0) return { kind: 'wait', why: 'no_connection' }
  const atSameBank = ({ iban }: PayoutAccount) => bankCodeOf(iban) === bankCodeOf(payout.iban)
  const usable = currency === INTERBANK_CURRENCY ? connected : connected.filter(atSameBank)
  if (usable.length === 0) return { kind: 'wait', why: 'no_rail' }
  const funded = usable.filter((source) => source.balance >= amount)
  if (funded.length === 0) return { kind: 'wait', why: whyNotFunded(inCurrency, amount) }
  const fitting = funded.filter((source) => withinLimit(source, amount)).sort(largestFirst)
  const [largest] = fitting
  if (!largest) return { kind: 'wait', why: 'daily_limit' }

  const sameBank = fitting.find(atSameBank)
  if (sameBank) return send(sameBank, 'havale')
  const localNow = istanbul(now)
  const cap = fastCapOn(localNow.day, fastCaps)
  if (cap !== null && amount <= cap) return send(largest, 'fast')
  if (eftOpen(localNow, holidays, CUT_OFF)) return send(largest, 'eft')
  return { kind: 'schedule', at: eftOpening(nextEftDay(localNow, holidays)) }
}

type Connected = PayoutAccount & { connection: string }

/** The money may be there, on an account that sends nothing. */
function whyNotFunded(sources: PayoutAccount[], amount: bigint): 'books_differ' | 'no_connection' | 'no_funds' {
  const having = sources.filter(({ balance }) => balance >= amount)
  if (having.some(({ stoppedBy }) => stoppedBy !== null)) return 'books_differ'
  return having.some((source) => !isConnected(source)) ? 'no_connection' : 'no_funds'
}

function isConnected(source: PayoutAccount): source is Connected {
  return source.connection !== null
}

function send({ id, connection }: Connected, rail: 'havale' | 'fast' | 'eft'): Route {
  return { kind: 'send', sourceId: id, connection, rail }
}

function withinLimit({ sentToday, dailySendLimit }: PayoutAccount, amount: bigint): boolean {
  return dailySendLimit === null || sentToday + amount <= dailySendLimit
}

function largestFirst(a: PayoutAccount, b: PayoutAccount): number {
  if (a.balance !== b.balance) return a.balance > b.balance ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}
