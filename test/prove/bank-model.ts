import type { ModelPayout, Party, Truth } from './truth.ts'

// The bank as it really is: what moved on each account, and what for. It knows nothing of the service.

export type ModelLine = {
  /** The bank's own number. */
  number: string
  /** Of our account. */
  iban: string
  day: string
  time: string
  direction: 'credit' | 'debit'
  amount: bigint
  party: { name: string; iban: string | null }
  text: string
  kind: string
  truth: Truth
}

export type Booking = Omit<ModelLine, 'number' | 'party'> & { party?: Partial<Party> | null; number?: string }
type Day = { opening: bigint; closing: bigint; lines: ModelLine[]; early: ModelLine[] }
export type Order = { reference: string; fromIban: string; toIban: string; toName: string; amount: bigint }
type Plan = { payout: ModelPayout; answer: 'accepted' | 'pending' | 'rejected' }

export function openBank(openings: Map<string, bigint>) {
  const balances = new Map(openings)
  const days = new Map<string, Day>()
  const lines: ModelLine[] = []
  /** By the reference of the order. */
  const plans = new Map<string, Plan>()
  const executed = new Set<string>()
  /** Payouts of the house that are not debited yet. */
  const givenBack: ModelPayout[] = []
  let numbers = 100_000

  function dayOf(iban: string, day: string): Day {
    const key = `${iban} ${day}`
    const balance = balances.get(iban) ?? 0n
    const known = days.get(key) ?? { opening: balance, closing: balance, lines: [], early: [] }
    days.set(key, known)
    return known
  }

  function written({ party, number, ...booking }: Booking): ModelLine {
    const { name = '', iban = null } = party ?? {}
    return { ...booking, number: number ?? `DK${++numbers}`, party: { name, iban } }
  }

  function book(booking: Booking): ModelLine {
    const line = written(booking)
    const its = dayOf(line.iban, line.day)
    const moved = line.direction === 'credit' ? line.amount : -line.amount
    balances.set(line.iban, (balances.get(line.iban) ?? 0n) + moved)
    its.closing += moved
    its.lines.push(line)
    lines.push(line)
    return line
  }

  /** A line that a report of noon shows, and that the bank corrects before the evening: it never counts. */
  function bookEarly(booking: Booking): ModelLine {
    const line = written(booking)
    dayOf(line.iban, line.day).early.push(line)
    lines.push(line)
    return line
  }

  /** Executes an order once, as planned. */
  function receive(order: Order): { answer: Plan['answer']; number: string } {
    const { reference, fromIban } = order
    if (executed.has(reference)) throw new Error(`The bank has ${reference} twice.`)
    const { payout, answer } = plans.get(reference) ?? houseOrder(order)
    payout.from = fromIban
    const number = `GD${++numbers}`
    executed.add(reference)
    return { answer, number }
  }

  /** No merchant has ordered it: staff give money back. */
  function houseOrder({ reference, amount, toIban, toName }: Order): Plan {
    const to = { name: toName, iban: toIban }
    const payout: ModelPayout = {
      ...{ id: reference, merchant: null, amount, to, from: null, status: 'completed', isReturned: false },
    }
    givenBack.push(payout)
    const plan: Plan = { payout, answer: 'accepted' }
    plans.set(reference, plan)
    return plan
  }

  return { lines, book, bookEarly, dayOf, receive, plans, balances, givenBack }
}

export type Bank = ReturnType<typeof openBank>
