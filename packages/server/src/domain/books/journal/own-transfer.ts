import { ibanProblem, normaliseIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { selectByReferenceCodes } from '../../deposits/index.ts'
import { mayBeCharge } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { refundOf } from './refund-of.ts'
import { entriesAbout } from './store.ts'

type Deps = { db: Queryable; banks: BankDirectory }

/**
 * Why a debit and a credit on another account are not the two sides of one transfer of ours, with what to do instead. Null: they
 * may be. What did not arrive is no more than a charge; neither line shows someone else, or names a payout or a deposit.
 */
export async function notOwnTransfer(deps: Deps, debit: StoredLine, credit: StoredLine): Promise<Refusal | null> {
  const missing = debit.amount - credit.amount
  if (missing < 0n)
    return new Refusal('INVALID_STATE', 'More arrived than left: these are not two sides of one transfer.')
  if (missing > 0n && !mayBeCharge(missing, debit.amount))
    return new Refusal(
      'INVALID_STATE',
      `${formatMoney(missing, debit.currency)} less arrived than left: more than a bank charges for a transfer (5 % and 100,00 TL at most). If the bank says that they are one transfer, the debit is owed to us, the credit settles it, and the rest is written off: ${asOwed(debit, credit)}, then vezne journal propose bank_charge --settles ENTRY`,
    )
  const problem = (await namesTransaction(deps, debit, credit)) ?? (await showsAnother(deps, debit, credit))
  return problem && (await isRefundPaid(deps.db, debit, credit)) ? null : problem
}

const asOwed = (debit: StoredLine, credit: StoredLine) =>
  `vezne journal propose receivable --line ${debit.id}, then vezne journal propose receivable --line ${credit.id} --settles ENTRY`

async function namesTransaction(deps: Deps, debit: StoredLine, credit: StoredLine): Promise<Refusal | null> {
  for (const { id, candidateWithdrawalId: named } of [credit, debit])
    if (named !== null)
      return new Refusal(
        'INVALID_STATE',
        `Line ${id} names withdrawal ${named}: it is no side of a transfer between our accounts. See what it is: vezne line candidates ${id}`,
      )
  const codes = findReferenceCodes(credit.narrative).map(({ code }) => code)
  if (codes.length === 0 || shown(credit) === (await ibanOf(deps, debit))) return null
  const [deposit] = await selectByReferenceCodes(deps.db, codes)
  if (!deposit) return null
  return new Refusal(
    'INVALID_STATE',
    `Line ${credit.id} has the code of deposit ${deposit.id}: it is no side of a transfer between our accounts. See what it is: vezne line candidates ${credit.id}`,
  )
}

/** A complete IBAN that is not that of the other side. */
async function showsAnother(deps: Deps, debit: StoredLine, credit: StoredLine): Promise<Refusal | null> {
  for (const [line, other] of [
    [credit, debit],
    [debit, credit],
  ] as const) {
    const iban = shown(line)
    if (ibanProblem(iban) === null && iban !== (await ibanOf(deps, other)))
      return new Refusal(
        'INVALID_STATE',
        `Line ${line.id} shows another IBAN than that of our account of line ${other.id}: these are not two sides of one transfer. See what it is: vezne line candidates ${line.id}. If the bank says that they are one transfer, the debit is owed to us, and the credit settles it: ${asOwed(debit, credit)}`,
      )
  }
  return null
}

const shown = ({ senderIban }: StoredLine) => normaliseIban(senderIban ?? '')

const ibanOf = async ({ banks }: Deps, { collectingAccountId }: StoredLine) =>
  (await banks.account(collectingAccountId))?.iban

/** The debit paid an earlier refund of the credit, which had ended as not paid, from another of our accounts. */
async function isRefundPaid(db: Queryable, debit: StoredLine, credit: StoredLine): Promise<boolean> {
  const refunds = (await entriesAbout(db, credit.id)).filter(
    ({ kind, state }) => kind === 'refund_unexplained' && state === 'posted',
  )
  const ids = (await Promise.all(refunds.map(({ id }) => refundOf(db, id)))).map((one) => one?.id)
  const { candidateWithdrawalId: named } = debit
  return ids.length > 0 && (named === null || ids.includes(named))
}
