import type { KindName, TermsOf } from '../../../domain/changes/index.ts'
import { approveChange, findRequest, rejectChange, requestChange } from '../../../domain/changes/index.ts'
import type { DecidedBefore } from '../decided-before.ts'
import { orTellWho } from '../decided-before.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import { patient } from '../statements/uploads.ts'
import { WORDS } from './words.ts'

const OUTCOMES = ['changeApplied', 'changeRejected', 'changeProposed', 'changeMade', 'changeUnchanged'] as const
const texts = (language: 'tr' | 'en') => Object.fromEntries(OUTCOMES.map((key) => [key, WORDS[language][key]]))

/** Requests are shown on the page of approvals. */
export const CHANGES: Section = {
  views: [],
  forms: [
    { path: '/changes/:id/approve', action: 'change.approve', back: '/approvals', decide: approve },
    { path: '/changes/:id/reject', action: 'change.reject', back: '/approvals', decide: reject },
  ],
  said: { tr: texts('tr'), en: texts('en') },
}

async function decidedChange({ db }: OperatorDeps, id: string): Promise<DecidedBefore | null> {
  const request = await findRequest(db, id)
  if (!request?.decidedBy || !request.decidedAt) return null
  const { state, decidedBy: who, decidedAt: at } = request
  if (state === 'applied') return { who, what: 'approved', at }
  return state === 'rejected' || state === 'withdrawn' ? { who, what: state, at } : null
}

async function approve(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => approveChange(patient(app), actor, id, fields.get('seen') ?? '')
  await orTellWho(viewer, () => decidedChange(app, id), decide)
  return 'changeApplied'
}

async function reject(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => rejectChange(app, actor, id, fields.get('why') ?? '')
  await orTellWho(viewer, () => decidedChange(app, id), decide)
  return 'changeRejected'
}

const SAID = { applied: 'changeMade', open: 'changeProposed', unchanged: 'changeUnchanged' } as const

/** Asks for a change with the reason of the form, and says what became of it. */
export async function ask<Name extends KindName>(
  app: OperatorDeps,
  { actor, fields }: Asked,
  kind: Name,
  terms: TermsOf<Name>,
): Promise<string> {
  const { state } = await requestChange(app, actor, kind, terms, { reason: fields.get('why') })
  return SAID[state]
}
