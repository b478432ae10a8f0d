import type { App } from '../../packages/server/src/compose.ts'
import { connectAccounts, listAccounts } from '../../packages/server/src/domain/banks/index.ts'

/** As two people decide it. Null: no account, or this one, has a connection. */
export async function connectAccount(app: App, iban: string | null, connection: string | null): Promise<void> {
  await app.db.transaction(async (tx) => {
    const accounts = (await listAccounts(tx)).filter((one) => iban === null || one.iban === iban)
    await connectAccounts(app, tx, accounts, { connection, awaitsConnection: false })
  })
}
