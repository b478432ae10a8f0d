import { auditedOf } from '../../../domain/audit/index.ts'
import { searchAll } from '../../../domain/overview/index.ts'
import type { Db } from '../../../platform/postgres/db.ts'

const MAX_TRANSACTIONS = 20

/**
 * What the audit calls this. A whole subject (`merchant:ID`) is as it is; else an id of any kind, or a merchant's number of a
 * transaction, which several merchants may have used.
 */
export async function auditSubjects(db: Db, kinds: readonly string[], text: string): Promise<string[]> {
  if (text.includes(':')) return [text]
  const { found } = await searchAll(db.search, text, MAX_TRANSACTIONS)
  const named = found.filter(({ matched }) => matched.split(', ').includes('processId')).map(({ id }) => id)
  return auditedOf(
    db.pages,
    [text, ...named].flatMap((id) => kinds.map((kind) => `${kind}:${id}`)),
  )
}
