import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import { remember } from '../../../platform/remember.ts'
import type { Vault } from '../../../platform/vault.ts'
import type { Endpoint } from '../../merchants/index.ts'
import { findEndpoints, openSecrets } from '../../merchants/index.ts'

/** An endpoint with the secrets that sign for it now. */
export type Address = Endpoint & { secrets: string[] }
export type AddressBook = (merchantId: string) => Promise<Map<string, Address>>

/** Kept for a second: a switched-off endpoint or a new secret takes effect while people still look at the screen. */
export function openAddressBook(app: { db: Db; clock: Clock; vault: Vault }): AddressBook {
  return remember(async (merchantId: string) => {
    const [endpoints, secrets] = await Promise.all([findEndpoints(app.db, [merchantId]), openSecrets(app, merchantId)])
    return new Map(endpoints.map((endpoint) => [endpoint.id, { ...endpoint, secrets: secrets.get(endpoint.id) ?? [] }]))
  })
}
