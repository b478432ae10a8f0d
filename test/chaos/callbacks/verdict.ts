import type { Finding } from '../verdict.ts'
import { disagreements } from './attempts.ts'
import type { Evidence } from './evidence.ts'
import { keyOf, keyOfNote } from './evidence.ts'
import { latenciesOf, percentile } from './latency.ts'
import type { Note } from './note.ts'

export type Limits = { p99Ms: number; stalledMs: number; peakMb: number }

/** Judges by what the receivers noted, beside what the database says; not by what workers believe. */
export function judge(evidence: Evidence, limits: Limits): Finding[] {
  const { canary, deliveries, workers, peakMb, notes } = evidence
  const expected = expectedKeys(evidence)
  const { usual, stalled } = latenciesOf(evidence)
  const [p99, longest] = [percentile(usual, 99), stalled.at(-1) ?? 0]
  return [
    { rule: 'every committed event was accepted by every endpoint that wants it', offenders: lost(evidence, expected) },
    {
      rule: 'nothing is open and nothing was given up',
      offenders: deliveries.filter(({ state }) => state !== 'delivered').map((row) => `${keyOf(row)} ${row.state}`),
    },
    {
      rule: 'deliveries are those that should be, and no others',
      offenders: difference(expected, new Set(deliveries.map(keyOf))),
    },
    { rule: 'no event arrives before the one before it was accepted', offenders: outOfOrder(notes) },
    { rule: 'the same bytes at every try, as they are in the books', offenders: otherBytes(evidence) },
    { rule: 'every signature verifies by a secret of its time', offenders: unverified(notes) },
    { rule: 'no redirect was followed', offenders: canary === 0 ? [] : [`${canary} requests at the canary`] },
    { rule: 'what was rolled back was never seen, nor anything unknown', offenders: unknown(evidence, expected) },
    { rule: 'positions rise with the sequence', offenders: misplaced(evidence) },
    { rule: 'every attempt is as the receiver saw it', offenders: disagreements(evidence) },
    { rule: 'every 410 that was recorded switched its endpoint off', offenders: forgotten(evidence) },
    {
      rule: `healthy endpoints: 99 of 100 accepted within ${limits.p99Ms} ms of the commit`,
      offenders: p99 <= limits.p99Ms ? [] : [`${Math.round(p99)} ms`],
    },
    {
      rule: `a worker that is stopped with its locks holds nobody up for more than ${limits.stalledMs} ms`,
      offenders: longest <= limits.stalledMs ? [] : [`${Math.round(longest)} ms`],
    },
    {
      rule: `no worker ever had more than ${limits.peakMb} MB`,
      offenders: (peakMb ?? 0) <= limits.peakMb ? [] : [`${peakMb} MB`],
    },
    { rule: 'no worker died by itself', offenders: workers.deaths === 0 ? [] : [`${workers.deaths} deaths`] },
  ]
}

function expectedKeys({ recorded, addresses }: Evidence): Set<string> {
  return new Set(
    recorded.flatMap(({ id, merchantId, type }) =>
      addresses
        .filter(({ eventTypes, ...address }) => {
          return address.merchantId === merchantId && (eventTypes.length === 0 || eventTypes.includes(type))
        })
        .map(({ endpointId }) => keyOf({ endpointId, eventId: id })),
    ),
  )
}

function lost(evidence: Evidence, expected: Set<string>): string[] {
  const keyOfOne = keyOfNote(evidence)
  const accepted = new Set(evidence.notes.filter(({ acceptedAt }) => acceptedAt !== null).map(keyOfOne))
  return [...expected].filter((key) => !accepted.has(key))
}

function difference(expected: Set<string>, found: Set<string>): string[] {
  return [
    ...[...expected].filter((key) => !found.has(key)).map((key) => `${key} is missing`),
    ...[...found].filter((key) => !expected.has(key)).map((key) => `${key} should not be`),
  ]
}

/** Of each receiver and transaction: everything older that it is ever sent was accepted before something newer came. */
function outOfOrder(notes: Note[]): string[] {
  return byTransaction(notes).flatMap((group) => {
    const bySequence = Map.groupBy(group, ({ sequence }) => sequence)
    const sequences = [...bySequence.keys()].toSorted((a, b) => a - b)
    return sequences.slice(1).flatMap((sequence, index) => {
      const before = sequences[index] as number
      const accepted = Math.min(...(bySequence.get(before) ?? []).map(({ acceptance }) => acceptance ?? Infinity))
      const arrived = Math.min(...(bySequence.get(sequence) ?? []).map(({ arrival }) => arrival))
      const { receiver, transactionId } = group[0] as Note
      return arrived > accepted ? [] : [`receiver ${receiver}, ${transactionId}: ${sequence} before ${before}`]
    })
  })
}

/** Arrivals of something that had been accepted, after something newer of its transaction: at least once allows it. */
export function lateRepeats(notes: Note[]): Note[] {
  return byTransaction(notes).flatMap((group) => {
    let newest = 0
    const inOrder = group.toSorted((a, b) => a.arrival - b.arrival)
    return inOrder.filter(({ sequence }) => {
      newest = Math.max(newest, sequence)
      return sequence < newest
    })
  })
}

function byTransaction(notes: Note[]): Note[][] {
  return [...Map.groupBy(notes, ({ receiver, transactionId }) => `${receiver}/${transactionId}`).values()]
}

function otherBytes({ notes, events }: Evidence): string[] {
  const digests = new Map(events.map(({ id, digest }) => [id, digest]))
  return notes.filter(({ id, digest }) => digests.get(id) !== digest).map(({ id }) => id)
}

function unverified(notes: Note[]): string[] {
  return notes
    .filter(({ verifiedBy, mustVerifyBy }) => !verifiedBy.some((place) => place >= mustVerifyBy))
    .map(({ receiver, id, verifiedBy, mustVerifyBy }) => {
      return `receiver ${receiver}, ${id}: by [${verifiedBy.join()}], not by ${mustVerifyBy}`
    })
}

function unknown(evidence: Evidence, expected: Set<string>): string[] {
  const { notes, events, recorded } = evidence
  const rolledBack = new Set(evidence.rolledBack)
  const known = new Set(recorded.map(({ id }) => id))
  const keyOfOne = keyOfNote(evidence)
  return [
    ...notes.filter(({ id }) => rolledBack.has(id)).map(({ id }) => `${id} was rolled back and sent`),
    ...notes.map(keyOfOne).filter((key) => !expected.has(key)),
    ...events.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} is in the books`),
  ]
}

function misplaced({ events }: Evidence): string[] {
  return [...Map.groupBy(events, ({ transactionId }) => transactionId)].flatMap(([transactionId, group]) => {
    const positions = group.toSorted((a, b) => a.sequence - b.sequence).map(({ position }) => position ?? -1)
    const isRising = positions.every((position, index) => position > (positions[index - 1] ?? 0))
    return isRising ? [] : [`${transactionId}: ${positions.join()}`]
  })
}

function forgotten({ attempts, switchedOffAsGone }: Evidence): string[] {
  const recorded = attempts.filter(({ status }) => status === 410).length
  return recorded <= switchedOffAsGone ? [] : [`${recorded} recorded, ${switchedOffAsGone} times switched off`]
}
