import type { KindName, TermsOf } from '../../../domain/changes/index.ts'
import { approveChange, rejectChange, requestChange } from '../../../domain/changes/index.ts'
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

async function approve(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await approveChange(patient(app), actor, id, fields.get('seen') ?? '')
  return 'changeApplied'
}

async function reject(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await rejectChange(app, actor, id, fields.get('why') ?? '')
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
