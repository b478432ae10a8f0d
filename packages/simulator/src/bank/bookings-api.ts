import type { FastifyInstance } from 'fastify'
import { instantOf, localTime } from '../time.ts'
import { ApiError } from './api-error.ts'
import { amount, text } from './api-schemas.ts'
import type { Booked } from './bank-bookings.ts'
import { charge, correct, deskOf, interest, ownTransfer, setListing, storno } from './bank-bookings.ts'
import type { Bank } from './bank.ts'
import type { Listing } from './bookings.ts'
import { findBooking } from './bookings.ts'
import { clientAccount, DAY } from './files/files-api.ts'

type OfAccount = { Params: { iban: string } }
type OfBooking = { Params: { iban: string; number: string } }
type Money = { amount: number; text?: string }

const body = (properties: object, required: string[] = []) => ({
  schema: { body: { type: 'object', properties, required, additionalProperties: false } },
})
const money = body({ amount, text: text(200, 1) }, ['amount'])

/** What the bank does to an account by itself. */
export function mountBookings(app: FastifyInstance, bank: Bank): void {
  const path = '/accounts/:iban'
  app.post<OfAccount & { Body: Money }>(`${path}/charge`, money, async ({ params, body: { amount, text } }) => {
    return shown(charge(deskOf(bank.books), clientAccount(bank, params.iban), BigInt(amount), text ?? 'HESAP MASRAFI'))
  })
  app.post<OfAccount & { Body: Money }>(`${path}/interest`, money, async ({ params, body: { amount, text } }) => {
    return shown(
      interest(deskOf(bank.books), clientAccount(bank, params.iban), BigInt(amount), text ?? 'MEVDUAT FAİZİ'),
    )
  })
  app.post<OfAccount & { Body: Money & { toIban: string } }>(
    `${path}/own-transfer`,
    body({ toIban: text(40, 1), amount, text: text(200, 1) }, ['toIban', 'amount']),
    async ({ params, body: { toIban, amount, text = 'VİRMAN' } }) => {
      const [from, to] = [clientAccount(bank, params.iban), clientAccount(bank, toIban)]
      if (from === to) throw new ApiError(400, 'same_account')
      return shown(ownTransfer(deskOf(bank.books), { from, to, amount: BigInt(amount), text }))
    },
  )
  mountChanges(app, bank, `${path}/bookings/:number`)
  mountClock(app, bank)
}

function mountChanges(app: FastifyInstance, bank: Bank, path: string): void {
  app.post<OfBooking>(`${path}/storno`, async ({ params }) => {
    return shown(storno(deskOf(bank.books), clientAccount(bank, params.iban), params.number))
  })
  app.post<OfBooking & { Body: { amount?: number; day?: string } }>(
    `${path}/correct`,
    body({ amount, day: DAY }),
    async ({ params, body: { amount, day } }) => {
      const account = clientAccount(bank, params.iban)
      const booking = findBooking(bank.books.ledger.bookings, account, params.number)
      const time = booking && localTime(booking.bookedAt).slice(10)
      const correction = {
        ...(amount !== undefined && { amount: BigInt(amount) }),
        ...(day !== undefined && time && { bookedAt: instantOf(`${day}${time}`) }),
      }
      return shown(correct(deskOf(bank.books), account, params.number, correction))
    },
  )
  app.post<OfBooking & { Body: { listing: Listing } }>(
    `${path}/listing`,
    body({ listing: { enum: ['once', 'twice', 'late'] } }, ['listing']),
    async ({ params, body: { listing } }) => {
      return shown(setListing(deskOf(bank.books), clientAccount(bank, params.iban), params.number, listing))
    },
  )
}

/** So that a test can live through days: bookings have the bank's time. */
function mountClock(app: FastifyInstance, bank: Bank): void {
  const { books } = bank
  const shownClock = () => ({ now: books.now().toISOString(), offsetMs: books.ledger.clockOffsetMs })
  app.get('/clock', async () => shownClock())
  app.put<{ Body: { now: string | null } }>(
    '/clock',
    body({ now: { type: ['string', 'null'], maxLength: 40 } }, ['now']),
    async ({ body: { now } }) => {
      const real = books.now().getTime() - books.ledger.clockOffsetMs
      const offsetMs = now === null ? 0 : Date.parse(now) - real
      if (Number.isNaN(offsetMs)) throw new ApiError(400, 'not_a_time')
      books.record([{ kind: 'clock', offsetMs }])
      return shownClock()
    },
  )
}

function shown(booked: Booked): { numbers: string[] } {
  if ('refused' in booked) throw new ApiError(booked.refused === 'unknown_booking' ? 404 : 409, booked.refused)
  return booked
}
