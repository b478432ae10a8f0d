import { ibanProblem, normaliseIban } from '../../../kernel/iban.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { selectByReferenceCodes } from '../../deposits/index.ts'
import { mayBeCharge } from '../../withdrawals/index.ts'
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
  if (missing < 0n) return refuse('transfer_more_arrived')
  if (missing > 0n && !mayBeCharge(missing, debit.amount))
    return refuse('transfer_less_arrived', {
      missing: money(missing, debit.currency),
      debit: debit.id,
      credit: credit.id,
    })
  const problem = (await namesTransaction(deps, debit, credit)) ?? (await showsAnother(deps, debit, credit))
  return problem && (await isRefundPaid(deps.db, debit, credit)) ? null : problem
}

async function namesTransaction(deps: Deps, debit: StoredLine, credit: StoredLine): Promise<Refusal | null> {
  for (const { id, candidateWithdrawalId: named } of [credit, debit])
    if (named !== null) return refuse('transfer_line_names_withdrawal', { line: id, withdrawal: named })
  const codes = findReferenceCodes(credit.narrative).map(({ code }) => code)
  if (codes.length === 0 || shown(credit) === (await ibanOf(deps, debit))) return null
  const [deposit] = await selectByReferenceCodes(deps.db, codes)
  return deposit ? refuse('transfer_line_has_code', { line: credit.id, deposit: deposit.id }) : null
}

/** A complete IBAN that is not that of the other side. */
async function showsAnother(deps: Deps, debit: StoredLine, credit: StoredLine): Promise<Refusal | null> {
  for (const [line, other] of [
    [credit, debit],
    [debit, credit],
  ] as const) {
    const iban = shown(line)
    if (ibanProblem(iban) === null && iban !== (await ibanOf(deps, other))) {
      const sides = { debit: debit.id, credit: credit.id }
      return refuse('transfer_line_other_iban', { line: line.id, other: other.id, ...sides })
    }
  }
  return null
}

const shown = ({ senderIban }: StoredLine) => normaliseIban(senderIban ?? '')

const ibanOf = async ({ banks }: Deps, { collectingAccountId }: StoredLine) =>
  (await banks.account(collectingAccountId))?.iban

/** The debit paid an earlier refund of the credit, which had ended as not paid, from another of our accounts. */
async function isRefundPaid(db: Queryable, debit: StoredLine, credit: StoredLine): Promise<boolean> {
  const refunds = (await entriesAbout(db, credit.id)).filter(({ kind }) => kind === 'refund_unexplained')
  const ids = (await Promise.all(refunds.map(({ id }) => refundOf(db, id)))).map((one) => one?.id)
  const { candidateWithdrawalId: named } = debit
  return ids.length > 0 && (named === null || ids.includes(named))
}
