import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { SealedTable } from '../../../platform/postgres/sealed-rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { deletePasskeys, hasPasskeySql } from '../passkeys/store.ts'
import { updateRecoveryCodes } from '../store.ts'

/** Whether the login has a second factor; recovery codes alone are none. */
export function hasFactorSql(loginId: Sql): Sql {
  return sql`(exists (select from totp_secrets f where f.login_id = ${loginId} and f.confirmed_at is not null)
    or ${hasPasskeySql(loginId)})`
}

export async function hasFactor(db: Queryable, loginId: string): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(sql`select ${hasFactorSql(sql`${loginId}`)} as "has"`)
  return row?.has ?? false
}

export type TotpSecret = { id: string; sealed: string }

/** Replaces one that was never confirmed. */
export async function insertTotp(tx: Tx, loginId: string, secret: TotpSecret, now: Date): Promise<void> {
  await tx.query(sql`delete from totp_secrets where login_id = ${loginId} and confirmed_at is null`)
  await tx.query(sql`
    insert into totp_secrets (login_id, id, sealed, created_at)
    values (${loginId}, ${secret.id}, ${secret.sealed}, ${now})`)
}

export async function selectTotp(db: Queryable, loginId: string, confirmed: boolean): Promise<TotpSecret | undefined> {
  const [row] = await db.query<TotpSecret>(sql`
    select id, sealed from totp_secrets
    where login_id = ${loginId} and (confirmed_at is not null) = ${confirmed} order by created_at desc limit 1`)
  return row
}

/** Of confirmed secrets the login keeps this one. */
export async function confirmSecret(tx: Tx, loginId: string, id: string, now: Date): Promise<void> {
  await tx.query(sql`delete from totp_secrets where login_id = ${loginId} and confirmed_at is not null and id <> ${id}`)
  await tx.query(sql`update totp_secrets set confirmed_at = ${now} where login_id = ${loginId} and id = ${id}`)
}

/** False if a code of this step or a later one was accepted before, or the secret was changed meanwhile. */
export async function useStep(tx: Tx, loginId: string, before: TotpSecret, sealed: string, step: number) {
  const rows = await tx.query(sql`
    update totp_secrets set last_step = ${step}, sealed = ${sealed}
    where login_id = ${loginId} and id = ${before.id} and sealed = ${before.sealed} and last_step < ${step} returning id`)
  return rows.length > 0
}

/** For a person who is invited again: everything is set up anew. */
export async function deleteFactors(tx: Tx, loginId: string): Promise<void> {
  await tx.query(sql`delete from totp_secrets where login_id = ${loginId}`)
  await updateRecoveryCodes(tx, loginId, [])
  await deletePasskeys(tx, { loginId })
}

export const totpSecrets: SealedTable = {
  name: 'totp_secrets',
  select: (db) => db.query(sql`select array[login_id, id] as key, sealed from totp_secrets order by login_id, id`),
  async update(tx, changes) {
    const column = (at: number) => changes.map(({ key }) => key[at])
    await tx.query(sql`
      update totp_secrets s set sealed = c.renewed
      from unnest(${column(0)}::text[], ${column(1)}::text[], ${changes.map(({ sealed }) => sealed)}::text[],
        ${changes.map(({ renewed }) => renewed)}::text[]) as c (login_id, id, sealed, renewed)
      where s.login_id = c.login_id and s.id = c.id and s.sealed = c.sealed`)
  },
}
