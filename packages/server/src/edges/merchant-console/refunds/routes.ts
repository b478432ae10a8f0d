import { findDeposit } from '../../../domain/deposits/index.ts'
import { makeRefund } from '../../../domain/withdrawals/index.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { readTyped } from '../../../kernel/money.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import { invalidField } from '../../../platform/refusal.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { field, idFrom, own } from '../kind.ts'
import { REFUND_WORDS } from './words.ts'

/** The card of the form is on the page of the transaction. */
export const REFUNDS: Section = {
  views: [],
  forms: [{ path: '/transactions/:id/refund', action: 'refund.make', back: '/transactions/:id', decide: refund }],
  said: { tr: REFUND_WORDS.tr.said, en: REFUND_WORDS.en.said },
}

async function refund(app: MerchantDeps, asked: Asked): Promise<string | null> {
  const merchantId = own(asked)
  if (!(await findDeposit(app.db, merchantId, asked.id))) return null
  const amount = readTyped(field(asked, 'amount'))
  const { amount: label } = asked.viewer.words
  if (amount === null || amount < 1n) throw invalidField(label, REFUND_WORDS[asked.viewer.language].wrongAmount)
  const [reason, iban, accountName] = [
    field(asked, 'reason'),
    normaliseIban(field(asked, 'iban')),
    field(asked, 'name'),
  ]
  const formId = idFrom(field(asked, 'id'))
  if (formId === undefined) throw refuseField('id', 'form_id_malformed')
  await makeRefund(app, asked.actor, merchantId, asked.id, {
    processId: `refund-${formId}`,
    amount,
    besidesDuplicate: field(asked, 'besides') === 'yes',
    ...(reason !== '' && { reason: reason.slice(0, 200) }),
    ...(iban !== '' && { iban }),
    ...(accountName !== '' && { accountName }),
  })
  return 'refund_made'
}
