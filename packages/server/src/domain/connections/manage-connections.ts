import { resolve, sep } from 'node:path'
import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { isManual } from '../banks/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized } from '../people/index.ts'
import { bankUrlProblem, withoutEndSlash } from './bank-url.ts'
import { sealAccess, unsealAccess } from './configured.ts'
import type { Connection } from './connection.ts'
import type { FileExchangeSettings } from './file-exchange.ts'
import { makeExchangeFolders } from './file-exchange.ts'
import { registerConnections } from './source-of-record.ts'
import type { ConnectionChange, ConnectionRow } from './store.ts'
import { insertChange, insertConfigured, lockConnection, selectConnections, updateConfigured } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; vault: Vault; connections: Connection[] }

export type NewConnection =
  | { kind: 'http_api'; url: string; key: string }
  | ({ kind: 'file_exchange' } & FileExchangeSettings)
  | { kind: 'manual' }

/** Processes notice it within a few seconds. The folders of a file exchange are created on this machine. */
export async function addConnection(app: Deps, actor: Actor, name: string, given: NewConnection): Promise<void> {
  mustBeName(name, given.kind)
  await authorized(app, actor, 'connection.add', async (tx, audit) => {
    const { settings, sealed } = await termsOf(app, tx, name, given)
    const row = { name, kind: given.kind, settings, sealed, createdAt: app.clock.now() }
    if (!(await insertConfigured(tx, row)))
      throw new Refusal('INVALID_STATE', `There is a connection ${name} already. See: vezne connection show ${name}`)
    const after = { kind: given.kind, ...settings, ...(sealed && { key: 'set' }) }
    await record(app, tx, actor, name, 'added', after)
    await audit(`connection:${name}`, { after })
  })
}

async function termsOf(app: Deps, tx: Tx, name: string, given: NewConnection) {
  if (given.kind === 'manual') return { settings: {}, sealed: null }
  if (given.kind === 'file_exchange') {
    await mustBeOwnFolder(tx, resolve(given.folder))
    const folder = madeFolder(given.folder)
    // Again, without symbolic links.
    await mustBeOwnFolder(tx, folder)
    return { settings: { folder, orders: given.orders }, sealed: null }
  }
  const access = { url: checkedUrl(app, given.url), key: checkedKey(given.key) }
  return { settings: { url: access.url }, sealed: sealAccess(app.vault, name, access) }
}

export type ConnectionUpdate = { url?: string; key?: string; orders?: Record<string, unknown> }

/** A new address or key of a bank API, or a new order profile of a file exchange. */
export async function changeConnection(app: Deps, actor: Actor, name: string, update: ConnectionUpdate): Promise<void> {
  await authorized(app, actor, 'connection.change', async (tx, audit) => {
    const row = await lockKnown(app, tx, name)
    if (row.settings === null)
      throw new Refusal('INVALID_STATE', `${name} is not configured here: its settings are in the environment.`)
    mustFitKind(row, update)
    const { orders } = update
    if (row.kind === 'file_exchange') {
      await updateConfigured(tx, { ...row, settings: { ...row.settings, orders } })
      await audit(`connection:${name}`, { before: row.settings, after: { orders } })
      return record(app, tx, actor, name, 'changed', { orders })
    }
    const access = newAccess(app, row, update)
    const settings = { ...row.settings, url: access.url }
    await updateConfigured(tx, { ...row, settings, sealed: sealAccess(app.vault, name, access) })
    const after = { url: access.url, ...(update.key && { key: 'changed' }) }
    await audit(`connection:${name}`, { before: row.settings, after })
    return record(app, tx, actor, name, 'changed', after)
  })
}

function newAccess(app: Deps, row: ConnectionRow, { url, key }: ConnectionUpdate) {
  // With both given the old ones are not needed: they may no longer open.
  const before = url !== undefined && key !== undefined ? { url, key } : unsealAccess(app.vault, row)
  return { url: checkedUrl(app, url ?? before.url), key: checkedKey(key ?? before.key) }
}

function mustFitKind({ name, kind }: ConnectionRow, { url, key, orders }: ConnectionUpdate): void {
  const wanted = { http_api: url ?? key, file_exchange: orders, manual: undefined }[kind]
  const other = { http_api: orders, file_exchange: url ?? key, manual: url ?? key ?? orders }[kind]
  if (wanted !== undefined && other === undefined) return
  const possible = { http_api: '--url or --key-file', file_exchange: '--orders', manual: 'nothing' }[kind]
  throw new Refusal('VALIDATION_ERROR', `Of ${name} you can change ${possible}. For another folder add a connection.`)
}

/** Nothing is read or sent over it; its payouts wait. Also one of the environment. */
export function disableConnection(app: Deps, actor: Actor, name: string, reason: string): Promise<void> {
  return switchConnection(app, actor, name, { what: 'disabled', details: { reason } })
}

export function enableConnection(app: Deps, actor: Actor, name: string): Promise<void> {
  return switchConnection(app, actor, name, { what: 'enabled', details: {} })
}

async function switchConnection(
  app: Deps,
  actor: Actor,
  name: string,
  { what, details }: { what: 'disabled' | 'enabled'; details: { reason?: string } },
): Promise<void> {
  await authorized(app, actor, 'connection.switch', async (tx, audit) => {
    const row = await lockKnown(app, tx, name)
    if ((row.disabledAt !== null) === (what === 'disabled'))
      throw new Refusal('INVALID_STATE', `The connection ${name} is ${what} already.`)
    await updateConfigured(tx, { ...row, disabledAt: what === 'disabled' ? app.clock.now() : null })
    await record(app, tx, actor, name, what, details)
    await audit(`connection:${name}`, { after: { state: what }, reason: details.reason ?? null })
  })
}

/** Recorded before a conformance test sends money: the debit on the statement then has an author. */
export async function recordTestTransfer(
  app: Deps,
  actor: Actor,
  name: string,
  details: { reference: string; fromIban: string; toIban: string; amount: string },
): Promise<void> {
  await authorized(app, actor, 'connection.test', async (tx, audit) => {
    await lockKnown(app, tx, name)
    await record(app, tx, actor, name, 'test_transfer', details)
    await audit(`connection:${name}`, { after: details })
  })
}

async function lockKnown(app: Deps, tx: Tx, name: string): Promise<ConnectionRow> {
  await registerConnections(app, tx, name)
  return (await lockConnection(tx, name)) as ConnectionRow
}

function record(
  { clock }: Deps,
  tx: Tx,
  actor: Actor,
  name: string,
  what: ConnectionChange['what'],
  details: ConnectionChange['details'],
): Promise<void> {
  return insertChange(tx, name, { what, details, changedBy: actorName(actor), changedAt: clock.now() })
}

function mustBeName(name: string, kind: NewConnection['kind']): void {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw invalidField('name', 'must be 1 to 40 lower-case letters, digits and hyphens, a letter first')
  if (kind === 'manual' && !name.startsWith('manual-'))
    throw invalidField('name', `of a manual connection must begin with manual-, such as manual-${name}`)
  if (kind !== 'manual' && isManual(name)) throw invalidField('name', 'begins with manual: only kind manual may')
}

function checkedUrl({ sandbox }: Deps, given: string): string {
  const problem = bankUrlProblem(given, { live: !sandbox })
  if (problem) throw invalidField('url', problem)
  return withoutEndSlash(given)
}

/** Sent in a header. Never part of a message. */
function checkedKey(given: string): string {
  const key = given.trim()
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key
  throw invalidField('key', 'must be 1 to 4096 visible ASCII characters without spaces; see the file it was read from')
}

function madeFolder(folder: string): string {
  try {
    return makeExchangeFolders(resolve(folder))
  } catch (error) {
    throw invalidField('folder', `cannot be used: ${(error as Error).message}`)
  }
}

/** A file would be imported or fetched for whichever connection comes first. */
async function mustBeOwnFolder(tx: Tx, folder: string): Promise<void> {
  const inside = (one: string, other: string) => `${one}${sep}`.startsWith(`${other}${sep}`)
  const taken = (await selectConnections(tx)).find(({ kind, settings }) => {
    const other = kind === 'file_exchange' ? (settings as FileExchangeSettings | null)?.folder : undefined
    return other !== undefined && (inside(folder, other) || inside(other, folder))
  })
  if (taken) throw invalidField('folder', `is used by connection ${taken.name}, or inside of its folder, or around it`)
}
