import { bankDate } from '../time.ts'
import type { BankBooking, Correction, Instruction, ReturnTerms, UndoKind } from './bank-event.ts'
import { HOME_CURRENCY } from './bank-event.ts'
import { bankNameOf } from './bank-names.ts'
import type { Booking, Listing } from './bookings.ts'
import { addBooking, findBooking, signed } from './bookings.ts'
import type { Account, Ledger, Movement, Outcome, StatementLine } from './ledger.ts'
import type { OrderFile } from './orders/order-file.ts'
import { WORLD_HOLDER, WORLD_IBAN } from './seed-customers.ts'

export function newAccount(iban: string, holder: string, currency = HOME_CURRENCY): Account {
  const empty = { balance: 0n, reserved: 0n, customer: false, world: false, wallet: null, closed: false }
  return { iban, holder, bank: bankNameOf(iban), currency, ...empty }
}

export function accountOf(ledger: Ledger, iban: string, holder: string, currency?: string): Account {
  const account = ledger.accounts.get(iban) ?? newAccount(iban, holder, currency)
  account.holder ||= holder
  ledger.accounts.set(iban, account)
  return account
}

/** Releases the reservation of a held payment that is now decided. */
export function unreserve(ledger: Ledger, { book, reference, from, amount }: Instruction): void {
  if (ledger.outcomes[book].get(reference)?.status === 'held') accountOf(ledger, from, '').reserved -= amount
}

export function recordOutcome({ outcomes }: Ledger, event: Instruction, status: Record<string, string>): void {
  const { book, reference, from, to, senderName, receiverName, amount, currency, narrative, at } = event
  const instruction = { book, reference, from, to, senderName, receiverName, amount, currency, narrative, at }
  outcomes[book].set(reference, { ...instruction, ...status } as Outcome)
}

export function transfer(ledger: Ledger, movement: Movement, batch: Booking['batch']): void {
  ledger.effectiveTransfers.push(movement)
  const { narrative, reference } = movement
  // The sender's line adds the order reference; the receiver sees what the sender wrote.
  move(ledger, movement, { debitNarrative: `${narrative} REF:${reference}`.trim(), endToEnd: reference, batch })
}

/** All payments of a file; a refused one has only its outcome. */
export function order(ledger: Ledger, file: OrderFile): void {
  ledger.orderFiles.set(file.receipt, file)
  const batches = new Map(file.batches.map((batch) => [batch.paymentInfoId, batch]))
  for (const payment of file.payments) {
    if (payment.number === null) continue
    const { endToEnd: reference, from, to, toName: receiverName, amount, currency, narrative } = payment
    const senderName = ledger.accounts.get(from)?.holder ?? ''
    const parties = { from, to, senderName, receiverName }
    const movement: Movement = {
      ...{ book: 'transfer', reference, ...parties, amount, currency, narrative, at: file.at },
      bankReference: payment.number,
    }
    const { number = payment.number, asOne = false } = batches.get(payment.paymentInfoId) ?? {}
    ledger.bankReferences.add(number)
    transfer(ledger, movement, { number, asOne })
    recordOutcome(ledger, movement, { status: 'accepted', bankReference: payment.number })
  }
}

type Undone = { reference: string; bankReference: string; as: UndoKind; at: string } & ReturnTerms

/** A separate movement in the other direction; the first one stays in the books. */
export function undoTransfer(ledger: Ledger, { reference, bankReference, as, at, ...terms }: Undone): void {
  const undone = ledger.outcomes.transfer.get(reference)
  if (undone?.status !== 'accepted') throw new Error(`Transfer ${reference} cannot be undone: it was not accepted.`)
  const { costs = 0n, to = undone.from, narrative = `IADE ${reference}`, code = 'AC04' } = terms
  accountOf(ledger, undone.to, '').balance -= costs
  accountOf(ledger, WORLD_IBAN, WORLD_HOLDER).balance += costs
  const movement: Movement = {
    ...undone,
    ...{ bankReference, from: undone.to, to, amount: undone.amount - costs, narrative, at },
    senderName: undone.receiverName,
    receiverName: undone.senderName,
  }
  move(ledger, movement, { nature: 'return', returned: as === 'returned' ? code : null })
  const status = as === 'returned' ? { status: 'returned' } : { status: 'rejected', reason: 'reversed' }
  recordOutcome(ledger, undone, { ...status, bankReference: undone.bankReference })
}

export function book(ledger: Ledger, { bankReference, ...booking }: BankBooking & { bankReference: string }): void {
  const { nature, anonymous = false, reversal = false, foreign = null } = booking
  const movement: Movement = { ...booking, book: 'payment', reference: bankReference, bankReference }
  move(ledger, movement, { nature, anonymous, reversal, foreign })
}

/** The booking gets other figures; the statement of the API, which only grows, gets a line with the same number. */
export function correct(
  ledger: Ledger,
  { account, number, amount, bookedAt }: Correction & { account: string; number: string },
): void {
  const booking = findBooking(ledger.bookings, account, number)
  if (!booking) throw new Error(`Booking ${number} of ${account} cannot be corrected: there is none.`)
  const before = signed(booking)
  booking.amount = amount ?? booking.amount
  booking.bookedAt = bookedAt ?? booking.bookedAt
  const change = signed(booking) - before
  accountOf(ledger, account, '').balance += change
  accountOf(ledger, WORLD_IBAN, WORLD_HOLDER).balance -= change
  ledger.lines.push(lineOf(booking))
}

export function list(
  ledger: Ledger,
  { account, number, listing }: { account: string; number: string; listing: Listing },
): void {
  const booking = findBooking(ledger.bookings, account, number)
  if (!booking) throw new Error(`Booking ${number} of ${account} cannot be listed: there is none.`)
  booking.listing = listing
  if (listing === 'twice') ledger.lines.push(lineOf(booking))
}

function lineOf({ account, number, amount, direction, bookedAt, name, iban, text }: Booking): StatementLine {
  return {
    ...{ account, reference: number, amount, direction, bookedAt },
    valueDate: bankDate(new Date(bookedAt)),
    ...{ senderName: name, senderIban: iban, narrative: text },
  }
}

type Details = Partial<Pick<Booking, 'nature' | 'endToEnd' | 'batch' | 'reversal' | 'returned' | 'foreign'>> & {
  debitNarrative?: string
  anonymous?: boolean
}

/** The only place where money goes from one account to another. */
export function move(ledger: Ledger, movement: Movement, details: Details = {}): void {
  const { amount, currency, bankReference, narrative, at, senderName, receiverName } = movement
  const { debitNarrative = narrative, anonymous = false, endToEnd = null, batch = null, ...known } = details
  const from = accountOf(ledger, movement.from, senderName, currency)
  const to = accountOf(ledger, movement.to, receiverName, currency)
  from.balance -= amount
  to.balance += amount
  ledger.movements.push(movement)
  ledger.bankReferences.add(bankReference)
  const add = (
    account: Account,
    other: Pick<Booking, 'direction' | 'name' | 'iban' | 'text' | 'endToEnd' | 'batch'>,
  ) => {
    if (account.customer || account.world) return
    const booking: Booking = {
      ...{ account: account.iban, number: bankReference, amount, currency, bookedAt: at, ...other },
      ...{ nature: 'transfer', reversal: false, returned: null, foreign: null, listing: 'once', ...known },
      ...(anonymous && { name: '', iban: '' }),
    }
    addBooking(ledger.bookings, booking)
    ledger.lines.push(lineOf(booking))
  }
  add(from, { direction: 'debit', name: receiverName, iban: to.iban, text: debitNarrative, endToEnd, batch })
  add(to, { direction: 'credit', name: senderName, iban: from.iban, text: narrative, endToEnd: null, batch: null })
}
