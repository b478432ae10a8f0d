import { bankDate } from '../time.ts'
import type { BankEvent, UndoKind, Instruction, RejectionReason } from './bank-event.ts'
import { HOME_CURRENCY } from './bank-event.ts'
import { bankNameOf } from './bank-names.ts'
import type { FaultPlan } from './fault-plan.ts'
import { NO_FAULTS } from './fault-plan.ts'
import { WORLD_HOLDER } from './seed-customers.ts'

export type Account = {
  iban: string
  holder: string
  bank: string
  /** Currency of its first movement. Customers and the external account pay in any currency, one to one. */
  currency: string
  balance: bigint
  /** Money of held payments: still on the account, but not available. */
  reserved: bigint
  /** One of the seeded customers, as opposed to an account that received money. */
  customer: boolean
  /** The external account: source of money that no customer paid. */
  world: boolean
  /** Wallet transfers have the holder's name in the text, because the account is the institution's. */
  wallet: string | null
  closed: boolean
}

export type Movement = Instruction & { bankReference: string }

export type Outcome = Instruction &
  (
    | { status: 'accepted' | 'returned'; bankReference: string }
    | { status: 'held' }
    | { status: 'rejected'; reason: RejectionReason; bankReference?: string }
  )

export type StatementLine = {
  account: string
  reference: string
  amount: bigint
  direction: 'credit' | 'debit'
  valueDate: string
  bookedAt: string
  senderName: string
  senderIban: string
  narrative: string
}

export type Ledger = {
  accounts: Map<string, Account>
  movements: Movement[]
  lines: StatementLine[]
  outcomes: Record<Instruction['book'], Map<string, Outcome>>
  bankReferences: Set<string>
  /** Clients' transfers that moved money, one entry per movement. */
  effectiveTransfers: Movement[]
  faultPlan: FaultPlan
}

export function emptyLedger(): Ledger {
  return {
    accounts: new Map(),
    movements: [],
    lines: [],
    outcomes: { payment: new Map(), transfer: new Map() },
    bankReferences: new Set(),
    effectiveTransfers: [],
    faultPlan: NO_FAULTS,
  }
}

export function applyEvent(ledger: Ledger, event: BankEvent): void {
  switch (event.kind) {
    case 'customer': {
      const { iban, holder, wallet, amount } = event
      ledger.accounts.set(iban, { ...newAccount(iban, holder), balance: amount, customer: true, wallet })
      return
    }
    case 'world': {
      const world = accountOf(ledger, event.iban, WORLD_HOLDER)
      world.balance += event.amount
      world.world = true
      return
    }
    case 'faults':
      ledger.faultPlan = event.plan
      return
    case 'given_back':
      undoTransfer(ledger, event)
      return
    case 'closed':
      accountOf(ledger, event.iban, '').closed = true
      return
    case 'held':
      accountOf(ledger, event.from, '').reserved += event.amount
      recordOutcome(ledger, event, { status: 'held' })
      return
    case 'rejected':
      unreserve(ledger, event)
      recordOutcome(ledger, event, { status: 'rejected', reason: event.reason })
      return
    case 'moved':
      unreserve(ledger, event)
      if (event.book === 'transfer') {
        ledger.effectiveTransfers.push(event)
        // The sender's line adds the order reference; the receiver sees what the sender wrote.
        move(ledger, event, `${event.narrative} REF:${event.reference}`.trim())
      } else move(ledger, event)
      recordOutcome(ledger, event, { status: 'accepted', bankReference: event.bankReference })
  }
}

/** Null for an account without movements: it has no currency yet. */
export function currencyOf(ledger: Ledger, iban: string): string | null {
  return ledger.accounts.get(iban)?.currency ?? null
}

/** Available balance. An account without movements is one at another bank, with a balance of zero. */
export function available(ledger: Ledger, iban: string): bigint {
  const account = ledger.accounts.get(iban)
  return account ? account.balance - account.reserved : 0n
}

function newAccount(iban: string, holder: string, currency = HOME_CURRENCY): Account {
  const empty = { balance: 0n, reserved: 0n, customer: false, world: false, wallet: null, closed: false }
  return { iban, holder, bank: bankNameOf(iban), currency, ...empty }
}

function accountOf(ledger: Ledger, iban: string, holder: string, currency?: string): Account {
  const account = ledger.accounts.get(iban) ?? newAccount(iban, holder, currency)
  account.holder ||= holder
  ledger.accounts.set(iban, account)
  return account
}

/** Releases the reservation of a held payment that is now decided. */
function unreserve(ledger: Ledger, { book, reference, from, amount }: Instruction): void {
  if (ledger.outcomes[book].get(reference)?.status === 'held') accountOf(ledger, from, '').reserved -= amount
}

function recordOutcome({ outcomes }: Ledger, event: Instruction, status: Record<string, string>): void {
  const { book, reference, from, to, senderName, receiverName, amount, currency, narrative, at } = event
  const instruction = { book, reference, from, to, senderName, receiverName, amount, currency, narrative, at }
  outcomes[book].set(reference, { ...instruction, ...status } as Outcome)
}

/** A separate movement in the other direction; the first one stays in the books. */
function undoTransfer(
  ledger: Ledger,
  { reference, bankReference, as, at }: { reference: string; bankReference: string; as: UndoKind; at: string },
): void {
  const transfer = ledger.outcomes.transfer.get(reference)
  if (transfer?.status !== 'accepted') throw new Error(`Transfer ${reference} cannot be undone: it was not accepted.`)
  move(ledger, {
    ...transfer,
    bankReference,
    from: transfer.to,
    to: transfer.from,
    senderName: transfer.receiverName,
    receiverName: transfer.senderName,
    narrative: `IADE ${reference}`,
    at,
  })
  const status = as === 'returned' ? { status: 'returned' } : { status: 'rejected', reason: 'reversed' }
  recordOutcome(ledger, transfer, { ...status, bankReference: transfer.bankReference })
}

/** The only place where balances change: what one account loses, another gains. */
function move(ledger: Ledger, movement: Movement, debitNarrative = movement.narrative): void {
  const { amount, currency, bankReference, narrative, at } = movement
  const from = accountOf(ledger, movement.from, movement.senderName, currency)
  const to = accountOf(ledger, movement.to, movement.receiverName, currency)
  from.balance -= amount
  to.balance += amount
  ledger.movements.push(movement)
  ledger.bankReferences.add(bankReference)
  const line = { reference: bankReference, amount, valueDate: bankDate(new Date(at)), bookedAt: at, narrative }
  const { senderName, receiverName } = movement
  if (!from.customer && !from.world) {
    const counterparty = { senderName: receiverName, senderIban: to.iban, narrative: debitNarrative }
    ledger.lines.push({ account: from.iban, direction: 'debit', ...line, ...counterparty })
  }
  if (!to.customer && !to.world) {
    ledger.lines.push({ account: to.iban, direction: 'credit', ...line, senderName, senderIban: from.iban })
  }
}
