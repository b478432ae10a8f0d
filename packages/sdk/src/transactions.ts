import type { Call } from './call.ts'
import { pathOf } from './path-of.ts'
import type {
  CreatedDeposit,
  CreatedWithdrawal,
  Deposit,
  DepositRequest,
  Transaction,
  Withdrawal,
  WithdrawalRequest,
} from './types.ts'
import { VezneError } from './vezne-error.ts'

const PATHS = { deposit: '/v1/deposit', withdrawal: '/v1/withdraw' } as const

type Kinds = {
  deposit: { view: Deposit; request: DepositRequest; created: CreatedDeposit }
  withdrawal: { view: Withdrawal; request: WithdrawalRequest; created: CreatedWithdrawal }
}

/** Deposits or withdrawals: their requests differ, their methods do not. */
export function transactionsOf<Kind extends keyof Kinds>(call: Call, kind: Kind) {
  type View = Kinds[Kind]['view']
  type Created = Kinds[Kind]['created']
  const look = (id: string) => call<View>('GET', pathOf`/v1/transactions/${id}`)
  return {
    /**
     * Safe to repeat with the same fields, also after a crash: a processId creates one transaction. If an earlier request
     * created it, returns its current state with `alreadyExisted`. If a field differs, throws `DUPLICATE_TRANSACTION`.
     */
    create: (request: Kinds[Kind]['request']) => createOnce<Created>(call, PATHS[kind], request),

    async get(id: string): Promise<View> {
      const found = await look(id)
      if (found.type !== kind)
        throw new VezneError('NOT_FOUND', `${id} is a ${found.type}, not a ${kind}: use ${found.type}s.get.`)
      return found
    },

    /** By your own identifier; null if there is none. */
    async find(processId: string): Promise<View | null> {
      const query = { processId, type: kind }
      const { transactions } = await call<{ transactions: View[] }>('GET', '/v1/transactions', { query })
      return transactions[0] ?? null
    },

    /** Cancelling again returns the transaction, so that a retry after a lost response is not an error. */
    async cancel(id: string): Promise<View> {
      try {
        return await call<View>('POST', pathOf`/v1/transactions/${id}/cancel`)
      } catch (error) {
        if (!(error instanceof VezneError) || error.code !== 'INVALID_STATE') throw error
        const now = await look(id)
        if (!isCancelled(now)) throw error
        return now
      }
    },
  }
}

/** Creates it, or returns what the same request created before. */
export async function createOnce<Created>(call: Call, path: string, body: object): Promise<Created> {
  try {
    return { ...(await call<Created>('POST', path, { body })), alreadyExisted: false }
  } catch (error) {
    const id = sameRequestBefore(error)
    if (id === null) throw error
    // The key may lack read access; then rethrow the duplicate error.
    const existing = await call<Created>('GET', pathOf`/v1/transactions/${id}`).catch((failure: VezneError) => {
      throw failure.status !== null && failure.status < 500 ? error : failure
    })
    return { ...existing, alreadyExisted: true }
  }
}

/** Id of the transaction that the same request created before; otherwise null. */
function sameRequestBefore(error: unknown): string | null {
  if (!(error instanceof VezneError) || error.code !== 'DUPLICATE_TRANSACTION') return null
  const { transactionId, differs } = (error.details ?? {}) as { transactionId?: unknown; differs?: unknown }
  return typeof transactionId === 'string' && Array.isArray(differs) && differs.length === 0 ? transactionId : null
}

function isCancelled(transaction: Transaction): boolean {
  if (transaction.type === 'deposit') return transaction.status === 'cancelled'
  return transaction.failureReason === 'cancelled_by_merchant'
}
