import type { App } from '../../packages/server/src/compose.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'

/** A name that is refused now, as a version before stored it: pages and commands must still show it harmlessly. */
export async function storeNames(app: App, merchantId: string, name: string, displayName = name): Promise<void> {
  await app.db.query(sql`
    update merchants set name = ${name.trim()}, display_name = ${displayName.trim()} where id = ${merchantId}`)
}
