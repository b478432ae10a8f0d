import type { Actor } from '../../kernel/actor.ts'
import { RESERVED_NAMES } from '../../kernel/actor.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { refuse, refuseField } from '../../kernel/refusals/refuse.ts'
import { openAudit } from '../audit/index.ts'
import type { Authority } from './authorize.ts'
import { authorize, mustBeApproved } from './authorize.ts'
import { operatorMark } from './mark-people.ts'
import type { Role } from './rights.ts'
import { ROLES } from './rights.ts'
import { rolesTakeTwo } from './second-admin.ts'
import { insertOperator, listOperators, lockOperators, updateDisabled, updateMark, updateRoles } from './store.ts'

export type { Audit } from '../audit/index.ts'
export {
  approvalOf,
  authorize,
  authorized,
  authorizedByName,
  isProofNeeded,
  mustBeApproved,
  proofNeeded,
  takesProof,
} from './authorize.ts'
export type { Approval, Authority } from './authorize.ts'
export { entitledPeople, lockEntitled, whoMay } from './entitled.ts'
export { forgedOperators, markPeople, operatorFits } from './mark-people.ts'
export { loosens } from './loosens.ts'
export { plainValue } from './proposals/proposal.ts'
export type { Proposal, Difference } from './proposals/proposal.ts'
export {
  countOpen,
  countSince,
  eraseReasons,
  expireBefore,
  findProposal,
  hasEnded,
  insertProposal,
  lockProposal,
  selectNewest,
  openAbout,
  openOfKind,
  openSince,
  PERSONAL,
  selectAbout,
  selectOfKind,
  selectOfMerchant,
  updateDecided,
} from './proposals/store.ts'
export { exportAudit } from './read-audit.ts'
export {
  DECIDING,
  decidesForMerchant,
  decidesMore,
  mayTake,
  MERCHANT_RIGHTS,
  MERCHANT_ROLES,
  merchantMayTake,
  RIGHTS,
  ROLES,
} from './rights.ts'
export type { Action, MerchantRole, Role } from './rights.ts'
export { REVEAL_REASONS, revealData, revealedTo } from './reveal-data.ts'
export type { RevealReason } from './reveal-data.ts'
export { countedAdmins, decides, heldRoles, secondAdmin, takesSecondAdmin } from './second-admin.ts'
export { listOperators, lockActive, lockOperators, operatorsSql, recordLogin } from './store.ts'
export {
  claimSubjects,
  daySubject,
  endProposals,
  heldSubjects,
  lineSubject,
  mustBeFree,
  proposalAbout,
  withdrawalSubject,
} from './subjects/subjects.ts'
export { deleteOutdated as releaseOutdated, deleteSubjects as releaseSubjects } from './subjects/store.ts'
export {
  forged,
  freeNumber,
  markInPlace,
  markWord,
  mustBeOfPerson,
  ofPeople,
  rowInPlace,
  strayMarks,
} from './words/words.ts'
export type { Word } from './words/words.ts'

type Deps = Authority & { db: Db }

/**
 * Adds a person of the operator's staff. Decisions keep the name for ever, so it is never reused.
 * While no operator is active, one can be added by an unattributed actor, in live too.
 */
export async function addOperator(app: Deps, actor: Actor, name: string, roles: readonly string[]): Promise<void> {
  await app.db.transaction(async (tx) => {
    await lockOperators(tx)
    const isFirst = (await listOperators(tx)).every(({ disabledAt }) => disabledAt !== null)
    const isFree = isFirst && actor.kind === 'unattributed'
    const audit = await (isFree ? openAudit : authorize)(app, tx, actor, 'operator.add')
    const { roles: given, takesTwo } = await checkNewOperator(app, tx, name, roles)
    if (takesTwo) mustBeApproved(app)
    const mark = await operatorMark(app.marks, { name, roles: given })
    await insertOperator(tx, { name, roles: given, mark }, app.clock.now())
    await mustHaveAdmin(tx)
    await audit(`operator:${name}`, { after: { roles: given } })
  })
}

/** Refuses what cannot be added. `takesTwo`: another admin approves it. */
export async function checkNewOperator(app: Omit<Deps, 'db'>, db: Queryable, name: string, roles: readonly string[]) {
  const given = readRoles(roles)
  if (!/^[a-z][a-z0-9._-]{1,39}$/.test(name)) throw refuseField('name', 'operator_name_malformed')
  if (RESERVED_NAMES.has(name)) throw refuseField('name', 'operator_name_reserved', { name })
  if ((await listOperators(db)).some((one) => one.name === name)) throw refuse('operator_exists', { name })
  return { roles: given, takesTwo: await rolesTakeTwo(app, db, null, given) }
}

/** Replaces a person's roles. The next decision of that person sees them. */
export async function setRoles(app: Deps, actor: Actor, name: string, roles: readonly string[]): Promise<void> {
  await app.db.transaction(async (tx) => {
    await lockOperators(tx)
    const audit = await authorize(app, tx, actor, 'operator.change')
    const { before, roles: given, takesTwo } = await checkRoles(app, tx, name, roles)
    if (takesTwo) mustBeApproved(app)
    await updateRoles(tx, { name, roles: given, mark: await operatorMark(app.marks, { name, roles: given }) })
    await mustHaveAdmin(tx)
    await audit(`operator:${name}`, { before: { roles: before.roles }, after: { roles: given } })
  })
}

/** Refuses roles that cannot be given. `takesTwo`: another admin approves it. */
export async function checkRoles(app: Omit<Deps, 'db'>, db: Queryable, name: string, roles: readonly string[]) {
  const given = readRoles(roles)
  const before = (await listOperators(db)).find((one) => one.name === name && one.disabledAt === null)
  if (!before) throw refuse('operator_not_active', { name })
  return { before, roles: given, takesTwo: await rolesTakeTwo(app, db, before, given) }
}

/** In the order of `ROLES`. */
export function readRoles(roles: readonly string[]): Role[] {
  const known = ROLES.filter((role) => roles.includes(role))
  if (known.length > 0 && roles.every((role) => (ROLES as readonly string[]).includes(role))) return known
  throw refuseField('role', 'roles_unknown', { known: ROLES })
}

/** Otherwise no one could give roles any more. */
async function mustHaveAdmin(tx: Tx): Promise<void> {
  const people = (await listOperators(tx)).filter(({ disabledAt }) => disabledAt === null)
  if (people.length === 0 || people.some(({ roles }) => roles.includes('admin'))) return
  throw refuse('role_needs_holder', { role: 'admin' })
}

export async function disableOperator(app: Deps, actor: Actor, name: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    // Without this lock, two people who disable each other at the same time would deadlock.
    await lockOperators(tx)
    const audit = await authorize(app, tx, actor, 'operator.disable')
    const disabled = await updateDisabled(tx, name, app.clock.now())
    if (!disabled) throw refuse('operator_not_active', { name })
    await updateMark(tx, name, await operatorMark(app.marks, disabled))
    await mustHaveAdmin(tx)
    await audit(`operator:${name}`, { before: { disabled: false }, after: { disabled: true } })
  })
}
