import { setTimeout as wait } from 'node:timers/promises'
import { note } from '../../kernel/refusals/note.ts'
import { schemaState } from '../../platform/postgres/migrate.ts'
import type { Said } from '../../platform/refusal.ts'
import type { Check, CheckName } from './check.ts'
import { warn } from './check.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import { examineBooks } from './examine-books.ts'
import { examineClock, examineDatabase } from './examine-database.ts'
import { examinePeople } from './examine-people.ts'
import { examineMoney } from './examine-money.ts'
import { examineAudit, examineRows } from './examine-rows.ts'
import { examineService } from './examine-service.ts'

type Group = (app: DoctorApp, config: DoctorConfig) => Promise<Check[]>

/** What is examined once the schema is current, in this order. */
const GROUPS: [name: CheckName, group: Group][] = [
  ['clock', async (app) => [examineClock(app)]],
  ['service', examineService],
  ['money', examineMoney],
  ['books', examineBooks],
  ['audit', async (app, config) => [await examineAudit(app, config)]],
  ['rows', examineRows],
  ['people', examinePeople],
]

/** All checks of `vezne doctor`, as long as they take. */
export async function examine(
  app: DoctorApp,
  config: DoctorConfig,
  begin: () => Promise<void> = async () => {},
): Promise<Check[]> {
  const database = await examineDatabase(app, config)
  if ((await schemaState(app.db)) !== 'current') return database
  await begin()
  const checks = [...database]
  for (const [, group] of GROUPS) checks.push(...(await group(app, config)))
  return checks
}

/** The same for a page: what fails, or is not done by the deadline, is a warning of its own. */
export async function examineInTime(app: DoctorApp, config: DoctorConfig, deadlineMs: number): Promise<Check[]> {
  const limited = { ...app, db: app.db.withStatementLimit(deadlineMs) }
  const late = wait(deadlineMs, null, { ref: false })
  const checks: Check[] = []
  let inTime = true
  for (const [name, group] of [['database', examineDatabase] satisfies [CheckName, Group], ...GROUPS]) {
    const found: Check[] | null = inTime
      ? await Promise.race([attempt(name, () => group(limited, config)), late])
      : null
    inTime = found !== null
    checks.push(...(found ?? [notDone(name, note('check_not_done', { seconds: deadlineMs / 1000 }))]))
  }
  return checks
}

async function attempt(name: CheckName, group: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await group()
  } catch (error) {
    return [notDone(name, note('check_broken', { error: (error as Error).message }))]
  }
}

const notDone = (name: CheckName, why: Said) => warn(name, false, why, note('todo_not_done'))
