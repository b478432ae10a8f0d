import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { BankDirectory } from '../banks/index.ts'
import { overdueStatements } from '../statements/index.ts'
import type { ConnectionCheck } from './connection.ts'

type Deps = { db: Queryable; clock: Clock; banks: Pick<BankDirectory, 'holidays'> }
type Exchange = { name: string; folder: string }
type Finding = ConnectionCheck & { check: 'refused files' | 'statements' }

const DAY_MS = 86_400_000
/** A refused file is shown for so long, if it is not removed before. */
const SHOWN_DAYS = 7
const MAX_NAMED = 5

/** Whether a bank that sends files is silent, and whether files of it were refused. */
export async function exchangeFindings(app: Deps, exchange: Exchange): Promise<Finding[]> {
  return [refusedFiles(app, exchange), await silentAccounts(app, exchange)]
}

function refusedFiles({ clock }: Deps, { folder }: Exchange): Finding {
  const path = join(folder, 'refused')
  const names = filesSince(path, clock.now().getTime() - SHOWN_DAYS * DAY_MS)
  const [newest] = names
  return {
    check: 'refused files',
    ok: newest === undefined,
    expected: `none of the last ${SHOWN_DAYS} days. Nothing of them was imported. Read NAME.report.txt beside each, mend the cause, and move the file back to inbox/ or use: npx vezne statement import FILE. Then delete it from refused/.`,
    found: newest === undefined ? 'none' : `${names.length} in ${path}, the newest ${newest}`,
  }
}

/** Newest first. A folder that cannot be read is a finding of its own (checkExchangeFolders). */
function filesSince(path: string, sinceMs: number): string[] {
  try {
    const names = readdirSync(path).filter((name) => !name.endsWith('.report.txt'))
    const files = names.flatMap((name) => {
      const stat = statSync(join(path, name), { throwIfNoEntry: false })
      // Moving a file sets this time, and not that of the last writing.
      return stat?.isFile() && stat.ctimeMs >= sinceMs ? { name, at: stat.ctimeMs } : []
    })
    return files.toSorted((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1)).map(({ name }) => name)
  } catch {
    return []
  }
}

async function silentAccounts(app: Deps, { name, folder }: Exchange): Promise<Finding> {
  const silent = await overdueStatements(app, name)
  const said = silent.slice(0, MAX_NAMED).map(({ iban, until }) => {
    return `…${iban.slice(-4)} ${until === null ? 'never' : `until ${until}`}`
  })
  const more = silent.length > said.length ? `, and ${silent.length - said.length} others` : ''
  return {
    check: 'statements',
    ok: silent.length === 0,
    expected: `a statement of each account, at most one business day late. See that your tool brings files of the bank to ${join(folder, 'inbox')} and that a worker runs, look into refused/, then ask the bank. Deposits of these accounts do not expire meanwhile.`,
    found: silent.length === 0 ? 'none is late' : `imported: ${said.join(', ')}${more}`,
  }
}
