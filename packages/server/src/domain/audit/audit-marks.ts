import type { Marks } from '../../platform/crypto/marks.ts'

type Stored = { before: string | null; after: string | null; origin: string }

/** Without the key order of its JSON: PostgreSQL has its own. */
export function parsed<Entry extends Stored>({ before, after, origin, ...entry }: Entry) {
  const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
  return { ...entry, before: json(before), after: json(after), origin: JSON.parse(origin) as Record<string, string> }
}

type Said = Record<'actor' | 'action' | 'subject', string> &
  Record<'before' | 'after' | 'origin', unknown> & { at: Date | string; reason: string | null }

const said = ({ at, actor, action, subject, before, after, reason, origin }: Said) => {
  return { at: new Date(at), actor, action, subject, before, after, reason, origin }
}

/** The entry gets its number at the commit, so the mark has one of its own: a copy of both is no second entry. */
export const auditMark = (marks: Marks, entry: Said) => marks.ofNew('audit_entries', said(entry))

/** Whether a process with the master key wrote it. */
export const isOurs = (marks: Marks, entry: Said & { mark: string | null }) =>
  marks.fitsNew(entry.mark, 'audit_entries', said(entry))
