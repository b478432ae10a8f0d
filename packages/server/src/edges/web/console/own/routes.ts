import {
  changePassword,
  confirmTotp,
  listFactors,
  listSessions,
  newRecoveryCodes,
  passkeyRegistration,
  registerPasskey,
  removePasskey,
  renamePasskey,
  revokeSession,
  setUpTotp,
  takesPasskeys,
} from '../../../../domain/identity/index.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { readPasskey } from '../passkey-form.ts'
import type { Asked as AnyAsked, Kind, Section, Shown } from '../routes.ts'
import type { ConsoleDeps } from '../site.ts'
import { ownPage } from './page.ts'
import { appPage, codesPage, passkeyPage } from './set-up-pages.ts'
import { OWN_WORDS } from './words.ts'

type Asked = AnyAsked<Kind>

const BACK = '/own'

/** A person's own login, in both consoles. No form has an action: what is one's own needs no role. */
export const OWN: Section<Kind> = {
  views: [{ path: BACK, show: own }],
  forms: [
    // It has the current password itself.
    { path: '/own/password', back: BACK, decide: setPassword, needsProof: false },
    { path: '/own/app', back: BACK, decide: setUpApp },
    { path: '/own/app/confirm', back: BACK, decide: confirmApp, isSecret: true },
    { path: '/own/codes', back: BACK, decide: newCodes },
    { path: '/own/passkeys/new', back: BACK, decide: beginPasskey },
    { path: '/own/passkeys', back: BACK, decide: addPasskey },
    { path: '/own/passkeys/rename', back: BACK, decide: rename },
    { path: '/own/passkeys/remove', back: BACK, decide: remove },
    { path: '/own/sessions/:id/end', back: BACK, decide: endSession, needsProof: false },
  ],
  said: { tr: OWN_WORDS.tr.said, en: OWN_WORDS.en.said },
}

async function own(app: ConsoleDeps, { viewer, session }: Asked): Promise<Shown> {
  const [factors, sessions] = await Promise.all([
    listFactors({ db: app.db.pages }, session),
    listSessions(app, { loginId: session.loginId }),
  ])
  return { page: ownPage(viewer, { me: session, factors, sessions, takesPasskeys: takesPasskeys(app) }) }
}

const field = ({ fields }: Asked, name: string) => fields.get(name) ?? ''

async function setPassword(app: ConsoleDeps, asked: Asked): Promise<string> {
  await changePassword(app, asked.session, { current: field(asked, 'current'), next: field(asked, 'next') })
  const { passkeys } = await listFactors(app, asked.session)
  return passkeys.length > 0 ? 'password_changed_passkeys' : 'password_changed'
}

async function setUpApp(app: ConsoleDeps, { viewer, session }: Asked): Promise<Shown> {
  return { page: appPage(viewer, await setUpTotp(app, session)) }
}

/** A new token, because all that was known before the second factor ends. */
async function confirmApp(app: ConsoleDeps, asked: Asked): Promise<Shown> {
  const { recoveryCodes, ...loggedIn } = await confirmTotp(app, asked.session, field(asked, 'code'))
  return { page: codesPage(asked.viewer, recoveryCodes), loggedIn }
}

async function newCodes(app: ConsoleDeps, { viewer, session }: Asked): Promise<Shown> {
  return { page: codesPage(viewer, await newRecoveryCodes(app, session)) }
}

async function beginPasskey(app: ConsoleDeps, { viewer, session }: Asked): Promise<Shown> {
  if (!takesPasskeys(app)) throw new Refusal('INVALID_STATE', OWN_WORDS[viewer.language].noHost)
  return { page: passkeyPage(viewer, await passkeyRegistration(app, session)) }
}

/** With the first second factor come recovery codes. */
async function addPasskey(app: ConsoleDeps, asked: Asked): Promise<Shown> {
  const response = readPasskey(asked.fields.get('passkey'))
  const given = { response, label: field(asked, 'label') }
  const { recoveryCodes, ...loggedIn } = await registerPasskey(app, asked.session, given)
  if (recoveryCodes.length > 0) return { page: codesPage(asked.viewer, recoveryCodes), loggedIn }
  return { redirect: `${BACK}?said=passkey_added`, loggedIn }
}

async function rename(app: ConsoleDeps, asked: Asked): Promise<string> {
  await renamePasskey(app, asked.session, field(asked, 'id'), field(asked, 'label'))
  return 'passkey_renamed'
}

async function remove(app: ConsoleDeps, asked: Asked): Promise<string> {
  await removePasskey(app, asked.session, field(asked, 'id'))
  return 'passkey_removed'
}

/** Null for a session of anyone else. */
async function endSession(app: ConsoleDeps, { actor, session, id }: Asked): Promise<string | null> {
  const known = await listSessions(app, { loginId: session.loginId })
  if (known.every((one) => one.id !== id)) return null
  await revokeSession(app, actor, id)
  return 'own_session_ended'
}
