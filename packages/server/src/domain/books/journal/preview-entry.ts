import { createHash } from 'node:crypto'
import type { UnconfirmedLine } from '../../statements/index.ts'
import { selectUnconfirmed } from '../../statements/index.ts'
import type { EntrySubject } from './entry-subject.ts'
import { subjectOf } from './entry-subject.ts'
import type { Seen } from './journal-entry.ts'
import { writeDetails } from './journal-entry.ts'
import type { Proposal } from './propose.ts'
import type { JournalDeps } from './plan.ts'
import { seenOf } from './plan.ts'
import { PLANS } from './plans.ts'
import type { AccountEffect } from './show-entry.ts'
import { effectsOf } from './show-entry.ts'

/** What a proposal would book. `hash`: of all of it, to compare with what a person has seen. */
export type EntryPreview = {
  seen: Seen
  accounts: AccountEffect[]
  /** Lines of it that no final statement contains. */
  unconfirmed: UnconfirmedLine[]
  subject: EntrySubject
  /** Who gets the money of a refund. */
  recipient: { name: string; iban: string } | null
  hash: string
}

const NO_ID = '0'.repeat(24)

/** The plan of a proposal that is not made. Refused as the proposal would be. Plans write nothing. */
export async function previewEntry(app: JournalDeps, proposal: Omit<Proposal, 'reason'>): Promise<EntryPreview> {
  const { kind, terms, reverses = null } = proposal
  return app.db.transaction(async (tx) => {
    const plan = await PLANS[kind](app, tx, { id: NO_ID, kind, reverses, terms })
    const seen = seenOf(plan)
    const hash = createHash('sha256').update(writeDetails({ terms, seen })).digest('base64url')
    const recipient = plan.refund ? { name: plan.refund.accountName, iban: plan.refund.iban } : null
    const [accounts, subject] = [
      await effectsOf(tx, { seen, isOpen: true }),
      await subjectOf(tx, kind, { terms, seen }),
    ]
    const ids = seen.lines.map(({ id }) => id)
    return { seen, accounts, subject, recipient, hash, unconfirmed: await selectUnconfirmed(tx, ids) }
  })
}
