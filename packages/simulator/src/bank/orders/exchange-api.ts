import { isAbsolute } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../api-error.ts'
import type { Bank } from '../bank.ts'
import type { StatementOptions } from '../files/files-api.ts'
import { STATEMENT_OPTIONS } from '../files/files-api.ts'
import { exchange } from './exchange.ts'
import type { ReportTerms } from './order-file.ts'

const body = {
  type: 'object',
  required: ['folder'],
  additionalProperties: false,
  properties: {
    folder: { type: 'string', maxLength: 1000 },
    accounts: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 40 } },
    statements: { type: ['object', 'null'], additionalProperties: false, properties: STATEMENT_OPTIONS },
    report: {
      type: 'object',
      additionalProperties: false,
      properties: {
        version: { enum: ['03', '10', '11'] },
        level: { enum: ['group', 'payment', 'transaction'] },
        settle: { enum: ['now', 'later'] },
      },
    },
  },
}

type Body = { folder: string; accounts?: string[]; statements?: StatementOptions | null; report?: Partial<ReportTerms> }

export function mountExchange(app: FastifyInstance, bank: Bank): void {
  app.post<{ Body: Body }>('/files/exchange', { schema: { body } }, async ({ body }) => {
    const { folder, accounts = null, statements = {}, report } = body
    if (!isAbsolute(folder)) throw new ApiError(400, 'folder_is_not_absolute')
    const terms: ReportTerms = { version: '03', level: 'transaction', settle: 'now', ...report }
    return exchange(bank, { folder, accounts, statements, report: terms })
  })
}
