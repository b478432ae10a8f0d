import type { Marks } from '../../platform/crypto/marks.ts'
import { partByMark } from '../../platform/crypto/marks.ts'
import { SettingsError } from '../../platform/read-setting.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { listOperators, updateMark } from './store.ts'
import { hasMarks, insertMark } from './words/store.ts'

type Told = { name: string; roles: readonly string[]; disabledAt?: Date | null; hadLogin?: boolean }

/**
 * The roles: who gives himself one in SQL has none. Of a disabled person also since when, and whether there never was a login: an admin
 * without one does not count.
 */
const saidOf = ({ roles, disabledAt = null, hadLogin = true }: Told) =>
  disabledAt === null ? roles : { roles, disabledAt, ...(!hadLogin && { hadLogin }) }

const nameOf = ({ name }: Told) => `operators/${name}`

export function operatorMark(marks: Marks, person: Told): Promise<string> {
  return marks.of(nameOf(person), saidOf(person))
}

export function operatorFits(marks: Marks, person: Told & { mark: string | null }): Promise<boolean> {
  return marks.fits(person.mark, nameOf(person), saidOf(person))
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
  for (const one of await listOperators(tx)) await updateMark(tx, one.name, await operatorMark(marks, one))
}

const KEY = 'deployment_secrets/row-marks'

/** Whose row the service has not written. */
export async function forgedOperators({ db, marks }: { db: Queryable; marks: Marks }): Promise<string[]> {
  const { forged } = await partByMark(marks, await listOperators(db), (one) => {
    return { name: nameOf(one), says: saidOf(one), mark: one.mark }
  })
  return forged.map(({ name }) => name)
}
