import type { StatementFormat } from '@vezne/bank-formats'
import type { Tx } from '../../../platform/postgres/db.ts'
import { istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Holiday } from '../../banks/index.ts'
import type { BankLine, Draft } from '../bank-line.ts'
import { sameSender } from '../bank-line.ts'
import type { Judged } from '../entered/replace-entered.ts'
import type { KeyedLine } from '../store.ts'
import { selectByNumber } from '../store.ts'
import type { FoundAgain } from './found-again.ts'
import { findAgain } from './found-again.ts'
import type { Counts } from './hash-counts.ts'
import { hashCounts } from './hash-counts.ts'
import type { BatchSum } from './lines/store.ts'
import { selectBatchSums, selectSameMoney } from './lines/store.ts'
import { bothNamed, isCompatibleText, isSameText, namesOther } from './same-text.ts'
import { isFinal } from './statement-file.ts'
import { selectOtherFiles } from './store.ts'

/** What the parts of one import of a file share. */
export type FileScope = {
  id: string
  format: StatementFormat
  /** Whether it confirms its lines: a final statement does, a page of one only with all others. */
  confirms: boolean
  /** How many equal lines without a number came so far. */
  occurrences: Counts
  /** Stored lines that were found to be lines of this file: each is one booking. */
  claimed: Claimed
  /** Stored lines that a line of this file may correct: a person decides. */
  suspected: Set<string>
  /** Numbers of stored lines that had none or another, by line. Stored with them, so that a later file with another number is new. */
  learnt: Map<string, string>
  /** Stored lines that a first comparison, or the statement of a day before, did not find, by account and amount. */
  missing: Map<string, KeyedLine[]>
  holidays: readonly Holiday[]
  /** Those of them that were found. */
  found: FoundAgain[]
  /** Of a file that two people approved: whether they saw a new line. */
  isApproved: ((line: Judged) => boolean) | null
}

type Claimed = { has: (id: string) => boolean; add: (id: string) => unknown }

type Lost = { missing: KeyedLine[]; holidays: readonly Holiday[] }

export function newScope(id: string, format: StatementFormat, { missing, holidays }: Lost): FileScope {
  const claimed = claimedBy(hashCounts())
  const none = { suspected: new Set<string>(), learnt: new Map<string, string>(), found: [], isApproved: null }
  const known = { missing: Map.groupBy(missing, amountKey), holidays }
  return { id, format, confirms: isFinal(format), occurrences: hashCounts(), claimed, ...known, ...none }
}

function claimedBy(counts: Counts): Claimed {
  return { has: (id) => counts.get(id) > 0, add: (id) => counts.set(id, 1) }
}

/** The scope for one part. What it adds counts only once `keep` is called, after the part's transaction. */
export function scopeOfPart(whole: FileScope): { scope: FileScope; keep: () => void } {
  const [occurrences, claimed] = [new Map<string, number>(), new Set<string>()]
  const scope: FileScope = {
    ...whole,
    learnt: new Map(),
    occurrences: {
      get: (text) => occurrences.get(text) ?? whole.occurrences.get(text),
      set: (text, n) => occurrences.set(text, n),
    },
    claimed: { has: (id) => claimed.has(id) || whole.claimed.has(id), add: (id) => claimed.add(id) },
  }
  const keep = () => {
    for (const [text, n] of occurrences) whole.occurrences.set(text, n)
    for (const id of claimed) whole.claimed.add(id)
  }
  return { scope, keep }
}

/** A stored line, or one of the same part. */
export type Compared = Omit<BankLine, 'accountIban'> & Pick<KeyedLine, 'id' | 'state' | 'fileId' | 'format'>

export type Elsewhere = { verdict: 'same'; lineId: null } | { verdict: 'suspected'; lineId: string }
const SAME: Elsewhere = { verdict: 'same', lineId: null }

const dayOf = ({ bookedAt }: { bookedAt: Date }) => istanbul(bookedAt).day
const signed = ({ direction, amount }: Pick<Draft, 'direction' | 'amount'>) =>
  direction === 'credit' ? amount : -amount

/**
 * Finds the booking of a line in files of other formats (camt.052, 054, 053; MT942, 940), which word it differently: by its number,
 * by the number and sum of its batch, or, where one of the two has no number, by amount, day, sender and text.
 */
export async function bookedElsewhere(
  tx: Tx,
  drafts: Draft[],
  file: FileScope,
): Promise<(draft: Draft, ofNumber: Compared[]) => Elsewhere | null> {
  const byBatch = await inBatches(tx, drafts, file)
  const byMoney = await withSameMoney(tx, drafts, file)
  return (draft, ofNumber) => {
    const isFree = ({ id }: Compared) => draft.occurrence === 1 || !file.claimed.has(id)
    const numbered = draft.bankReference
      ? ofNumber.find((other) => isSameInAnotherFormat(draft, other, file) && isFree(other))
      : null
    if (numbered) {
      file.claimed.add(numbered.id)
      return SAME
    }
    const batch = byBatch(draft)
    if (batch?.verdict === 'same') return batch
    const money = byMoney(draft)
    if (money?.verdict === 'same') return money
    return amongMissing(draft, file) ?? money ?? (draft.direction === 'credit' ? batch : null)
  }
}

/** Each missing line is found once. */
function amongMissing(draft: Draft, file: FileScope): Elsewhere | null {
  const missing = file.missing.get(amountKey(draft)) ?? []
  const free = missing.filter(({ id }) => !file.claimed.has(id) && !file.suspected.has(id))
  const found = findAgain(draft, free, file.holidays)
  if (found === null) return null
  file.found.push(found)
  const { id } = found.line
  if (!found.isSame) return { verdict: 'suspected', lineId: id }
  file.claimed.add(id)
  if (draft.bankReference) file.learnt.set(id, draft.bankReference)
  return SAME
}

function isSameInAnotherFormat(draft: Draft, other: Compared, file: FileScope): boolean {
  const isOther = other.fileId !== file.id && other.format !== file.format
  const isSameMoney = other.amount === draft.amount && dayOf(other) === dayOf(draft) && sameSender(other, draft)
  return isOther && isSameMoney && !namesOther(other.narrative, draft.narrative)
}

/** An entry with this number, or the details that it was opened into: equal if day and sum are. */
async function inBatches(tx: Tx, drafts: Draft[], file: FileScope): Promise<(draft: Draft) => Elsewhere | null> {
  const entries = drafts.flatMap((draft) => {
    const reference = draft.batch?.reference ?? draft.bankReference
    return reference ? [{ collectingAccountId: draft.collectingAccountId, reference }] : []
  })
  if (entries.length === 0) return () => null
  const opened = await selectBatchSums(tx, entries, file.id)
  const whole = await wholeEntries(tx, drafts, file)
  const known = Map.groupBy([...opened, ...whole], entryKey)
  return (draft) => {
    const reference = draft.batch?.reference ?? draft.bankReference
    if (!reference) return null
    const others = known.get(entryKey({ ...draft, reference }))?.filter(({ format }) => format !== file.format) ?? []
    const total = draft.batch?.total ?? signed(draft)
    const same = others.find((other) => other.day === dayOf(draft) && other.total === total)
    if (same) {
      for (const id of same.lineIds) file.claimed.add(id)
      return SAME
    }
    const suspected = others[0]?.lineIds[0]
    return suspected === undefined ? null : { verdict: 'suspected', lineId: suspected }
  }
}

function entryKey({ collectingAccountId, reference }: { collectingAccountId: string; reference: string }): string {
  return `${collectingAccountId}|${reference}`
}

/** Entries with the numbers of these batches that came as one line. */
async function wholeEntries(tx: Tx, drafts: Draft[], file: FileScope): Promise<BatchSum[]> {
  const wanted = drafts.flatMap(({ batch, collectingAccountId }) => {
    if (!batch) return []
    const direction = batch.total < 0n ? ('debit' as const) : ('credit' as const)
    return [{ collectingAccountId, direction, bankReference: batch.reference }]
  })
  const MAX_COMPARED = 50
  const stored = wanted.length > 0 ? await selectByNumber(tx, wanted, MAX_COMPARED) : []
  return stored.flatMap((line) => {
    if (line.fileId === file.id) return []
    const { id, collectingAccountId, format, bankReference } = line
    const facts = { collectingAccountId, format, day: dayOf(line), total: signed(line) }
    return [{ ...facts, reference: bankReference ?? '', lineIds: [id] }]
  })
}

/** Each stored line is one booking: the second equal payment of a file finds the second stored one, or is new. */
async function withSameMoney(tx: Tx, drafts: Draft[], file: FileScope): Promise<(draft: Draft) => Elsewhere | null> {
  const stored = await sameMoney(tx, drafts, file)
  const alike = Map.groupBy(stored, moneyKey)
  return (draft) => {
    const free = (alike.get(moneyKey(draft)) ?? []).filter((other) => mayBe(other, draft, file))
    const certain =
      free.find((other) => isSameText(other.narrative, draft.narrative)) ??
      free.find((other) => bothNamed(other, draft) && isCompatibleText(other.narrative, draft.narrative))
    if (certain) {
      file.claimed.add(certain.id)
      if (draft.bankReference) file.learnt.set(certain.id, draft.bankReference)
      return SAME
    }
    // Not claimed: a later line of the file may be this booking for certain.
    return draft.direction === 'credit' && free[0] ? { verdict: 'suspected', lineId: free[0].id } : null
  }
}

function mayBe(other: KeyedLine, draft: Draft, file: FileScope): boolean {
  if (file.claimed.has(other.id) || (draft.bankReference && other.bankReference)) return false
  return sameSender(other, draft) && !namesOther(other.narrative, draft.narrative)
}

/** Only files of other formats with the same days are searched: a file may have many lines of one amount. */
async function sameMoney(tx: Tx, drafts: Draft[], { id, format }: FileScope): Promise<KeyedLine[]> {
  const days = drafts.map(dayOf).toSorted()
  const accountIds = [...new Set(drafts.map(({ collectingAccountId }) => collectingAccountId))]
  const period = { accountIds, fromDay: days[0] ?? '', toDay: days.at(-1) ?? '' }
  const fileIds = drafts.length > 0 ? await selectOtherFiles(tx, { id, format }, period) : []
  if (fileIds.length === 0) return []
  const wanted = drafts.map((draft) => {
    const fromTime = startOfDay(dayOf(draft))
    const { collectingAccountId, amount, direction, bankReference } = draft
    const toTime = new Date(fromTime.getTime() + DAY_MS)
    return { collectingAccountId, amount, direction, fromTime, toTime, numbered: Boolean(bankReference) }
  })
  const [numbered, unnumbered] = [wanted.filter((one) => one.numbered), wanted.filter((one) => !one.numbered)]
  const stored = [
    ...(await selectSameMoney(tx, numbered, fileIds, true)),
    ...(await selectSameMoney(tx, unnumbered, fileIds, false)),
  ]
  return [...new Map(stored.map((line) => [line.id, line])).values()]
}

type Money = Pick<Draft, 'collectingAccountId' | 'direction' | 'amount'>

export function amountKey({ collectingAccountId, direction, amount }: Money): string {
  return `${collectingAccountId}|${direction}|${amount}`
}

function moneyKey(line: Money & Pick<Draft, 'bookedAt'>): string {
  return `${amountKey(line)}|${dayOf(line)}`
}
