import type { App } from '../../packages/server/src/compose.ts'
import { findDepositById, searchDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { missingLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  listPayouts,
  findWithdrawalById,
  listByState,
  searchWithdrawals,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { listLines, searchLines } from '../../packages/server/src/domain/statements/index.ts'
import { readSearch } from '../../packages/server/src/kernel/search.ts'
import type { client } from '../../test/harness/client.ts'

/** A server with its merchant, and the same database for the queries of commands. */
export type Setup = {
  app: App
  merchant: ReturnType<typeof client>
  /** Each may read four lists at once; more are refused. */
  others: ReturnType<typeof client>[]
  depositId: string
  withdrawalId: string
  /** In the middle of the history. */
  day: { from: string; to: string }
}

export type Question = { name: string; ask: (setup: Setup) => Promise<unknown> }

const get = (target: string, of: (setup: Setup) => string = () => ''): Question => ({
  name: `GET /v1/${target}`,
  async ask(setup) {
    const { status, text } = await setup.merchant.get(`/v1/${target.replace('…', of(setup))}`)
    if (status !== 200) throw new Error(`${target}: ${status} ${text}`)
  },
})

const command = (name: string, ask: (setup: Setup) => Promise<unknown>): Question => ({ name: `vezne ${name}`, ask })

const find = (text: string) =>
  command(`find "${text}"`, ({ app: { db } }) => {
    const search = readSearch(text)
    return Promise.all([
      ...[searchDeposits, searchWithdrawals].map((one) => one(db, null, search, 51)),
      searchLines(db, search, 51),
    ])
  })

const day = ({ day: { from, to } }: Setup) => `from=${from}&to=${to}`

/** Every list and look-up whose table grows. The merchant used here has no pending and no failed transactions. */
export const QUESTIONS: Question[] = [
  get('balance'),
  get('transactions'),
  get('transactions?limit=100'),
  get('transactions?status=pending'),
  get('transactions?status=failed'),
  get('transactions?status=cancelled'),
  get('transactions?status=completed'),
  get('transactions?…', day),
  get('transactions?status=failed&…', day),
  get('transactions?processId=order-500'),
  get('transactions/…', ({ depositId }) => depositId),
  get('events'),
  get('events?after=0'),
  get('events?type=deposit.cancelled'),
  get('events?type=deposit.failed'),
  get('events?transactionId=…', ({ depositId }) => depositId),
  get('events?state=given_up'),
  command('deposit show', ({ app, depositId }) => findDepositById(app.db, depositId)),
  command('withdrawal show', ({ app, withdrawalId }) => findWithdrawalById(app.db, withdrawalId)),
  command('withdrawal list --state unknown', ({ app }) => listByState(app.db.pages, 'unknown', 100)),
  command('withdrawal list --state sent', ({ app }) => listByState(app.db.pages, 'sent', 100)),
  command('payout list', ({ app }) => listPayouts(app.db.pages, undefined, 100)),
  command('payout list --state failed', ({ app }) => listPayouts(app.db.pages, 'failed', 100)),
  command('line list', ({ app }) => listLines(app.db.pages, undefined, 50)),
  command('line list --state dismissed', ({ app }) => listLines(app.db.pages, 'dismissed', 50)),
  command('doctor: missing lines', ({ app }) => missingLines(app)),
  find('customer-77'),
  find('isil yilmaz77'),
  find('1326'),
  find('5.100,00'),
  find('order-500'),
  find('nobody at all'),
]
