import { ERASED } from '../../../kernel/erased.ts'
import { foldText } from '../../../kernel/fold.ts'
import type { BankLine } from '../bank-line.ts'
import { payoutReferences } from '../bank-line.ts'

/** Words that banks add to the payer's text in one format and not in another. */
const CHANNEL_WORDS = new Set(['GELEN', 'GIDEN', 'FAST', 'EFT', 'HAVALE'])
/** The shape of a deposit's reference code. Without a digit, it may be a word. */
const CODE = /^(?=.*\d)(?=.*[A-Z])[2-9A-HJKMNP-TV-Z]{8}$/

function wordsOf(text: string): Set<string> {
  return new Set(
    foldText(text)
      .split(' ')
      .filter((word) => word !== '' && !CHANNEL_WORDS.has(word)),
  )
}

/** The deposits and payouts that a text may name. */
function namesIn(text: string): Set<string> {
  const codes = [...wordsOf(text)].filter((word) => CODE.test(word))
  return new Set([...codes, ...payoutReferences(text)])
}

/** Each text names a deposit or payout, and none is in both: two bookings. */
export function namesOther(a: string, b: string): boolean {
  const [ofA, ofB] = [namesIn(a), namesIn(b)]
  return ofA.size > 0 && ofB.size > 0 && ofA.isDisjointFrom(ofB)
}

export function isSameText(a: string, b: string): boolean {
  return foldText(a) === foldText(b)
}

/** Same names, or one text has all words of the other. A name that the stored text does not have is not lost this way. */
export function isCompatibleText(stored: string, read: string): boolean {
  if (stored === ERASED || isSameText(stored, read)) return true
  const [ofStored, ofRead] = [namesIn(stored), namesIn(read)]
  if (!ofRead.isSubsetOf(ofStored)) return false
  if (ofRead.size > 0 && ofRead.size === ofStored.size) return true
  const [words, others] = [wordsOf(stored), wordsOf(read)]
  return words.isSubsetOf(others) || others.isSubsetOf(words)
}

type Sender = Pick<BankLine, 'senderName' | 'senderIban'>

/** The senders are compatible; a missing one says nothing. */
export function bothNamed(a: Sender, b: Sender): boolean {
  return Boolean((a.senderIban && b.senderIban) || (foldText(a.senderName) && foldText(b.senderName)))
}
