import { invalidField } from '../../platform/refusal.ts'

/** Neither invisible, nor turning the text around it. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** An IBAN in any spelling, or so many digits that customers would take them for an account. Phone numbers are shorter. */
const ACCOUNT_NUMBER = /TR[^\p{L}\p{N}]*(?:\p{Nd}[^\p{L}\p{N}]*){14}|(?:\p{Nd}[^\p{L}\p{N}]*){20}/iu

/** What a merchant writes on the payment page, beside the account that customers pay to. */
export function mustBeShowable(field: string, text: string): void {
  if (HIDDEN.test(text))
    throw invalidField(field, 'must not contain invisible characters, or such as change the direction of the text')
  if (ACCOUNT_NUMBER.test(text.normalize('NFKC')))
    throw invalidField(field, 'must not contain an IBAN or account number: customers could pay to it')
}
