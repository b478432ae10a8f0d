import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Audience, Session, Visitor } from '../../packages/server/src/domain/identity/index.ts'
import {
  acceptInvitation,
  confirmTotp,
  findSession,
  findUnfinishedSession,
  inviteMerchantUser,
  inviteOperator,
  listLogins,
  logIn,
  setUpTotp,
} from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING, listOperators } from '../../packages/server/src/domain/people/index.ts'
import { cheap as cheapPasswords } from './cheap-passwords.ts'
import { totpCode, totpStep } from '../../packages/server/src/platform/crypto/totp.ts'
import { parseAddress } from '../../packages/server/src/platform/http/ip.ts'

export const PASSWORD = 'dört mevsim yağmurlu bahçe'

export const from = (address: string, device: string | null = null): Visitor => ({
  address: parseAddress(address),
  userAgent: 'a browser',
  device,
})
export const HOME = from('192.0.2.10')

/** The service as in live or in a sandbox, with cheap passwords. */
export function cheap(app: App, sandbox = app.sandbox) {
  return { ...cheapPasswords(app), sandbox }
}
export type TestApp = ReturnType<typeof cheap>

export const later = (app: TestApp, seconds: number): TestApp => ({
  ...app,
  clock: { ...app.clock, now: () => new Date(app.clock.now().getTime() + seconds * 1000) },
})

/** An operator with a password. As in a sandbox: in live it takes two admins. */
export async function operatorWithLogin(live: TestApp, name: string, roles: readonly string[] = DECIDING) {
  const app = { ...live, sandbox: true }
  const admin = (await listOperators(app.db)).find((one) => one.disabledAt === null && one.roles.includes('admin'))
  const actor = admin ? operatorActor(admin.name) : UNATTRIBUTED
  await addOperator(app, actor, name, roles)
  const { token } = await inviteOperator(app, admin ? actor : operatorActor(name), name)
  await acceptInvitation(app, { token, password: PASSWORD })
}

/** A user of a merchant with a password. As in a sandbox: in live it takes two people. */
export async function merchantUser(app: TestApp, merchantId: string, email: string, role = 'owner'): Promise<void> {
  const sandbox = { ...app, sandbox: true }
  const { token } = await inviteMerchantUser(sandbox, UNATTRIBUTED, merchantId, { email, role })
  await acceptInvitation(sandbox, { token, password: PASSWORD })
}

/** Ids of logins of a merchant's users in finance, beside an owner. */
export async function usersOf<Name extends string>(
  app: App,
  merchantId: string,
  names: Name[],
): Promise<Record<Name, string>> {
  await merchantUser(cheap(app), merchantId, `owner@${merchantId}.example`)
  for (const name of names) await merchantUser(cheap(app), merchantId, `${name}@${merchantId}.example`, 'finance')
  const known = await listLogins(app.db, { audience: 'merchant', merchantId })
  const idOf = (name: Name) => known.find((one) => one.name.startsWith(`${name}@`))?.id ?? assert.fail(name)
  return Object.fromEntries(names.map((name) => [name, idOf(name)])) as Record<Name, string>
}

export async function sessionOf(app: TestApp, audience: Audience, token: string): Promise<Session> {
  return (await findSession(app, audience, token)) ?? assert.fail('no session')
}

/** Logs in where only the password is asked for. */
export async function enter(app: TestApp, audience: Audience, name: string) {
  const { token, needs, device } = await logIn(app, { audience, name, password: PASSWORD }, HOME)
  assert.equal(needs, null)
  return { token, device, session: await sessionOf(app, audience, token) }
}

/** Sets up the second factor that live asks for, and returns codes of the app: each call the next one. */
export async function setUpInLive(app: TestApp, name: string) {
  const { token, needs } = await logIn(app, { audience: 'operator', name, password: PASSWORD }, HOME)
  assert.equal(needs, 'set_up')
  const unfinished = (await findUnfinishedSession(app, 'operator', token)) ?? assert.fail('no session')
  const { secret } = await setUpTotp(app, unfinished)
  const codes = authenticator(secret)
  const done = await confirmTotp(app, unfinished, codes(app))
  return { ...done, codes, session: await sessionOf(app, 'operator', done.token) }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What an app does with the secret. A step ahead of the service counts too. */
export function authenticator(secret: string) {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  return ({ realClock }: { realClock: { now: () => Date } }, ahead = 0) =>
    totpCode(key, totpStep(realClock.now()) + ahead)
}
