import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { SavedView } from './store.ts'
import { insertView, MAX_VIEWS, removeView, selectViews, updateView } from './store.ts'

const MAX_NAME = 60

export function listViews(db: Queryable, loginId: string): Promise<SavedView[]> {
  return selectViews(db, loginId)
}

/** Keeps a filter for one person. The same name again replaces it. */
export async function saveView(
  { db, clock, ids }: { db: Db; clock: Clock; ids: Ids },
  loginId: string,
  { name: given, query }: { name: string; query: string },
): Promise<void> {
  const name = given.toWellFormed().replaceAll('\0', '').trim()
  if (name === '' || name.length > MAX_NAME) throw refuseField('name', 'length_wrong', { least: 1, most: MAX_NAME })
  const isSaved = await db.transaction(async (tx) => {
    if (await updateView(tx, loginId, { name, query })) return true
    return insertView(tx, loginId, { id: ids.next(), name, query }, clock.now())
  })
  if (!isSaved) throw refuse('views_at_limit', { most: MAX_VIEWS })
}

/** False if the person has none with this id. */
export function deleteView({ db }: { db: Db }, loginId: string, id: string): Promise<boolean> {
  return db.transaction((tx) => removeView(tx, loginId, id))
}
