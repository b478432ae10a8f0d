import type { BankEvent, Instruction, RejectionReason } from './bank-event.ts'
import type { Bookings } from './bookings.ts'
import type { FaultPlan } from './fault-plan.ts'
import { NO_FAULTS } from './fault-plan.ts'
import { accountOf, book, correct, list, move, newAccount, order } from './movements.ts'
import { recordOutcome, transfer, undoTransfer, unreserve } from './movements.ts'
import type { OrderFile } from './orders/order-file.ts'
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
  /** Per account that is neither a customer's nor the external one. Unlike `lines`, a correction changes them. */
  bookings: Bookings
  /** By receipt. */
  orderFiles: Map<string, OrderFile>
  reports: Set<string>
  /** Names of the statements that were put into folders. */
  delivered: string[]
  clockOffsetMs: number
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
    bookings: new Map(),
    orderFiles: new Map(),
    reports: new Set(),
    delivered: [],
    clockOffsetMs: 0,
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
    case 'booked':
      book(ledger, event)
      return
    case 'corrected':
      correct(ledger, event)
      return
    case 'listed':
      list(ledger, event)
      return
    case 'ordered':
      order(ledger, event)
      return
    case 'reported':
      ledger.reports.add(`${event.receipt} ${event.status}`)
      return
    case 'delivered':
      ledger.delivered.push(event.name)
      return
    case 'clock':
      ledger.clockOffsetMs = event.offsetMs
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
      if (event.book === 'transfer') transfer(ledger, event, null)
      else move(ledger, event)
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
