import { resolve, sep } from 'node:path'
import type { Actor } from '../../kernel/actor.ts'
import { money } from '../../kernel/refusals/facts.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { refuse, refuseField } from '../../kernel/refusals/refuse.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { isManual } from '../banks/index.ts'
import type { Authority } from '../people/index.ts'
import { authorized, mustBeApproved } from '../people/index.ts'
import type { GivenAccess } from './access.ts'
import { changedAccess, checkedAccess, checkedUrl } from './access.ts'
import { sealAccess, sealExchange } from './configured.ts'
import type { Connection } from './connection.ts'
import type { FileExchangeSettings } from './file-exchange.ts'
import { makeExchangeFolders } from './file-exchange.ts'
import { testedSince } from './list-changes.ts'
import { registerConnections } from './source-of-record.ts'
import type { ConnectionRow } from './store.ts'
import { insertConfigured, lockConnection, selectConnections, updateConfigured } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; vault: Vault; connections: Connection[] }

export type NewConnection =
  | ({ kind: 'http_api' } & GivenAccess & { url: string })
  | ({ kind: 'file_exchange' } & FileExchangeSettings)
  | { kind: 'manual' }

/**
 * Two people, in live, unless it is manual: such one has no address. Processes notice it within a few seconds. The folders of a file
 * exchange are created on this machine.
 */
export async function addConnection(app: Deps, actor: Actor, name: string, given: NewConnection): Promise<void> {
  mustBeName(name, given.kind)
  await authorized(app, actor, 'connection.add', async (tx, audit) => {
    if (given.kind !== 'manual') mustBeApproved(app)
    const { settings, sealed } = await termsOf(app, tx, name, given)
    const row = { name, kind: given.kind, settings, sealed, createdAt: app.clock.now() }
    if (!(await insertConfigured(tx, row))) throw isTaken(name)
    const after = { kind: given.kind, ...settings, ...(given.kind === 'http_api' && { key: 'set' }) }
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
    const settings = { folder, orders: given.orders }
    return { settings, sealed: sealExchange(app.vault, name, settings) }
  }
  const access = checkedAccess(app, name, given)
  return { settings: { url: access.url }, sealed: sealAccess(app.vault, 'connections', name, access) }
}

/** Refuses what cannot be added. */
export async function checkNewConnection(app: Deps, db: Queryable, name: string, given: NewConnection): Promise<void> {
  mustBeName(name, given.kind)
  if (given.kind === 'http_api') checkedUrl(app, given.url)
  if (given.kind === 'file_exchange') await mustBeOwnFolder(db, resolve(given.folder))
  if ((await selectConnections(db)).some((one) => one.name === name)) throw isTaken(name)
}

const isTaken = (name: string) => refuse('connection_name_taken', { connection: name })

export type ConnectionUpdate = GivenAccess & { orders?: Record<string, unknown> }

/** Two people, in live: a new address, with its key, a new key of a bank API, or a new order profile of a file exchange. */
export async function changeConnection(app: Deps, actor: Actor, name: string, update: ConnectionUpdate): Promise<void> {
  await authorized(app, actor, 'connection.change', async (tx, audit) => {
    const row = await lockKnown(app, tx, name)
    const { access, takesTwo } = checkUpdate(app, row, update)
    if (takesTwo) mustBeApproved(app)
    const { orders } = update
    if (access === null) {
      const settings = { ...(row.settings as FileExchangeSettings), orders: orders ?? null }
      await updateConfigured(tx, { ...row, settings, sealed: sealExchange(app.vault, name, settings) })
      return audit(`connection:${name}`, { before: row.settings ?? {}, after: { orders } })
    }
    const settings = { ...row.settings, url: access.url }
    await updateConfigured(tx, { ...row, settings, sealed: sealAccess(app.vault, 'connections', name, access) })
    const after = { url: access.url, ...(access.isNewKey && { key: 'changed' }) }
    return audit(`connection:${name}`, { before: row.settings ?? {}, after })
  })
}

/** Refuses what cannot be changed. `access` is null for a file exchange. */
export function checkUpdate(app: Deps, row: ConnectionRow, update: ConnectionUpdate) {
  if (row.settings === null) throw refuse('connection_of_environment', { connection: row.name })
  mustFitKind(row, update)
  if (row.kind === 'file_exchange') return { access: null, takesTwo: true }
  const access = changedAccess(app, row, update)
  return { access, takesTwo: access.isNewUrl || access.isNewKey }
}

function mustFitKind({ name, kind }: ConnectionRow, { url, key, sealed, orders }: ConnectionUpdate): void {
  const access = url ?? key ?? sealed
  const wanted = { http_api: access, file_exchange: orders, manual: undefined }[kind]
  const other = { http_api: orders, file_exchange: access, manual: access ?? orders }[kind]
  if (wanted !== undefined && other === undefined) return
  throw refuse('connection_setting_fixed', { connection: name, kind })
}

/** Nothing is read or sent over it; its payouts wait. Also one of the environment. */
export function disableConnection(app: Deps, actor: Actor, name: string, reason: string): Promise<void> {
  return switchConnection(app, actor, name, 'disabled', reason)
}

export function enableConnection(app: Deps, actor: Actor, name: string): Promise<void> {
  return switchConnection(app, actor, name, 'enabled')
}

async function switchConnection(
  app: Deps,
  actor: Actor,
  name: string,
  what: 'disabled' | 'enabled',
  reason: string | null = null,
): Promise<void> {
  await authorized(app, actor, 'connection.switch', async (tx, audit) => {
    const row = await lockKnown(app, tx, name)
    if ((row.disabledAt !== null) === (what === 'disabled'))
      throw refuse('connection_switched', { connection: name, state: what })
    await updateConfigured(tx, { ...row, disabledAt: what === 'disabled' ? app.clock.now() : null })
    await audit(`connection:${name}`, { after: { state: what }, reason })
  })
}

/** Minor units: 1,00. One person sends it, to any account: of all tests of a day together. */
const MAX_TESTED_A_DAY = 100n

/** Recorded before a conformance test sends money: the debit on the statement then has an author. */
export async function recordTestTransfer(
  app: Deps,
  actor: Actor,
  name: string,
  details: { reference: string; fromIban: string; toIban: string; amount: string },
): Promise<void> {
  await authorized(app, actor, 'connection.test', async (tx, audit) => {
    await lockKnown(app, tx, name)
    const tested = await testedSince(tx, name, new Date(app.clock.now().getTime() - DAY_MS))
    if (tested + BigInt(details.amount) > MAX_TESTED_A_DAY)
      throw refuseField('amount', 'test_amount_too_high', { most: money(MAX_TESTED_A_DAY), sent: money(tested) })
    await audit(`connection:${name}`, { after: details })
  })
}

async function lockKnown(app: Deps, tx: Tx, name: string): Promise<ConnectionRow> {
  await registerConnections(app, tx, name)
  return (await lockConnection(tx, name)) as ConnectionRow
}

function mustBeName(name: string, kind: NewConnection['kind']): void {
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) throw refuseField('name', 'connection_name_wrong')
  if (kind === 'manual' && !name.startsWith('manual-'))
    throw refuseField('name', 'connection_name_not_manual', { name })
  if (kind !== 'manual' && isManual(name)) throw refuseField('name', 'connection_name_manual')
}

function madeFolder(folder: string): string {
  try {
    return makeExchangeFolders(resolve(folder))
  } catch (error) {
    throw refuseField('folder', 'folder_unusable', { cause: (error as Error).message })
  }
}

/** A file would be imported or fetched for whichever connection comes first. */
async function mustBeOwnFolder(db: Queryable, folder: string): Promise<void> {
  const inside = (one: string, other: string) => `${one}${sep}`.startsWith(`${other}${sep}`)
  const taken = (await selectConnections(db)).find(({ kind, settings }) => {
    const other = kind === 'file_exchange' ? (settings as FileExchangeSettings | null)?.folder : undefined
    return other !== undefined && (inside(folder, other) || inside(other, folder))
  })
  if (taken) throw refuseField('folder', 'folder_taken', { connection: taken.name })
}
