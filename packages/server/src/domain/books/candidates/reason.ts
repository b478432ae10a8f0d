/** What speaks for a candidate, or against it. */
export type Reason =
  | { code: 'amount_same' }
  | { code: 'amount_more' | 'amount_less'; difference: bigint; currency: string; than: Compared }
  | { code: SimpleReason }
  | { code: 'matched_as'; as: string | null }
  | { code: 'both_name_payout' | 'merchant_has_money_back'; withdrawalId: string }
  | { code: 'rule_says'; ruleIds: string[] }
  | { code: 'payouts_make_amount' | 'payouts_came_back'; withdrawalIds: string[] }
  | { code: 'makes_amount_with' | 'may_repeat' | 'same_number' | 'paid_before'; lineIds: string[] }

/** Which amount a line is compared with. */
export type Compared = 'deposit' | 'payout' | 'other side' | 'receivable'

export type SimpleReason =
  | 'account_same'
  | 'account_other'
  | 'account_other_of_ours'
  | 'name_same'
  | 'name_other'
  | 'iban_same'
  | 'iban_other'
  | 'iban_of_ours'
  | 'code_same'
  | 'code_on_line'
  | 'codes_on_line'
  | 'given_back'
  | 'deposit_cancelled'
  | 'created_before_payment'
  | 'created_after_payment'
  | 'created_before_line'
  | 'created_after_line'
  | 'left_before'
  | 'left_after'
  | 'line_names_it'
  | 'debit_names_same_payout'
  | 'shows_debit'
  | 'shows_credit'
  | 'not_sent'
  | 'has_debit'
  | 'second_debit_open'
  | 'second_debit_before'
  | 'rest_may_come'
  | 'debited_with_more'
  | 'merchant_charged'
  | 'not_explained'
  | 'tax_of_charge'
  | 'nothing_waits'

/** `points` if it holds. A text that says nothing is null. */
export type Fact = [holds: boolean, points: number, yes: Reason | SimpleReason | null, no: Reason | SimpleReason | null]

export function judged(facts: Fact[], amounts: Reason = { code: 'amount_same' }): { score: number; reasons: Reason[] } {
  return {
    score: facts.reduce((sum, [holds, points]) => sum + (holds ? points : 0), 0),
    reasons: [amounts, ...facts.map(([holds, , yes, no]) => (holds ? yes : no)).flatMap(asReason)],
  }
}

const asReason = (one: Reason | SimpleReason | null): Reason[] =>
  one === null ? [] : [typeof one === 'string' ? { code: one } : one]

export function comparedAmounts(line: { amount: bigint; currency: string }, amount: bigint, than: Compared): Reason {
  const difference = line.amount - amount
  if (difference === 0n) return { code: 'amount_same' }
  const { currency } = line
  return difference > 0n
    ? { code: 'amount_more', difference, currency, than }
    : { code: 'amount_less', difference: -difference, currency, than }
}
