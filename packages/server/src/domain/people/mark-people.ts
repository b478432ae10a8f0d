import type { Marks } from '../../platform/crypto/marks.ts'
import { SettingsError } from '../../platform/read-setting.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Operator } from './store.ts'
import { listOperators, updateMark } from './store.ts'
import { hasMarks, insertMark } from './words/store.ts'

/** The mark of an operator covers the roles: who gives himself one in SQL has none. */
export function operatorMark(marks: Marks, { name, roles }: Pick<Operator, 'name' | 'roles'>): Promise<string> {
  return marks.of(`operators/${name}`, roles)
}

export function operatorFits(
  marks: Marks,
  { name, roles, mark }: { name: string; roles: readonly string[]; mark: string | null },
): Promise<boolean> {
  return marks.fits(mark, `operators/${name}`, roles)
}

/**
 * Marks the people who are there when the first key is made. Refused if there was one before: a deleted key would otherwise let in
 * whatever was written meanwhile.
 */
export async function markPeople(tx: Tx, marks: Marks): Promise<void> {
  if (await hasMarks(tx))
    throw new SettingsError([
      'deployment_secrets has lost its row row-marks, the key of the marks of rows. Restore the row from a backup, or make a new key: docs/operations.md, "The key of the marks is lost".',
    ])
  // The table is never empty from now on.
  await insertMark(tx, KEY, await marks.of(KEY, null))
  for (const one of await listOperators(tx))
    if (one.disabledAt === null) await updateMark(tx, one.name, await operatorMark(marks, one))
}

const KEY = 'deployment_secrets/row-marks'

/** Active operators whose row the service has not written. */
export async function forgedOperators({ db, marks }: { db: Queryable; marks: Marks }): Promise<string[]> {
  const active = (await listOperators(db)).filter(({ disabledAt }) => disabledAt === null)
  const fits = await Promise.all(active.map((one) => operatorFits(marks, one)))
  return active.filter((_, at) => !fits[at]).map(({ name }) => name)
}
