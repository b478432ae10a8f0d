import type { Tx } from '../../platform/postgres/db.ts'
import type { Draft, StoredLine } from './bank-line.ts'
import { sameBooking, sameSender } from './bank-line.ts'
import { selectByNumber } from './store.ts'

const MAX_OF_ONE_NUMBER = 50

type Numbered = Pick<StoredLine, 'collectingAccountId' | 'bankReference'>
type Facts = Numbered &
  Pick<StoredLine, 'amount' | 'direction' | 'valueDate' | 'bookedAt' | 'narrative' | 'senderName' | 'senderIban'>

/** The bank shows a debit again with the wrong sign: all is equal but the direction. A real return has a number, text or time of its own. */
export function isMirrored(credit: Facts, debit: Facts): boolean {
  return (
    credit.direction === 'credit' &&
    debit.direction === 'debit' &&
    credit.bankReference !== null &&
    numberKey(credit) === numberKey(debit) &&
    sameBooking(credit, debit) &&
    sameSender(credit, debit)
  )
}

const numberKey = ({ collectingAccountId, bankReference }: Numbered) => `${collectingAccountId}|${bankReference}`

/** For each credit the debit, stored or of the same reading, that it shows with the wrong sign. */
export async function mirroredDebits(tx: Tx, drafts: Draft[]): Promise<(draft: Draft) => string | null> {
  const credits = drafts.filter(({ direction, bankReference }) => direction === 'credit' && bankReference)
  if (credits.length === 0) return () => null
  const wanted = credits.map((draft) => ({ ...draft, direction: 'debit' as const }))
  const stored = await selectByNumber(tx, wanted, MAX_OF_ONE_NUMBER)
  const debits = new Map<string, (Facts & { id: string })[]>()
  for (const debit of [...stored, ...drafts.filter(({ direction }) => direction === 'debit')]) {
    const key = numberKey(debit)
    debits.set(key, [...(debits.get(key) ?? []), debit])
  }
  return (draft) => debits.get(numberKey(draft))?.find((debit) => isMirrored(draft, debit))?.id ?? null
}
