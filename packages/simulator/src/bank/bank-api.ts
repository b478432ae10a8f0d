import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyError, FastifyInstance } from 'fastify'
import { isIban, normaliseIban } from '../iban.ts'
import { ApiError } from './api-error.ts'
import { amount, currency, cursor, text } from './api-schemas.ts'
import type { Bank } from './bank.ts'
import { mountBookings } from './bookings-api.ts'
import { mountDays } from './days/days-api.ts'
import { mountFaults } from './faults-api.ts'
import { openFaults } from './faults.ts'
import { mountFiles } from './files/files-api.ts'
import type { Account } from './ledger.ts'
import { mountExchange } from './orders/exchange-api.ts'
import { outcomeView } from './outcome-view.ts'
import { WORLD_IBAN } from './seed-customers.ts'
import { mountTransfers } from './transfers-api.ts'

const paymentBody = {
  type: 'object',
  required: ['toIban', 'amount', 'description'],
  properties: {
    toIban: text(40, 1),
    toName: text(140),
    amount,
    currency,
    description: text(200),
    senderName: text(140, 1),
    fromIban: text(40, 1),
    times: { type: 'integer', minimum: 1, maximum: 5 },
    hold: { type: 'boolean' },
  },
}

const fundBody = {
  type: 'object',
  required: ['amount'],
  properties: {
    amount,
    currency,
    description: { type: 'string', maxLength: 200 },
    senderName: { type: 'string', maxLength: 140 },
  },
}

const statementQuery = {
  type: 'object',
  properties: {
    since: cursor,
    limit: { type: 'string', pattern: '^([1-9]\\d{0,2}|1000)$' },
  },
}

type PaymentBody = {
  toIban: string
  toName?: string
  amount: number
  currency?: string
  description: string
  senderName?: string
  fromIban?: string
  times?: number
  hold?: boolean
}

type FundBody = { amount: number; currency?: string; description?: string; senderName?: string }

/** The bank's API for clients, protected by one key. */
export function mountBankApi(app: FastifyInstance, { bank, key }: { bank: Bank; key: string }): void {
  const expected = digest(`Bearer ${key}`)
  app.addHook('onRequest', async (request) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) throw new ApiError(401, 'unauthorized')
  })
  // Nothing is reported, not even by reads, before it is on disk.
  app.addHook('onSend', async () => bank.written())
  // Releasing and closing need no body, but many clients send a JSON content type.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string))
    } catch {
      done(new ApiError(400, 'not_json'))
    }
  })
  // A route instead of a not-found handler: every path below this prefix, known or unknown, requires the key.
  app.all('/*', () => {
    throw new ApiError(404, 'not_found')
  })
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500
    if (error instanceof ApiError) return reply.code(status).send({ error: error.message })
    if (error.validation) return reply.code(400).send({ error: 'invalid_request', message: error.message })
    return reply.code(status).send({ error: status < 500 ? error.message : 'internal_error' })
  })
  mountStatement(app, bank)
  mountFiles(app, bank)
  mountBookings(app, bank)
  mountExchange(app, bank)
  mountDays(app, bank)
  const faults = openFaults(bank)
  mountFaults(app, faults)
  mountTransfers(app, { bank, faults })
  mountPayments(app, bank)
  mountAccounts(app, bank)
}

/** Hashed, because timingSafeEqual needs equal lengths. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

function mountStatement(app: FastifyInstance, bank: Bank): void {
  app.get<{ Querystring: { since?: string; limit?: string } }>(
    '/statement',
    { schema: { querystring: statementQuery } },
    async ({ query }) => {
      const page = bank.statement(Number(query.since ?? 0), Number(query.limit ?? 500))
      // A cursor of another bank, or from before this bank was wiped: an empty page would hide money for ever.
      if (!page) throw new ApiError(400, 'unknown_cursor')
      const lines = page.lines.map((line) => ({ ...line, amount: Number(line.amount) }))
      return { lines, cursor: String(page.cursor), more: page.more }
    },
  )
}

function mountPayments(app: FastifyInstance, bank: Bank): void {
  app.post<{ Body: PaymentBody }>('/payments', { schema: { body: paymentBody } }, async ({ body }, reply) => {
    const customers = bank.customers()
    const wanted = body.fromIban === undefined ? customers[0]?.iban : normaliseIban(body.fromIban)
    const from = customers.find(({ iban }) => iban === wanted)
    if (!from) throw new ApiError(400, 'not_a_customer')
    const toIban = normaliseIban(body.toIban)
    if (!isIban(toIban)) throw new ApiError(400, 'invalid_iban')
    if (toIban === from.iban) throw new ApiError(400, 'same_account')
    const payments = bank.pay({
      fromIban: from.iban,
      toIban,
      toName: body.toName ?? '',
      amount: BigInt(body.amount),
      currency: body.currency ?? null,
      description: body.description,
      senderName: body.senderName ?? null,
      times: body.times ?? 1,
      hold: body.hold ?? false,
    })
    return reply.code(201).send({ payments: payments.map(outcomeView) })
  })
  app.get('/payments/held', async () => ({
    payments: bank.held().map((held) => ({
      ...outcomeView(held),
      fromIban: held.from,
      toIban: held.to,
      amount: Number(held.amount),
      description: held.narrative,
    })),
  }))
  app.post<{ Params: { reference: string } }>('/payments/:reference/release', async ({ params }) => {
    const outcome = bank.release(params.reference)
    if (!outcome) throw new ApiError(404, 'never_seen')
    return outcomeView(outcome)
  })
}

function mountAccounts(app: FastifyInstance, bank: Bank): void {
  app.get('/accounts', async () => ({ accounts: bank.accounts().map(accountView) }))
  app.post<{ Params: { iban: string } }>('/accounts/:iban/close', async ({ params }) => {
    const iban = normaliseIban(params.iban)
    if (!isIban(iban)) throw new ApiError(400, 'invalid_iban')
    bank.closeAccount(iban)
    return { iban, closed: true }
  })
  app.post<{ Params: { iban: string }; Body: FundBody }>(
    '/accounts/:iban/fund',
    { schema: { body: fundBody } },
    async ({ params, body }, reply) => {
      const iban = normaliseIban(params.iban)
      if (!isIban(iban)) throw new ApiError(400, 'invalid_iban')
      if (iban === WORLD_IBAN) throw new ApiError(400, 'same_account')
      return reply.code(201).send(outcomeView(bank.fund(iban, BigInt(body.amount), body)))
    },
  )
}

function accountView({ iban, holder, bank, currency, balance, reserved, customer, closed }: Account) {
  return { iban, holder, bank, currency, balance: Number(balance), reserved: Number(reserved), customer, closed }
}
