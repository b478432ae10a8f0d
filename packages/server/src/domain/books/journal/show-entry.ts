import { createHash } from 'node:crypto'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { writeCanonical } from '../../../platform/json/canonical-json.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { isTransaction } from '../../../platform/postgres/db.ts'
import type { AccountRef } from '../../ledger/index.ts'
import { balancesOf, keyOf } from '../../ledger/index.ts'
import type { StoredLine, UnconfirmedLine } from '../../statements/index.ts'
import { selectLinesById, selectUnconfirmed, waitingCorrections } from '../../statements/index.ts'
import type { EntrySubject } from './entry-subject.ts'
import { subjectOf } from './entry-subject.ts'
import type { Details, JournalEntry, JournalKind, Seen } from './journal-entry.ts'
import type { JournalDeps, Proposed } from './plan.ts'
import { seenOf } from './plan.ts'
import { planOf } from './plans.ts'
import { findEntry } from './store.ts'
import { takesTwo } from './takes-two.ts'

/** An account that the entry moves. `after`: once a proposed entry is posted. */
type AccountEffect = { account: AccountRef; balance: bigint; change: bigint; after: bigint | null }

/** All that a person must know of an entry, posted or not. */
export type ShownEntry = {
  kind: JournalKind
  reverses: string | null
  details: Details
  /** Nothing of it is booked yet. */
  isOpen: boolean
  lines: StoredLine[]
  /** Lines of it that no final statement contains. */
  unconfirmed: UnconfirmedLine[]
  corrections: Awaited<ReturnType<typeof waitingCorrections>>
  accounts: AccountEffect[]
  subject: EntrySubject
}

/** What a proposal would book. `hash`: of all of it, to compare with what a person has seen. */
export type EntryPreview = ShownEntry & {
  /** Who gets the money of a refund. */
  recipient: { name: string; iban: string } | null
  /** One person proposes it, and another approves it. */
  takesTwo: boolean
  hash: string
}

export async function showEntry(db: Queryable, id: string): Promise<ShownEntry & { entry: JournalEntry }> {
  const entry = await findEntry(db, id)
  if (!entry) throw refuse('journal_entry_unknown', { entry: id })
  return { entry, ...(await factsOf(db, { ...entry, isOpen: false })) }
}

const NO_ID = '0'.repeat(24)

/** Plans write nothing. Refused as the proposal would be. */
export function previewEntry(app: JournalDeps, db: Queryable, proposed: Proposed): Promise<EntryPreview> {
  return isTransaction(db) ? previewIn(app, db, proposed) : app.db.transaction((tx) => previewIn(app, tx, proposed))
}

async function previewIn(app: JournalDeps, tx: Tx, { kind, terms, reverses = null }: Proposed): Promise<EntryPreview> {
  const plan = await planOf(app, tx, { id: NO_ID, kind, reverses, terms })
  const details = { terms: plan.terms ?? terms, seen: seenOf(plan) }
  const recipient = plan.refund ? { name: plan.refund.accountName, iban: plan.refund.iban } : null
  const hash = createHash('sha256').update(writeCanonical({ kind, reverses, details, recipient })).digest('base64url')
  const asked = { recipient, hash, takesTwo: await takesTwo(app, tx, { kind, terms }, plan) }
  return { ...(await factsOf(tx, { kind, reverses, details, isOpen: true })), ...asked }
}

type Known = Pick<ShownEntry, 'kind' | 'reverses' | 'details' | 'isOpen'>

async function factsOf(db: Queryable, { kind, reverses, details, isOpen }: Known): Promise<ShownEntry> {
  const ids = details.seen.lines.map(({ id }) => id)
  return {
    ...{ kind, reverses, details, isOpen },
    lines: await selectLinesById(db, ids),
    unconfirmed: await selectUnconfirmed(db, ids),
    corrections: isOpen ? await waitingCorrections(db, ids) : [],
    accounts: await effectsOf(db, details.seen, isOpen),
    subject: await subjectOf(db, kind, details),
  }
}

async function effectsOf(db: Queryable, seen: Seen, isOpen: boolean): Promise<AccountEffect[]> {
  const changes = new Map<string, { account: AccountRef; change: bigint }>()
  const add = (account: AccountRef, amount: bigint) => {
    const change = (changes.get(keyOf(account))?.change ?? 0n) + amount
    changes.set(keyOf(account), { account, change })
  }
  for (const { from, to, amount } of seen.entries.flatMap(({ transfers }) => transfers)) {
    add(from, -amount)
    add(to, amount)
  }
  const all = [...changes.values()]
  const balances = await balancesOf(
    db,
    all.map(({ account }) => account),
  )
  return all.map(({ account, change }, place) => {
    const balance = balances[place] ?? 0n
    return { account, balance, change, after: isOpen ? balance + change : null }
  })
}
