import type { Tx } from '../../../platform/postgres/db.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import { merchantAccount, NO_MERCHANT, suspenseOf } from '../../ledger/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesById, senderOfLine, waitingCorrections } from '../../statements/index.ts'
import { checkIban, checkReach } from '../../withdrawals/index.ts'
import type { Draft, Planner } from './plan.ts'
import { journalEntry, lockTheLines, mustBeCredit, onlyOne } from './plan.ts'
import { lockRest } from './rests.ts'
import { mustNotBeSentBack } from './payouts-sent-back.ts'
import { mustNotBeRefunded } from './refunded-before.ts'
import { mustNotBeReturn } from './refund-of-return.ts'
import { mustHaveCome } from './unconfirmed-money.ts'

/** The money becomes a withdrawal of the house merchant to its sender. */
export const planRefund: Planner = async (app, tx, draft) => {
  const { line, amount, rest } = await lockUnexplained(tx, draft)
  await mustNotBeRefunded(tx, line, draft.terms.restOf)
  await mustNotBeReturn(tx, line, draft.terms.restOf)
  if (!rest) await mustNotBeSentBack(tx, line, draft.terms.notPayouts)
  await mustNotBeCorrected(tx, line)
  const sender = await senderOfLine(app, tx, line)
  const iban = normaliseIban(draft.terms.iban ?? sender.senderIban ?? '')
  if (iban === '') throw refuseField('iban', 'sender_not_on_line')
  checkIban(iban, undefined)
  checkReach(iban, line.currency, await app.banks.accounts())
  const accountName = (draft.terms.name ?? sender.senderName).trim()
  if (accountName === '') throw refuseField('name', 'sender_not_on_line')
  const { currency } = line
  const house = merchantAccount('merchant_available', NO_MERCHANT, currency)
  return {
    entries: [journalEntry('journal_refund', draft, [{ from: suspenseOf(line), to: house, amount }])],
    lines: rest ? [] : [{ line, becomes: 'journal' }],
    deposits: [],
    refund: { processId: draft.id, amount, currency, iban, accountName },
    isToAnother: draft.terms.iban !== undefined || !sender.isNamed,
  }
}

/** The bank may have taken the money back, or given another amount. */
async function mustNotBeCorrected(tx: Tx, { id }: StoredLine): Promise<void> {
  const [correction] = await waitingCorrections(tx, [id])
  if (correction) throw refuse('line_may_be_corrected', { line: id, correction: correction.id })
}

/** The line, or what a split has left of it. */
async function lockUnexplained(tx: Tx, { terms: { lineIds, restOf } }: Draft) {
  if (restOf === undefined) {
    // Before the lock: whoever holds imports may wait for the line.
    for (const line of await selectLinesById(tx, lineIds)) await mustHaveCome(tx, line)
    const line = mustBeCredit(onlyOne(await lockTheLines(tx, { lineIds })))
    return { line, amount: line.amount, rest: false }
  }
  const rest = await lockRest(tx, { restOf, lineIds })
  await mustHaveCome(tx, rest.line, restOf)
  return { ...rest, rest: true }
}
