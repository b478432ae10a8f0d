import { hashPassword, passwordFits } from '../../platform/crypto/passwords.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Attempt } from './failures/attempts.ts'
import { attemptSucceeded, beginProof, notCountedIfBusy } from './failures/attempts.ts'
import { mustUseCode } from './factors/use-code.ts'
import type { IdentityDeps } from './identity.ts'
import { queueOf } from './identity.ts'
import { logInAgain } from './log-in.ts'
import { changeLogin, findLoginById } from './mark-logins.ts'
import { auditCode, auditOwn } from './own-acts.ts'
import { mustBeGoodPassword } from './password-rules.ts'
import type { Session } from './sessions/session.ts'
import { changeSession } from './sessions/mark-session.ts'
import { revoke } from './sessions/store.ts'
import type { Login } from './store.ts'
import { lockLogin } from './store.ts'

/** Proves again who is there, with the password or a code. Counts for ten minutes. */
export async function stepUp(
  app: IdentityDeps,
  session: Session,
  proof: { password: string } | { code: string },
): Promise<void> {
  const login = await mustFind(app, session)
  const attempt = await beginProof(app, session)
  if ('password' in proof) await mustFit(app, login, attempt, proof.password)
  await app.db.transaction(async (tx) => {
    if ('code' in proof) await auditCode(app, tx, session, await mustUseCode(app, tx, login.id, proof.code))
    const now = app.clock.now()
    if (!(await changeSession(app, tx, session.id, { steppedUpAt: now }, now))) throw logInAgain()
    await attemptSucceeded(tx, attempt)
  })
}

/** Ends all other sessions, and what devices of earlier logins have. */
export async function changePassword(
  app: IdentityDeps,
  session: Session,
  { current, next }: { current: string; next: string },
): Promise<void> {
  const login = await mustFind(app, session)
  mustBeGoodPassword(next, { name: login.name, hasFactor: session.hasSecondFactor })
  const attempt = await beginProof(app, session)
  await mustFit(app, login, attempt, current)
  const to = await hashPassword(app, queueOf(login), next, app.passwordCost)
  await app.db.transaction(async (tx) => {
    const known = (await lockLogin(tx, login.id)) ? await findLoginById(app, tx, login.id) : undefined
    if (known?.password !== login.password) throw logInAgain()
    await changeLogin(app, tx, known, { password: to, deviceKey: app.random.hex(32) })
    await revoke(tx, { loginId: login.id, except: session.id }, app.clock.now())
    await auditOwn(app, tx, session, 'login.change_password')
    await attemptSucceeded(tx, attempt)
  })
}

async function mustFind(app: IdentityDeps, { loginId }: Session): Promise<Login> {
  const login = await findLoginById(app, app.db, loginId)
  if (!login) throw logInAgain()
  return login
}

async function mustFit(app: IdentityDeps, login: Login, attempt: Attempt, given: string): Promise<void> {
  const fits = () => passwordFits(queueOf(login), given, login.password, app.passwordCost)
  if (await notCountedIfBusy(app, attempt, fits)) return
  throw refuse('password_wrong')
}
