import { searchDeposits } from '../../../domain/deposits/index.ts'
import { searchWithdrawals } from '../../../domain/withdrawals/index.ts'
import type { Found } from '../../../kernel/search.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CliApp } from './context.ts'
import { Explained } from './context.ts'

/** Several merchants may use the same processId, for deposits and for withdrawals. */
const MAX_SHOWN = 10

/** No transaction has this id. If the text is a processId, the error lists its transactions and the `command` for each. */
export async function notFound(
  { db }: Pick<CliApp, 'db'>,
  kind: 'deposit' | 'withdrawal',
  id: string,
  command = `${kind} show`,
): Promise<Error> {
  const search = { text: '', words: null, id: null, processIds: [id], code: null, amounts: [], named: null, iban: null }
  const found = (
    await Promise.all([searchDeposits(db, null, search, MAX_SHOWN), searchWithdrawals(db, null, search, MAX_SHOWN)])
  ).flat()
  if (found.length === 0) return new Refusal('NOT_FOUND', `There is no ${kind} ${id}.`)
  const commandOf = (one: Found) => (one.kind === kind ? command : `${one.kind} show`)
  const rows = found.map((one) => `  ${one.kind} ${one.id}: npx vezne ${commandOf(one)} ${one.id}`)
  return new Explained([`${id} is the processId of:`, ...rows])
}
