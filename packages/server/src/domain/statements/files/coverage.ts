import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { listAccounts } from '../../banks/index.ts'
import { saveReadFiles } from '../cursors/store.ts'
import { selectCovered } from './store.ts'

const DAY_MS = 86_400_000

/**
 * Saves the time until which every account of the connection is covered by statements of whole days. Deposits expire up to it. A
 * statement that came on its own day covers only the days before: what is booked later that day comes with the next one.
 */
export async function saveCoverage({ clock }: { clock: Clock }, tx: Tx, connection: string): Promise<void> {
  const accounts = (await listAccounts(tx)).filter((one) => one.connection === connection && one.state !== 'blocked')
  const ids = accounts.map(({ id }) => id)
  const covered = ids.length > 0 ? await selectCovered(tx, ids) : []
  const today = startOfDay(istanbul(clock.now()).day).getTime()
  const times = covered.map(({ day }) => (day === null ? null : Math.min(startOfDay(day).getTime() + DAY_MS, today)))
  const isComplete = times.length > 0 && !times.includes(null)
  const until = isComplete ? new Date(Math.min(...times.map(Number))) : null
  await saveReadFiles(tx, connection, until)
}
