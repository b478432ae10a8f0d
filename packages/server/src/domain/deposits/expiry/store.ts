import { rowsOf } from '../../../platform/postgres/rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { notAsideSql } from '../../set-aside/index.ts'

/** Payments into every account are known up to `all`, and into some only up to a time of their own. */
export type KnownUntil = { all: Date; accounts: { accountId: string; until: Date }[] }

/** Whether the deposit `one` expires now, and is not set aside or is one of `only`. */
export function isDueSql(now: Date, known: KnownUntil, only?: { id: string }[]): Sql {
  const chosen = only ? sql`one.id = any(${only.map(({ id }) => id)}::text[])` : notAsideSql('deposit', sql`one.id`)
  return sql`one.expires_at <= ${now} and ${paymentsKnown(known)} and ${chosen}`
}

/**
 * Whether every payment that can be for the deposit `one` and in time is known. A customer who was never shown an account cannot
 * have paid: no wait for statements.
 */
function paymentsKnown({ all, accounts }: KnownUntil): Sql {
  return sql`
    (one.expires_at <= ${all} or (one.collecting_account_id is null and one.previous_account_ids = '{}'))
    and not exists (
      select from ${rowsOf('k', accounts, { accountId: 'text', until: 'timestamptz' })}
      where k.until < one.expires_at and (k.account_id = one.collecting_account_id or k.account_id = any(one.previous_account_ids))
    )`
}
