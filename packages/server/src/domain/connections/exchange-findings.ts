import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { BankDirectory } from '../banks/index.ts'
import { overdueStatements } from '../statements/index.ts'

type Deps = { db: Queryable; clock: Clock; banks: Pick<BankDirectory, 'holidays'> }
type Exchange = { name: string; folder: string }
type Finding = { check: 'refused files' | 'statements'; ok: boolean; expected: Said; found: Said }

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
    expected: note('todo_files_refused', { days: SHOWN_DAYS }),
    found:
      newest === undefined
        ? note('check_none')
        : note('check_files_refused', { count: names.length, folder: path, newest }),
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
  const accounts = silent
    .slice(0, MAX_NAMED)
    .map(({ iban, until }) => note('check_account_until', { account: iban.slice(-4), until }))
  return {
    check: 'statements',
    ok: silent.length === 0,
    expected: note('todo_statements_late', { inbox: join(folder, 'inbox') }),
    found:
      silent.length === 0
        ? note('check_statements_in_time')
        : note('check_statements_late', { accounts, more: silent.length - accounts.length }),
  }
}
