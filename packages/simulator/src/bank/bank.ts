import { randomBytes } from 'node:crypto'
import { openJournal } from '../journal.ts'
import type { Now } from '../time.ts'
import type { BankEvent, UndoKind, Instruction, ReturnTerms } from './bank-event.ts'
import { HOME_CURRENCY, readBankEvent } from './bank-event.ts'
import { decide } from './decide.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { Account, Ledger, Movement, Outcome, StatementLine } from './ledger.ts'
import { applyEvent, currencyOf, emptyLedger } from './ledger.ts'
import { seedCustomers, seedWorld, WORLD_HOLDER, WORLD_IBAN } from './seed-customers.ts'
import type { Undone } from './undo-transfer.ts'
import { undoTransfer } from './undo-transfer.ts'

export type Payment = {
  fromIban: string
  toIban: string
  toName: string
  amount: bigint
  /** Null: the currency of the receiver's account. */
  currency: string | null
  description: string
  /** Shown to the receiver instead of the holder's name. */
  senderName: string | null
  times: number
  hold: boolean
}

export type Transfer = {
  reference: string
  fromIban: string
  toIban: string
  toName: string
  amount: bigint
  currency: string
  description: string
}

type EffectiveTransfer = {
  reference: string
  amount: bigint
  currency: string
  toIban: string
  at: string
  reversed: boolean
}

/** What the bank's departments work with: `record` changes the ledger and the journal. */
export type Books = { ledger: Ledger; record: Record; now: Now }

/** Changes are visible at once and on disk when `written` resolves: respond only after that. */
export type Bank = {
  customers: () => Account[]
  accounts: () => Account[]
  /** Whether an account belongs to the bank itself and not to a client. */
  isOwn: (iban: string) => boolean
  pay: (payment: Payment) => Outcome[]
  payment: (reference: string) => Outcome | null
  held: () => Outcome[]
  /** Null if there is no such payment; one that is not held stays unchanged. */
  release: (reference: string) => Outcome | null
  transfer: (transfer: Transfer) => { outcome: Outcome; isNew: boolean }
  transferred: (reference: string) => Outcome | null
  /** Null if there is no such transfer, a code if it cannot be returned. Repeating has no effect. */
  undoTransfer: (reference: string, as: UndoKind, terms?: ReturnTerms) => Undone
  /** In order of occurrence; null if this bank has not issued the cursor. */
  effectiveTransfers: (since: number) => EffectiveTransfer[] | null
  fund: (iban: string, amount: bigint, details?: FundingDetails) => Outcome
  closeAccount: (iban: string) => void
  faultPlan: () => FaultPlan
  setFaultPlan: (plan: FaultPlan) => void
  /** Null if this bank has not issued the cursor. */
  statement: (since: number, limit: number) => { lines: StatementLine[]; cursor: number; more: boolean } | null
  lastMovements: (count: number) => Movement[]
  books: Books
  written: () => Promise<void>
  stop: () => void
}

export function openBank({ path, now: realNow }: { path: string; now: Now }): Bank {
  const { journal, entries } = openJournal(path)
  const ledger = emptyLedger()
  const now = () => new Date(realNow().getTime() + ledger.clockOffsetMs)
  for (const entry of entries) applyEvent(ledger, readBankEvent(entry))
  const record = (events: BankEvent[]) => {
    journal.add(events)
    for (const event of events) applyEvent(ledger, event)
  }
  if (entries.length === 0) record(seedCustomers())
  // Also added to a journal of an older version.
  if (!ledger.accounts.get(WORLD_IBAN)?.world) record([seedWorld()])
  const books = { ledger, record, now }
  const transferred = (reference: string) => ledger.outcomes.transfer.get(reference) ?? null
  return {
    customers: () => [...ledger.accounts.values()].filter(({ customer }) => customer),
    accounts: () => [...ledger.accounts.values()],
    isOwn(iban) {
      const account = ledger.accounts.get(iban)
      return account !== undefined && (account.customer || account.world)
    },
    pay: (payment) => pay(ledger, record, payment, now),
    payment: (reference) => ledger.outcomes.payment.get(reference) ?? null,
    held: () => [...ledger.outcomes.payment.values()].filter(({ status }) => status === 'held'),
    release: (reference) => release(ledger, record, reference, now),
    transfer(transfer) {
      const known = transferred(transfer.reference)
      if (known) return { outcome: known, isNew: false }
      record([decide(ledger, transferInstruction(ledger, transfer, now), 0n)])
      return { outcome: transferred(transfer.reference) as Outcome, isNew: true }
    },
    transferred,
    undoTransfer: (reference, as, terms = {}) => undoTransfer(books, { reference, as, ...terms }),
    effectiveTransfers: (since) => effectiveTransfers(ledger, since),
    fund: (iban, amount, details = {}) => fund(ledger, record, { iban, amount, details, at: now().toISOString() }),
    closeAccount: (iban) => record([{ kind: 'closed', iban, at: now().toISOString() }]),
    statement: (since, limit) => statement(ledger, since, limit),
    lastMovements: (count) => ledger.movements.slice(-count).toReversed(),
    faultPlan: () => ledger.faultPlan,
    setFaultPlan: (plan) => record([{ kind: 'faults', plan }]),
    books,
    written: () => journal.written(),
    stop: () => journal.close(),
  }
}

type Record = (events: BankEvent[]) => void

function pay(ledger: Ledger, record: Record, payment: Payment, now: Now): Outcome[] {
  const events: (BankEvent & Instruction)[] = []
  let spent = 0n
  for (let time = 0; time < payment.times; time++) {
    const instruction = paymentInstruction(ledger, payment, now)
    const decided = decide(ledger, instruction, spent)
    if (decided.kind !== 'rejected') spent += payment.amount
    events.push(payment.hold && decided.kind === 'moved' ? { kind: 'held', ...instruction } : decided)
  }
  record(events)
  return events.map(({ reference }) => ledger.outcomes.payment.get(reference) as Outcome)
}

function release(ledger: Ledger, record: Record, reference: string, now: Now): Outcome | null {
  const held = ledger.outcomes.payment.get(reference)
  if (held?.status !== 'held') return held ?? null
  const { status: _status, ...instruction } = held
  // Ignores its own reservation, and is booked at the time of release.
  record([decide(ledger, { ...instruction, at: now().toISOString() }, -held.amount)])
  return ledger.outcomes.payment.get(reference) ?? null
}

function effectiveTransfers({ effectiveTransfers, outcomes }: Ledger, since: number): EffectiveTransfer[] | null {
  if (since > effectiveTransfers.length) return null
  return effectiveTransfers.slice(since).map(({ reference, amount, currency, to, at }) => {
    const reversed = outcomes.transfer.get(reference)?.status !== 'accepted'
    return { reference, amount, currency, toIban: to, at, reversed }
  })
}

/** External money may have a name and a text, to pay for something. */
type FundingDetails = {
  description?: string | undefined
  senderName?: string | undefined
  currency?: string | undefined
}

function fund(
  ledger: Ledger,
  record: Record,
  { iban, amount, details, at }: { iban: string; amount: bigint; details: FundingDetails; at: string },
): Outcome {
  const instruction: Instruction = {
    book: 'payment',
    reference: newPaymentReference(),
    from: WORLD_IBAN,
    to: iban,
    senderName: details.senderName ?? WORLD_HOLDER,
    receiverName: ledger.accounts.get(iban)?.holder ?? '',
    amount,
    currency: details.currency ?? currencyOf(ledger, iban) ?? HOME_CURRENCY,
    narrative: details.description ?? 'Hesaba aktarım',
    at,
  }
  record([decide(ledger, instruction, 0n)])
  return ledger.outcomes.payment.get(instruction.reference) as Outcome
}

function paymentInstruction(ledger: Ledger, payment: Payment, now: Now): Instruction {
  const { fromIban, toIban, toName, amount, currency, description, senderName } = payment
  const from = ledger.accounts.get(fromIban)
  const payer = senderName ?? from?.wallet
  return {
    book: 'payment',
    reference: newPaymentReference(),
    from: fromIban,
    to: toIban,
    senderName: senderName ?? from?.holder ?? '',
    receiverName: toName || (ledger.accounts.get(toIban)?.holder ?? ''),
    amount,
    currency: currency ?? currencyOf(ledger, toIban) ?? HOME_CURRENCY,
    narrative: from?.wallet ? `Gönderen: ${payer} ${description}`.trim() : description,
    at: now().toISOString(),
  }
}

function transferInstruction(ledger: Ledger, transfer: Transfer, now: Now): Instruction {
  return {
    book: 'transfer',
    reference: transfer.reference,
    from: transfer.fromIban,
    to: transfer.toIban,
    senderName: ledger.accounts.get(transfer.fromIban)?.holder ?? '',
    receiverName: transfer.toName,
    amount: transfer.amount,
    currency: transfer.currency,
    narrative: transfer.description,
    at: now().toISOString(),
  }
}

function newPaymentReference(): string {
  return `P${randomBytes(8).toString('hex')}`
}

function statement({ lines }: Ledger, since: number, limit: number): ReturnType<Bank['statement']> {
  if (since > lines.length) return null
  const page = lines.slice(since, since + limit)
  const cursor = since + page.length
  return { lines: page, cursor, more: cursor < lines.length }
}
