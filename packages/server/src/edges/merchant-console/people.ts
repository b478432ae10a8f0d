import { listLogins } from '../../domain/identity/index.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { plainName } from '../web/html.ts'

/** Logins of the merchant that work, by id. */
export type People = ReadonlyMap<string, string>

export async function peopleOf(db: Queryable, merchantId: string): Promise<People> {
  return new Map((await listLogins(db, { audience: 'merchant', merchantId })).map(({ id, name }) => [id, name]))
}

/** The e-mail address of a stored actor; of one who has left, the end of the login's id. */
export function personName(people: People, actor: string): string {
  const login = actor.split(':')[2] ?? ''
  return plainName(people.get(login) ?? (login === '' ? '–' : `…${login.slice(-6)}`))
}
