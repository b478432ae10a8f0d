import { foldText } from '../../../kernel/fold.ts'
import { haveOtherIbans, sameParty, senderOf } from '../../../kernel/party.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { findDepositById } from '../../deposits/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences, selectLinesById } from '../../statements/index.ts'
import type { Charge } from './charges.ts'
import { openCharges } from './charges.ts'
import { givableOf } from './plan-given-back.ts'
import type { Receivable } from './receivables.ts'
import { allReceivables } from './receivables.ts'

/** Shorter texts and bank references are found in any text. */
const MIN_REFERENCE = 5
const MIN_TEXT = 8

/**
 * A charge that a credit may give back. `isNamed`: the credit names its withdrawal or deposit. `isSure`: a customer may pay a
 * deposit again, so only what was charged, to the kuruş, is surely given back.
 */
export type ChargeForCredit = Charge & { receivable: Receivable; isNamed: boolean; isSure: boolean }

/** Of one withdrawal or deposit, the one whose receivable has most to give. */
export async function chargesForCredit(db: Queryable, line: StoredLine): Promise<ChargeForCredit[]> {
  const charges = await openCharges(db)
  if (charges.length === 0) return []
  const receivables = new Map((await allReceivables(db)).map((one) => [one.entryId, one]))
  const found = new Map<string, ChargeForCredit>()
  for (const charge of charges) {
    const receivable = receivables.get(charge.settles)
    if (!receivable || charge.account.currency !== line.currency || line.amount > givableOf(charge, receivable))
      continue
    const one = await judge(db, line, charge, receivable)
    const matter = charge.withdrawalId ?? charge.depositId ?? ''
    const before = found.get(matter)
    if (one && (!before || givableOf(one, receivable) > givableOf(before, before.receivable))) found.set(matter, one)
  }
  return [...found.values()]
}

async function judge(
  db: Queryable,
  line: StoredLine,
  charge: Charge,
  receivable: Receivable,
): Promise<ChargeForCredit | null> {
  const isNamed = await namesIt(db, line, charge)
  const isWhole = line.amount === charge.left || line.amount === receivable.amount
  const one = { ...charge, receivable, isNamed, isSure: charge.depositId === null || isWhole }
  if (isNamed) return one
  if (receivable.account.subject !== line.collectingAccountId) return null
  const [debit] = await selectLinesById(db, [receivable.lineId])
  const isAll = isWhole && (!debit || mayGiveBack(line, debit))
  return isAll || (debit && showsDebit(line, debit)) ? one : null
}

async function namesIt(db: Queryable, line: StoredLine, { withdrawalId, depositId }: Charge): Promise<boolean> {
  if (depositId === null) return withdrawalId === line.candidateWithdrawalId
  if (payoutReferences(line.narrative).includes(depositId)) return true
  const codes = findReferenceCodes(line.narrative).map(({ code }) => code)
  return codes.includes((await findDepositById(db, depositId))?.referenceCode ?? '')
}

/** The amount alone says nothing of a credit whose sender is surely another. */
export function mayGiveBack(line: StoredLine, debit: StoredLine): boolean {
  return !haveOtherIbans(senderOf(line), senderOf(debit))
}

/** Number, sender or text of the credit show the debit that it gives back. */
export function showsDebit(line: StoredLine, debit: StoredLine): boolean {
  const [text, number] = [foldText(line.narrative), foldText(debit.bankReference ?? '')]
  if (number.length >= MIN_REFERENCE && text.includes(number)) return true
  if (sameParty(senderOf(line), senderOf(debit))) return true
  const written = foldText(debit.narrative)
  const isText = (text !== '' && text === written) || (written.length >= MIN_TEXT && text.includes(written))
  return isText && mayGiveBack(line, debit)
}
