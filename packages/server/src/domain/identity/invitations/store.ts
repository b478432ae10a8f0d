import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Audience } from '../identity.ts'

export type Invitation = {
  id: string
  tokenHash: string
  audience: Audience
  name: string
  merchantId: string | null
  role: string | null
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

/** `codeMark`: null until another person gives its code. */
export type Stored = Invitation & { mark: string | null; codeMark: string | null }

/** Replaces an earlier invitation of the same person that was not used. Of two at once the second waits, so that one is open. */
export async function insertInvitation(tx: Tx, one: Invitation & { mark: string }): Promise<void> {
  const person = `login_invitations/${one.audience}/${one.name}`
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${person}, 0))`)
  await tx.query(sql`
    update login_invitations set expires_at = ${one.createdAt}
    where audience = ${one.audience} and name = ${one.name} and accepted_at is null and expires_at > ${one.createdAt}`)
  await tx.query(sql`
    insert into login_invitations
      (id, token_hash, audience, name, merchant_id, role, invited_by, created_at, expires_at, mark)
    values (${one.id}, ${one.tokenHash}, ${one.audience}, ${one.name}, ${one.merchantId}, ${one.role}, ${one.invitedBy},
      ${one.createdAt}, ${one.expiresAt}, ${one.mark})`)
}

const columns = sql`
  id, token_hash as "tokenHash", audience, name, merchant_id as "merchantId", role, invited_by as "invitedBy", created_at as "createdAt",
  expires_at as "expiresAt", mark, code_mark as "codeMark"`

export async function selectInvitation(db: Queryable, tokenHash: string, now: Date): Promise<Stored | undefined> {
  const [row] = await db.query<Stored>(sql`
    select ${columns} from login_invitations
    where token_hash = ${tokenHash} and accepted_at is null and expires_at > ${now}`)
  return row
}

/** That may still be used. */
export function openInvitations(db: Queryable, now: Date): Promise<Stored[]> {
  return db.query<Stored>(sql`
    select ${columns} from login_invitations where accepted_at is null and expires_at > ${now} order by id`)
}

export async function updateInvitationMark(tx: Tx, id: string, mark: string): Promise<void> {
  await tx.query(sql`update login_invitations set mark = ${mark} where id = ${id}`)
}

/** Of a person who was invited and has not used it yet, the newest. Not used until the transaction ends. */
export async function lockInvitation(
  tx: Tx,
  { audience, name }: Pick<Invitation, 'audience' | 'name'>,
  now: Date,
): Promise<Stored | undefined> {
  const [row] = await tx.query<Stored>(sql`
    select ${columns} from login_invitations
    where audience = ${audience} and name = ${name} and accepted_at is null and expires_at > ${now}
    order by id desc limit 1 for update`)
  return row
}

export async function updateCodeMark(tx: Tx, id: string, mark: string): Promise<void> {
  await tx.query(sql`update login_invitations set code_mark = ${mark} where id = ${id}`)
}

/** Of two who use it at once, one gets it. */
export async function takeInvitation(tx: Tx, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update login_invitations set accepted_at = ${now}, mark = null
    where id = ${id} and accepted_at is null and expires_at > ${now} returning id`)
  return rows.length > 0
}

export async function deleteInvitations(tx: Tx, before: Date): Promise<number> {
  const rows = await tx.query(sql`
    delete from login_invitations where accepted_at is null and expires_at < ${before} returning id`)
  return rows.length
}
