import { foldText } from '../../../kernel/fold.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import { isCalledTax } from '../candidates/bank-words.ts'
import type { JournalKind } from '../journal/journal-entry.ts'

/** What a rule may say that a line is. Each is one line of an account, and no one's money but the bank's and ours. */
export const RULE_KINDS = ['bank_charge', 'bank_tax', 'interest'] as const satisfies JournalKind[]
type RuleKind = (typeof RULE_KINDS)[number]

export type RuleTerms = {
  kind: RuleKind
  direction: 'debit' | 'credit'
  /** Null: of every account. */
  accountId: string | null
  /** Folded. The text of the line has these words, one after the other. */
  words: string
  maxAmount: bigint
  /** False: it only suggests. */
  books: boolean
}

export type Rule = RuleTerms & {
  id: string
  reason: string
  proposedBy: string
  approvedBy: string
  approvedAt: Date
  state: 'active' | 'paused' | 'ended'
  /** Two people found it wrong: what it has booked is taken back. */
  undo: Undo | null
  /** Entries of it, those taken back too. */
  booked: number
}

export type Undo = { proposedBy: string; proposedAt: Date; approvedBy: string; reason: string }

/** Texts of Turkish banks for items of their own. None is a rule until two people make it one. */
export const USUAL_TEXTS: Pick<RuleTerms, 'kind' | 'direction' | 'words'>[] = [
  { kind: 'bank_charge', direction: 'debit', words: 'FAST MASRAFI' },
  { kind: 'bank_charge', direction: 'debit', words: 'FAST UCRETI' },
  { kind: 'bank_charge', direction: 'debit', words: 'EFT MASRAFI' },
  { kind: 'bank_charge', direction: 'debit', words: 'EFT UCRETI' },
  { kind: 'bank_charge', direction: 'debit', words: 'HAVALE MASRAFI' },
  { kind: 'bank_charge', direction: 'debit', words: 'HAVALE UCRETI' },
  { kind: 'bank_charge', direction: 'debit', words: 'HESAP ISLETIM UCRETI' },
  { kind: 'bank_charge', direction: 'debit', words: 'KOMISYON' },
  { kind: 'bank_tax', direction: 'debit', words: 'BSMV' },
  { kind: 'bank_tax', direction: 'debit', words: 'STOPAJ' },
  { kind: 'interest', direction: 'credit', words: 'MEVDUAT FAIZI' },
]

/** Shorter texts are part of too many lines. */
const MIN_WORDS = 4
const MAX_WORDS = 100

/** As they are stored. */
export function checkRule(terms: RuleTerms): RuleTerms {
  const words = foldText(terms.words)
  if (words.length < MIN_WORDS || words.length > MAX_WORDS || !/\p{L}/u.test(words))
    throw refuseField('words', 'rule_words_wrong', { least: MIN_WORDS, most: MAX_WORDS })
  if (terms.maxAmount <= 0n) throw refuseField('max', 'term_not_above_zero')
  return { ...terms, words }
}

type Text = Pick<StoredLine, 'direction' | 'collectingAccountId' | 'narrative'>

/** The line as rules read it: its words are folded once, whatever the number of rules. */
export const readable = (line: Text) => {
  const { direction, collectingAccountId, narrative } = line
  return { direction, collectingAccountId, text: ` ${foldText(narrative)} `, isTax: isCalledTax(line) }
}

/** By its words, whatever the amount. What the bank calls a tax is no charge: BSMV FAST MASRAFI is the tax on FAST MASRAFI. */
export const speaksOf = (
  { kind, direction, accountId, words }: RuleTerms,
  line: ReturnType<typeof readable>,
): boolean =>
  line.direction === direction &&
  (accountId === null || line.collectingAccountId === accountId) &&
  line.text.includes(` ${words} `) &&
  (kind === 'bank_tax' || !line.isTax)

type Party = Pick<StoredLine, 'direction' | 'senderIban' | 'senderName' | 'narrative' | 'candidateWithdrawalId'>

/** It shows another party, or may be about a deposit or a payout: never for a rule. */
export function isOfOthers({ direction, senderIban, senderName, narrative, candidateWithdrawalId }: Party): boolean {
  if (senderIban !== null || (direction === 'credit' && senderName.trim() !== '')) return true
  if (candidateWithdrawalId !== null) return true
  return payoutReferences(narrative).length > 0 || findReferenceCodes(narrative).length > 0
}

/** As the matcher left it: what people have decided about, or an entry had, is for people. */
export const isUntouched = ({
  state,
  reason,
  correctsLineId,
}: Pick<StoredLine, 'state' | 'reason' | 'correctsLineId'>) =>
  correctsLineId === null &&
  ((state === 'needs_review' && reason === 'outgoing') || (state === 'suspense' && reason === 'no_reference'))
