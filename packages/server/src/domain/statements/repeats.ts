import type { Tx } from '../../platform/postgres/db.ts'
import type { Draft, NewLine } from './bank-line.ts'
import { naturalKey, sameBooking, sameSender } from './bank-line.ts'
import type { Compared, FileScope } from './files/same-booking.ts'
import { bookedElsewhere } from './files/same-booking.ts'
import type { Suspected } from './entered/replace-entered.ts'
import { selectRenumbered } from './files/lines/store.ts'
import { COMPLETE_FORMATS } from './files/statement-file.ts'
import { mirroredDebits } from './mirrored.ts'
import { selectByNumber } from './store.ts'

/** More lines than this with one number: the bank uses it as a placeholder, and there are too many to compare. */
const MAX_OF_ONE_NUMBER = 50

/** Lines by key. `taken`: keys of lines that have got another number since. */
type Seen = { keys: Map<string, string>; lines: Compared[]; taken: Set<string> }

/**
 * Compares lines of the same account and number: equal is known, same sender or booking is a suspected correction, else another
 * payment. If too many to compare, every new one is suspected. Debits never are: banks book fees under the transfer's number.
 * A credit that repeats a debit with the wrong sign is suspected too. A line of a file is also compared with files of other formats, which word the same booking differently.
 */
export async function withoutRepeats(tx: Tx, drafts: Draft[], file: FileScope | null): Promise<Suspected[]> {
  const seen = await seenBefore(tx, drafts, file)
  const mirrored = await mirroredDebits(tx, drafts)
  const elsewhere = file && (await bookedElsewhere(tx, drafts, file))
  return drafts.flatMap((draft) => {
    const group = seen.get(numberKey(draft))
    // The first of them is in the group. It is known if its own occurrence is stored.
    const isProven = draft.bankReference !== null && draft.occurrence > 1
    const known = isProven ? undefined : group?.keys.get(draft.naturalKey)
    if (known !== undefined) {
      file?.claimed.add(known)
      return []
    }
    const other = elsewhere?.(draft, group?.lines ?? []) ?? null
    if (other?.verdict === 'same') return []
    const correctsLineId =
      other?.lineId ?? (group && !isProven ? correctedBy(draft, group, file) : null) ?? mirrored(draft)
    if (correctsLineId !== null) file?.suspected.add(correctsLineId)
    group?.keys.set(draft.naturalKey, draft.id)
    const occurrence = group?.taken.has(draft.naturalKey) ? draft.occurrence + 1 : draft.occurrence
    return [{ ...draft, occurrence, correctsLineId }]
  })
}

/** The id of the stored line that this one may correct. */
function correctedBy(draft: Draft, group: Seen, file: FileScope | null): string | null {
  if (draft.direction === 'debit') return null
  // Comparing names takes time, and the result would be the same: a person decides.
  if (group.lines.length > MAX_OF_ONE_NUMBER) return group.lines.at(-1)?.id ?? null
  const repeats = group.lines.filter((other) => sameSender(other, draft) || sameBooking(other, draft))
  const first = repeats.find(({ state }) => state !== 'dismissed') ?? repeats[0]
  group.lines.push({ ...draft, state: 'new', fileId: file?.id ?? null, format: file?.format ?? null })
  return first?.id ?? null
}

/** Stored lines with the numbers of these lines, by account, direction and number. Lines without a number have no entry. */
async function seenBefore(tx: Tx, drafts: Draft[], file: FileScope | null): Promise<Map<string, Seen>> {
  const numbered = drafts.filter(({ bankReference }) => bankReference)
  const seen = new Map<string, Seen>(
    numbered.map((draft) => [numberKey(draft), { keys: new Map(), lines: [], taken: new Set() }]),
  )
  if (numbered.length === 0) return seen
  const stored = await selectByNumber(tx, numbered, MAX_OF_ONE_NUMBER + 1)
  const renumbered = file ? await selectRenumbered(tx, numbered) : []
  const first = renumbered.map((one) => ({ ...one, bankReference: one.firstNumber }))
  // A final statement gave the other number. If one has this number too, also on another page, it may be another payment: a person decides.
  const final = file && COMPLETE_FORMATS.includes(file.format) ? file.format : null
  for (const line of final ? first : []) {
    const group = seen.get(numberKey(line))
    group?.taken.add(line.naturalKey)
    group?.lines.push({ ...line, format: final })
  }
  for (const line of final ? stored : [...stored, ...first]) {
    const group = seen.get(numberKey(line))
    // For an erased line, only the stored key still identifies its original content. The oldest stays: it is the first occurrence.
    for (const key of [line.naturalKey, naturalKey(line)]) if (!group?.keys.has(key)) group?.keys.set(key, line.id)
    group?.lines.push(line)
  }
  return seen
}

function numberKey(line: Pick<NewLine, 'collectingAccountId' | 'bankReference' | 'direction'>): string {
  return `${line.collectingAccountId}|${line.direction}|${line.bankReference}`
}
