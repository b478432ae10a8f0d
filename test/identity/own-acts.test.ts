import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import type { Session } from '../../packages/server/src/domain/identity/index.ts'
import {
  changePassword,
  confirmTotp,
  findUnfinishedSession,
  logIn,
  logInWithPasskey,
  newRecoveryCodes,
  OWN_ACTS,
  passkeyLogin,
  passkeyRegistration,
  registerPasskey,
  removePasskey,
  renamePasskey,
  setUpTotp,
  stepUp,
} from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { softwarePasskey } from '../harness/authenticator.ts'
import {
  authenticator,
  cheap,
  enter,
  HOME,
  merchantUser,
  operatorWithLogin,
  PASSWORD,
  sessionOf,
} from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const ORIGIN = 'https://pay.example'
const app = { ...cheap(service.app), publicUrl: () => ORIGIN }
const live = { ...app, sandbox: false }
const NEXT = 'sekiz turuncu kayık limanda'
await addOperator(app, UNATTRIBUTED, 'boss.admin', DECIDING)

const entriesOf = async (loginId: string) => (await listAudit(app.db, { subject: `login:${loginId}` }, 50)).toReversed()

/** All that people do to their own login, and what of it must not be written down. */
async function doAll(first: Session, passkey: ReturnType<typeof softwarePasskey>) {
  const response = passkey.create(await passkeyRegistration(app, first))
  const added = await registerPasskey(app, first, { response, label: 'Chrome on Windows' })
  let session = await sessionOf(app, first.audience, added.token)
  await renamePasskey(app, session, passkey.id, 'iş')
  const { secret } = await setUpTotp(app, session)
  const code = authenticator(secret)(app)
  const confirmed = await confirmTotp(app, session, code)
  session = await sessionOf(app, first.audience, confirmed.token)
  const codes = await newRecoveryCodes(app, session)
  await stepUp(app, session, { code: codes[0] ?? '' })
  await changePassword(app, session, { current: PASSWORD, next: NEXT })
  const given = { audience: first.audience, response: passkey.get(await passkeyLogin(app)) }
  const byPasskey = await logInWithPasskey(app, given, HOME)
  await removePasskey(app, session, passkey.id)
  const known = [...added.recoveryCodes, ...confirmed.recoveryCodes, ...codes]
  return { secrets: [...known, secret, code, PASSWORD, NEXT, passkey.id, byPasskey.token], byPasskey }
}

const DONE = [
  ['login.accept_invitation', null, { isNew: true }],
  ['login.add_passkey', null, { label: 'Chrome on Windows', recoveryCodes: 10 }],
  ['login.rename_passkey', { label: 'Chrome on Windows' }, { label: 'iş' }],
  ['login.add_app', null, { isReplaced: false, recoveryCodes: 10 }],
  ['login.new_codes', null, { recoveryCodes: 10 }],
  ['login.use_recovery_code', null, null],
  ['login.change_password', null, null],
  ['login.by_passkey', null, { label: 'iş' }],
  ['login.remove_passkey', { label: 'iş' }, null],
]

test('what people do to their own login is in the audit, once each, without a secret', async () => {
  await operatorWithLogin(app, 'ada.aksoy')
  const { merchantId } = await service.merchant()
  await merchantUser(app, merchantId, 'supp@shop.example', 'support')
  for (const [audience, name] of [
    ['operator', 'ada.aksoy'],
    ['merchant', 'supp@shop.example'],
  ] as const) {
    const { session } = await enter(app, audience, name)
    const { secrets, byPasskey } = await doAll(session, softwarePasskey({ origin: ORIGIN }))
    const entries = await entriesOf(session.loginId)
    assert.deepEqual(
      entries.map(({ action, before, after }) => [action, before, after]),
      DONE,
    )
    assert.deepEqual([...new Set(entries.map(({ action }) => action))].toSorted(), [...OWN_ACTS].toSorted())
    const actor = audience === 'operator' ? name : `merchant:${merchantId}:${session.loginId}`
    assert.deepEqual([...new Set(entries.map((one) => one.actor))], [actor])
    const { id } = await sessionOf(app, audience, byPasskey.token)
    const origin = { edge: 'console', session: id, address: '192.0.2.10' }
    assert.deepEqual(entries.find(({ action }) => action === 'login.by_passkey')?.origin, origin)
    const written = JSON.stringify(entries)
    for (const secret of secrets) assert.ok(!written.includes(secret))
  }
})

test('a first factor in live has its author and address, too; what is refused leaves no entry', async () => {
  await operatorWithLogin(live, 'bora.boz')
  const { token } = await logIn(live, { audience: 'operator', name: 'bora.boz', password: PASSWORD }, HOME)
  const unfinished = (await findUnfinishedSession(live, 'operator', token)) ?? assert.fail('no session')
  const passkey = softwarePasskey({ origin: ORIGIN })
  const framed = passkey.create(await passkeyRegistration(live, unfinished), { framed: true })
  await assert.rejects(registerPasskey(live, unfinished, { response: framed, label: 'telefon' }, HOME))
  const response = passkey.create(await passkeyRegistration(live, unfinished))
  const done = await registerPasskey(live, unfinished, { response, label: 'telefon' }, HOME)
  const session = await sessionOf(live, 'operator', done.token)
  await assert.rejects(removePasskey(live, session, passkey.id), { why: 'second_factor_last' })
  await assert.rejects(changePassword(live, session, { current: 'wrong', next: NEXT }), { why: 'password_wrong' })
  const entries = await entriesOf(session.loginId)
  assert.deepEqual(
    entries.map(({ action, actor, origin }) => [action, actor, origin]),
    [
      ['login.accept_invitation', 'bora.boz', { edge: 'console' }],
      ['login.add_passkey', 'bora.boz', { edge: 'console', session: unfinished.id, address: '192.0.2.10' }],
    ],
  )
})
