import type { Db } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { FileCounts } from './file-counts.ts'
import { countsOf } from './file-counts.ts'
import type { FileTotal } from './lines/store.ts'
import { totalsOfFile } from './lines/store.ts'
import { withLines } from './missing-lines.ts'
import type { ImportedStatement, StatementFile } from './statement-file.ts'
import { findFile, selectStatementsOf } from './store.ts'

export type ShownFile = StatementFile & {
  statements: ImportedStatement[]
  byState: FileTotal[]
  counts: FileCounts
}

/** What was imported from a file, and what became of its lines. */
export async function showFile({ db }: { db: Db }, id: string): Promise<ShownFile> {
  const file = await findFile(db, id)
  if (!file) throw new Refusal('NOT_FOUND', `There is no statement file ${id}. See: vezne statement list --files`)
  const checks = await withLines(db, file.checks)
  const [statements, byState] = [await selectStatementsOf(db, id), await totalsOfFile(db, id)]
  return { ...file, checks, statements, byState, counts: await countsOf(db, file) }
}
