import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { loginFits } from '../mark-logins.ts'
import type { SessionRow, StoredSession } from './store.ts'
import { lockSession, openSessions, updateLastUsed, updateSession } from './store.ts'

/** Covers whose session it is, which token it takes, when it was used and ends, and what the person has proved. */
export function sessionMark(marks: Marks, one: StoredSession): Promise<string> {
  return marks.of(`sessions/${one.id}`, says(one))
}

const says = (one: StoredSession) => {
  const { tokenHash, loginId, kind, createdAt, idleSeconds, endsAt, secondFactorAt, steppedUpAt, lastUsedAt } = one
  return { tokenHash, loginId, kind, createdAt, idleSeconds, endsAt, secondFactorAt, steppedUpAt, lastUsedAt }
}

/** Whether the service has written the session, its login and the roles. */
export async function sessionFits(marks: Marks, row: SessionRow): Promise<boolean> {
  if (!(await marks.fits(row.mark, `sessions/${row.id}`, says(row)))) return false
  return loginFits(marks, { ...row, id: row.loginId, mark: row.loginMark })
}

type ForgedSession = { what: 'session'; id: string }

/** Sessions that no login has begun: they were written or changed in SQL. */
export async function forgedSessions(app: { db: Queryable; marks: Marks; clock: Clock }): Promise<ForgedSession[]> {
  const found: ForgedSession[] = []
  for (const one of await openSessions(app.db, app.clock.now()))
    if (!(await app.marks.fits(one.mark, `sessions/${one.id}`, says(one)))) found.push({ what: 'session', id: one.id })
  return found
}

export async function touchSession(
  { db, marks }: { db: Db; marks: Marks },
  row: StoredSession & { mark: string | null },
  now: Date,
): Promise<void> {
  const mark = await sessionMark(marks, { ...row, lastUsedAt: now })
  await db.oneStatement((tx) => updateLastUsed(tx, row, { lastUsedAt: now, mark }))
}

/** False if it has ended meanwhile, or is not what the service has written. */
export async function changeSession(
  { marks }: { marks: Marks },
  tx: Tx,
  id: string,
  change: Pick<StoredSession, 'steppedUpAt'> & Partial<StoredSession>,
  now: Date,
): Promise<boolean> {
  const row = await lockSession(tx, id, now)
  if (!row || !(await marks.fits(row.mark, `sessions/${id}`, says(row)))) return false
  const next = { ...row, ...change, lastUsedAt: now }
  await updateSession(tx, next, await sessionMark(marks, next))
  return true
}
