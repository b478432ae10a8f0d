import type { FastifyInstance } from 'fastify'
import { isIban, normaliseIban } from '../../iban.ts'
import { bankDate, instantOf } from '../../time.ts'
import { ApiError } from '../api-error.ts'
import type { Bank } from '../bank.ts'
import { bookingDay, bookingsBetween, openingBalance, signed } from '../bookings.ts'
import { FILE_FORMATS, isInterim } from './formats.ts'
import type { FileRequest } from './write-statement.ts'
import { fileNameOf, writeStatement } from './write-statement.ts'

export const DAY = { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' }
/** A query has only texts. */
const FLAG = { enum: ['true', 'false', true, false] }
type Flag = boolean | 'true' | 'false'

/** What may be said of a statement file, by a query or in a body. */
export const STATEMENT_OPTIONS = {
  format: { enum: FILE_FORMATS },
  version: { enum: ['02', '08'] },
  encoding: { enum: ['utf-8', 'windows-1254'] },
  day: DAY,
  from: DAY,
  to: DAY,
  /** Of the last day: only what was booked before this time. */
  until: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$' },
  batch: FLAG,
  times: FLAG,
}

export type StatementOptions = Partial<
  Pick<FileRequest, 'format' | 'version' | 'encoding' | 'from' | 'to'> & {
    day: string
    until: string
    batch: Flag
    times: Flag
  }
>

export function mountFiles(app: FastifyInstance, bank: Bank): void {
  const account = { type: 'string', maxLength: 40 }
  const statementQuery = { type: 'object', required: ['account'], properties: { account, ...STATEMENT_OPTIONS } }
  app.get<{ Querystring: StatementOptions & { account: string } }>(
    '/files/statement',
    { schema: { querystring: statementQuery } },
    async ({ query }, reply) => {
      const request = fileRequest(bank, query.account, query)
      const bytes = writeStatement(bank.books, request)
      const name = fileNameOf(request)
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(bytes)
    },
  )
  const ledgerQuery = { type: 'object', required: ['account', 'from'], properties: { account, from: DAY, to: DAY } }
  app.get<{ Querystring: { account: string; from: string; to?: string } }>(
    '/ledger/days',
    { schema: { querystring: ledgerQuery } },
    async ({ query: { account, from, to = from } }) => ({
      days: ledgerDays(bank, clientAccount(bank, account), from, to),
    }),
  )
}

const isOn = (flag: Flag) => String(flag) === 'true'

export function fileRequest(bank: Bank, given: string, options: StatementOptions): FileRequest {
  const account = clientAccount(bank, given)
  const day = options.day ?? bankDate(bank.books.now())
  const { format = 'camt.053', version = '02', encoding = 'utf-8', from = day, to = options.from ?? day } = options
  const { until, batch, times } = options
  if (from > to) throw new ApiError(400, 'from_after_to')
  if (until !== undefined && !isInterim(format)) throw new ApiError(400, 'until_needs_an_intraday_format')
  return {
    ...{ account, format, version, encoding, from, to },
    until: until === undefined ? null : instantOf(`${to}T${until.padEnd(8, ':00')}`),
    batch: batch === undefined ? null : isOn(batch),
    withTimes: isOn(times ?? false),
  }
}

/** Accounts of the bank's own customers have no statement. */
export function clientAccount(bank: Bank, given: string): string {
  const iban = normaliseIban(given)
  if (!isIban(iban)) throw new ApiError(400, 'invalid_iban')
  if (bank.isOwn(iban)) throw new ApiError(400, 'not_your_account')
  return iban
}

/** The witness for tests: what the bank's books say of each day with bookings, and of the first and last day. */
function ledgerDays({ books: { ledger } }: Bank, account: string, from: string, to: string) {
  const booked = Map.groupBy(bookingsBetween(ledger.bookings, account, from, to), bookingDay)
  const days = [...new Set([from, ...booked.keys(), to])].toSorted()
  return days.map((day) => {
    const bookings = booked.get(day) ?? []
    const opening = openingBalance(ledger.bookings, account, day)
    const closing = bookings.reduce((sum, one) => sum + signed(one), opening)
    const views = bookings.map((one) => ({
      ...one,
      amount: Number(one.amount),
      foreign: one.foreign && { ...one.foreign, amount: Number(one.foreign.amount) },
    }))
    return { day, opening: Number(opening), closing: Number(closing), bookings: views }
  })
}
