import type { Vault } from '../../platform/crypto/vault.ts'
import { UnopenedError } from '../../platform/crypto/vault.ts'
import { refuse, refuseField } from '../../kernel/refusals/refuse.ts'
import { isLoopback } from '../../platform/postgres/database-url.ts'
import { plainUrl } from '../../platform/read-setting.ts'
import type { ApiAccess } from './configured.ts'
import { sealAccess, unsealAccess } from './configured.ts'
import type { ConnectionRow } from './store.ts'

type Deps = { sandbox: boolean; vault: Vault }

/** As a person gives it, or `sealed` with its address, as a proposal keeps it. */
export type GivenAccess = { url?: string; key?: string; sealed?: string }

/** Of a new connection. */
export function checkedAccess(app: Deps, name: string, { url, key, sealed }: GivenAccess): ApiAccess {
  const given = sealed === undefined ? { url: url ?? '', key: key ?? '' } : opened(app, name, sealed)
  return { url: checkedUrl(app, given.url), key: checkedKey(given.key) }
}

/** A key stays with its address: another address needs a key of its own. */
export function changedAccess(app: Deps, row: ConnectionRow, { sealed, ...update }: GivenAccess) {
  const given = sealed === undefined ? update : opened(app, row.name, sealed)
  // With both given the old ones are not needed: they may no longer open.
  const before = given.url !== undefined && given.key !== undefined ? currentAccess(app, row) : unsealed(app, row)
  const url = given.url === undefined ? (before?.url ?? '') : checkedUrl(app, given.url)
  const isNewUrl = url !== before?.url
  if (isNewUrl && given.key === undefined) throw refuseField('key', 'bank_key_missing')
  const key = checkedKey(given.key ?? before?.key ?? '')
  return { url, key, isNewUrl, isNewKey: key !== before?.key }
}

/** So that a proposal can be kept until another person has approved it. Without a key there is nothing to seal. */
export function sealGiven<Given extends GivenAccess>(app: Deps, name: string, url: string, given: Given) {
  const { key, ...others } = given
  if (key === undefined) return others
  const access = { url: checkedUrl(app, url), key: checkedKey(key) }
  return { ...others, url: access.url, sealed: sealAccess(app.vault, 'proposals', name, access) }
}

const unsealed = ({ vault }: Deps, { name, sealed }: ConnectionRow) => unsealAccess(vault, 'connections', name, sealed)

/** Null if the row does not open. */
function currentAccess(app: Deps, row: ConnectionRow): ApiAccess | null {
  try {
    return unsealed(app, row)
  } catch (error) {
    if (error instanceof UnopenedError) return null
    throw error
  }
}

function opened(app: Deps, name: string, sealed: string): ApiAccess {
  try {
    return unsealAccess(app.vault, 'proposals', name, sealed)
  } catch (error) {
    if (!(error instanceof UnopenedError)) throw error
    throw refuse('proposed_key_unopened')
  }
}

export function checkedUrl({ sandbox }: Deps, given: string): string {
  const fault = bankUrlFault(given, { live: !sandbox })
  if (fault) throw refuseField('url', fault)
  return withoutEndSlash(given)
}

/** Sent in a header. Never part of a message. */
function checkedKey(given: string): string {
  const key = given.trim()
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key
  throw refuseField('key', 'bank_key_wrong')
}

type BankUrlFault = 'bank_address_wrong' | 'bank_address_not_https'

/** What is wrong with the address of a bank API, or null. The address is logged, and a key and payouts are sent there. */
export function bankUrlFault(url: string, { live }: { live: boolean }): BankUrlFault | null {
  const parsed = plainUrl(url, ['https:', 'http:'])
  if (!parsed) return 'bank_address_wrong'
  return live && parsed.protocol === 'http:' && !isLoopback(parsed.hostname) ? 'bank_address_not_https' : null
}

export function withoutEndSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
