import type { Marks } from '../../platform/crypto/marks.ts'
import type { ChainedEntry } from './store.ts'

type Marked = Pick<ChainedEntry, 'actor' | 'action' | 'subject' | 'before' | 'after' | 'reason' | 'origin'> & {
  at: Date
}

/** What the entry says, whatever the key order of its JSON: PostgreSQL has its own. */
export function auditMark(marks: Marks, { before, after, origin, ...entry }: Marked): Promise<string> {
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return marks.of('audit_entries', { ...entry, before: parsed(before), after: parsed(after), origin: parsed(origin) })
}

/** Whether a process with the master key wrote it. */
export async function isOurs(marks: Marks, entry: ChainedEntry): Promise<boolean> {
  const { actor, action, subject, before, after, reason, origin, mark } = entry
  const at = new Date(entry.at)
  return (
    mark !== null && mark === (await auditMark(marks, { at, actor, action, subject, before, after, reason, origin }))
  )
}
