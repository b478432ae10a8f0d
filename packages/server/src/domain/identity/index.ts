export { prepareDemoLogins } from './demo-logins.ts'
export type { DemoLogin } from './demo-logins.ts'
export { changeRole } from './change-role.ts'
export { disableLogin } from './disable-login.ts'
export { lockEntitledUser } from './entitled-user.ts'
export { confirmTotp, listFactors, newRecoveryCodes, setUpTotp } from './factors/set-up.ts'
export { totpSecrets } from './factors/store.ts'
export type { Audience, IdentityDeps, Visitor } from './identity.ts'
export { acceptInvitation, findInvitation } from './invitations/accept.ts'
export { giveInvitationCode, giveUserCode } from './invitations/codes.ts'
export { createAdmin, hasOperatorLogin, inviteMerchantUser, inviteOperator } from './invitations/invite.ts'
export type { Invited } from './invitations/invite.ts'
export { listInvitedUsers } from './list-invited.ts'
export type { InvitedUser } from './list-invited.ts'
export { listStaff, withoutLogin } from './list-staff.ts'
export type { StaffMember } from './list-staff.ts'
export { forgedLogins, markLogins } from './mark-logins.ts'
export { OWN_ACTS } from './own-acts.ts'
export type { OwnAct } from './own-acts.ts'
export { logIn, passSecondFactor } from './log-in.ts'
export type { LoginDeps } from './login-events.ts'
export type { LoggedIn } from './log-in.ts'
export { passkeyRegistration, registerPasskey, removePasskey, renamePasskey } from './passkeys/manage-passkeys.ts'
export {
  logInWithPasskey,
  passkeyLogin,
  passkeyProof,
  passSecondFactorWithPasskey,
  stepUpWithPasskey,
} from './passkeys/use-passkey.ts'
export { takesPasskeys } from './passkeys/verify-passkey.ts'
export { changePassword, stepUp } from './prove-again.ts'
export { forgedSessions } from './sessions/mark-session.ts'
export { listSessions, logOut, pruneLogins, revokeSession } from './sessions/manage-sessions.ts'
export {
  csrfFits,
  findSession,
  findUnfinishedSession,
  mustBeSteppedUp,
  peekSession,
  validSessions,
} from './sessions/session.ts'
export type { Session, UnfinishedSession } from './sessions/session.ts'
export { listLogins } from './store.ts'
