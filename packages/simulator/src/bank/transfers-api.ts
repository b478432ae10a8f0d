import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isIban, normaliseIban } from '../iban.ts'
import { ApiError } from './api-error.ts'
import { amount, currency, cursor, text } from './api-schemas.ts'
import type { ReturnTerms } from './bank-event.ts'
import { HOME_CURRENCY } from './bank-event.ts'
import type { Bank, Transfer } from './bank.ts'
import type { SubmitFault } from './fault-plan.ts'
import { SUBMIT_FAULTS } from './fault-plan.ts'
import type { Faults } from './faults.ts'
import { clientAccount } from './files/files-api.ts'
import type { Outcome } from './ledger.ts'
import { outcomeView } from './outcome-view.ts'

const transferBody = {
  type: 'object',
  required: ['reference', 'fromIban', 'toIban', 'toName', 'amount', 'description'],
  properties: {
    reference: text(140, 1),
    fromIban: text(40, 1),
    toIban: text(40, 1),
    toName: text(140, 1),
    amount,
    currency,
    description: text(200),
  },
}

type TransferBody = Omit<Transfer, 'amount' | 'currency'> & { amount: number; currency?: string }

/** Null is a request without a body. */
const returning = {
  schema: {
    body: {
      type: ['object', 'null'],
      properties: {
        toIban: text(40, 1),
        costs: amount,
        text: text(200, 1),
        code: { type: 'string', pattern: '^[A-Z]{2}\\d{2}$' },
      },
    },
  },
}

type ReturnBody = { toIban?: string; costs?: number; text?: string; code?: string }

type Reference = { Params: { reference: string } }

type Context = {
  bank: Bank
  faults: Faults
  /** Aborted when the bank closes: delayed calls must not keep it open. */
  closing: AbortSignal
}

export function mountTransfers(app: FastifyInstance, { bank, faults }: { bank: Bank; faults: Faults }): void {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const context = { bank, faults, closing: closing.signal }
  app.post<{ Body: TransferBody }>('/transfers', { schema: { body: transferBody } }, async ({ body }, reply) => {
    const transfer = readTransfer(bank, body)
    return submit(context, transfer, faults.onSubmit(transfer), reply)
  })
  app.get<Reference>('/transfers/:reference', async ({ params: { reference } }) => {
    if (faults.onFind(reference)) {
      faults.count('find_error')
      throw new ApiError(500, 'internal_error')
    }
    const outcome = bank.transferred(reference)
    if (!outcome) throw new ApiError(404, 'never_seen')
    return outcomeView(outcome)
  })
  app.post<Reference & { Body?: ReturnBody }>('/transfers/:reference/return', returning, async ({ params, body }) => {
    const outcome = bank.undoTransfer(params.reference, 'returned', returnTerms(bank, body))
    if (!outcome) throw new ApiError(404, 'never_seen')
    if (typeof outcome === 'string') throw new ApiError(409, outcome)
    return outcomeView(outcome)
  })
  mountWitness(app, bank)
}

/** The money may come back less costs, to another account of the client, in other words. */
function returnTerms(bank: Bank, { toIban, costs, text, code }: ReturnBody = {}): ReturnTerms {
  return {
    ...(toIban !== undefined && { to: clientAccount(bank, toIban) }),
    ...(costs !== undefined && { costs: BigInt(costs) }),
    ...(text !== undefined && { narrative: text }),
    ...(code !== undefined && { code }),
  }
}

/** Lists what left the bank, for checks that nothing left twice. */
function mountWitness(app: FastifyInstance, bank: Bank): void {
  const schema = { querystring: { type: 'object', properties: { since: cursor } } }
  app.get<{ Querystring: { since?: string } }>('/ledger/transfers', { schema }, async ({ query }) => {
    const since = Number(query.since ?? 0)
    const effective = bank.effectiveTransfers(since)
    if (!effective) throw new ApiError(400, 'unknown_cursor')
    const transfers = effective.map(({ amount, ...rest }) => ({ ...rest, amount: Number(amount) }))
    return { transfers, cursor: String(since + transfers.length) }
  })
}

function readTransfer(bank: Bank, body: TransferBody): Transfer {
  const fromIban = normaliseIban(body.fromIban)
  const toIban = normaliseIban(body.toIban)
  if (!isIban(fromIban)) throw new ApiError(400, 'invalid_from_iban')
  if (fromIban === toIban) throw new ApiError(400, 'same_account')
  // The key gives access to clients' accounts, not to those of the bank's own customers.
  if (bank.isOwn(fromIban)) throw new ApiError(400, 'not_your_account')
  const { reference, toName, currency = HOME_CURRENCY, description } = body
  return { reference, fromIban, toIban, toName, amount: BigInt(body.amount), currency, description }
}

async function submit(
  { bank, faults, closing }: Context,
  transfer: Transfer,
  fault: SubmitFault | null,
  reply: FastifyReply,
) {
  const { effect, ending } = fault ? SUBMIT_FAULTS[fault] : ({ effect: true, ending: 'answer' } as const)
  if (fault && ending !== 'answer') faults.count(fault)
  const result = effect ? bank.transfer(transfer) : null
  const response = result && responseFor(result, fault, faults, bank)
  // A caller without a response may query elsewhere: the effect is on disk before the call ends.
  await bank.written()
  const delay = ending === 'silence' || ending === 'late' ? faults.plan().delayMs : null
  const hasClient = delay === null || (await waitWhileConnected(delay, reply, closing))
  if (!hasClient || ending === 'reset') return resetConnection(reply)
  if (ending === 'error') throw new ApiError(500, 'internal_error')
  if (ending === 'silence' || !response) throw new ApiError(504, 'timeout')
  return reply.code(response.status).send(response.view)
}

function responseFor(
  { outcome, isNew }: { outcome: Outcome; isNew: boolean },
  fault: SubmitFault | null,
  faults: Faults,
  bank: Bank,
): { status: number; view: object } {
  const view = outcomeView(outcome)
  switch (fault) {
    case 'duplicate_answer':
      faults.count(fault)
      return { status: 200, view }
    case 'late_status':
      faults.count(fault)
      return { status: 201, view: { reference: outcome.reference, status: 'pending' } }
    case 'accept_then_reject':
      // A transfer that was rejected at once has nothing to reverse.
      if (outcome.status === 'accepted') {
        bank.undoTransfer(outcome.reference, 'reversed')
        faults.count(fault)
      }
  }
  return { status: isNew ? 201 : 200, view }
}

/** Waits; false if the caller has gone or the bank is closing. */
async function waitWhileConnected(ms: number, reply: FastifyReply, closing: AbortSignal): Promise<boolean> {
  const callerGone = new AbortController()
  reply.raw.once('close', () => callerGone.abort())
  const signal = AbortSignal.any([callerGone.signal, closing])
  await setTimeout(ms, undefined, { signal }).catch(() => null)
  return !signal.aborted
}

function resetConnection(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.socket?.resetAndDestroy()
  return reply
}
