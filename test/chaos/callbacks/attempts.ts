import type { AttemptRow, DeliveryRow, Evidence } from './evidence.ts'
import { keyOf, keyOfNote } from './evidence.ts'
import type { Note } from './note.ts'

/**
 * Where our record of calls and the receivers' notes differ. Every attempt has a request of its own; a request without an attempt is
 * one whose worker was killed, or could not record.
 */
export function disagreements(evidence: Evidence): string[] {
  const { deliveries, attempts, notes, workers } = evidence
  const notesByKey = Map.groupBy(notes, keyOfNote(evidence))
  const attemptsByKey = Map.groupBy(attempts, keyOf)
  return deliveries.flatMap((delivery) => {
    const key = keyOf(delivery)
    // A worker that was stopped while it connected may find its deadline over before it has sent anything.
    const all = attemptsByKey.get(key) ?? []
    const sent =
      workers.pauses === 0 ? all : all.filter(({ outcome, status }) => outcome !== 'timeout' || status !== null)
    return compare(delivery, sent, notesByKey.get(key) ?? []).map((what) => `${key}: ${what}`)
  })
}

/** Requests whose response no worker recorded. */
export function unrecorded({ attempts, notes }: Evidence): number {
  return notes.length - attempts.length
}

function compare({ state }: DeliveryRow, attempts: AttemptRow[], notes: Note[]): string[] {
  const free = new Set(notes)
  const problems: string[] = []
  for (const attempt of attempts.toSorted((a, b) => specificity(b) - specificity(a))) {
    const note = noteOf(attempt, free)
    if (note) free.delete(note)
    else
      problems.push(`attempt ${attempt.number}, ${attempt.outcome} ${attempt.status}, is not in the receiver's notes`)
  }
  const isThrough = attempts.some(({ outcome }) => outcome === 'accepted')
  if (state === 'delivered' && !isThrough) problems.push('delivered, but no attempt was accepted')
  return problems
}

/** Attempts that name their note are matched first, those that fit any note last. */
function specificity(attempt: AttemptRow): number {
  if (nameIn(attempt) !== null) return 3
  if (attempt.status !== null) return 2
  return attempt.outcome === 'timeout' ? 0 : 1
}

function nameIn({ answer }: AttemptRow): number | null {
  const [, number] = /^note (\d+)\n/.exec(answer) ?? []
  return number === undefined ? null : Number(number)
}

function noteOf(attempt: AttemptRow, free: Set<Note>): Note | undefined {
  const { outcome, status } = attempt
  const name = nameIn(attempt)
  return [...free].find(({ number, did }) => {
    if (name !== null) return number === name && did === status
    if (status !== null) return did === status
    // A worker that was stopped past the deadline has seen no answer, whatever was answered.
    return outcome === 'timeout' || typeof did !== 'number'
  })
}
