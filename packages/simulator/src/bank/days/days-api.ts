import type { FastifyInstance } from 'fastify'
import { bankDate } from '../../time.ts'
import { ApiError } from '../api-error.ts'
import type { Bank } from '../bank.ts'
import { clientAccount, DAY } from '../files/files-api.ts'
import type { Discrepancy } from './discrepancy.ts'
import { disturbDay } from './disturb-day.ts'

const body = {
  type: 'object',
  required: ['accounts'],
  additionalProperties: false,
  properties: {
    day: DAY,
    discrepancies: { type: 'integer', minimum: 1, maximum: 1000 },
    seed: { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 },
    accounts: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'string', maxLength: 40 } },
  },
}

type Body = { day?: string; discrepancies?: number; seed?: number; accounts: string[] }

export function mountDays(app: FastifyInstance, bank: Bank): void {
  app.post<{ Body: Body }>('/days', { schema: { body } }, async ({ body }) => {
    const { books } = bank
    const { day = bankDate(books.now()), discrepancies: count = 10, seed = 0 } = body
    if (day > bankDate(books.now())) throw new ApiError(400, 'day_is_in_the_future')
    const accounts = [...new Set(body.accounts.map((iban) => clientAccount(bank, iban)))]
    const made = disturbDay(books, { day, seed, count, accounts })
    return { day, seed, accounts, discrepancies: made.map(view) }
  })
}

function view({ amount, before, ...rest }: Discrepancy, index: number) {
  return {
    number: index + 1,
    ...rest,
    amount: Number(amount),
    before: before && { ...before, amount: Number(before.amount) },
  }
}
