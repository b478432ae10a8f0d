import type {
  LineCandidate,
  NextStep,
  ProposeStep,
  Reason,
  SimpleReason,
  StepReason,
} from '../../../domain/books/index.ts'
import { helpOf, say } from '../../../acts/refusals/say.ts'
import { formatMoney } from '../../../kernel/money.ts'

/** A candidate in the words of the command line: `next` is a command that is accepted. */
export function inWords({ facts: _facts, reasons, next, ...candidate }: LineCandidate) {
  const codes = new Set(reasons.map(({ code }) => code))
  // A third party's money takes a reason, and another amount than was asked for its figure.
  const why = next.do === 'match' && codes.has('name_other') ? ' --why TEXT' : ''
  const differs = codes.has('amount_more') || codes.has('amount_less')
  const received = next.do === 'match' && differs ? ' --received KURUS' : ''
  return { ...candidate, reasons: reasons.map(reasonText), next: stepText(next) + why + received }
}

const BECAUSE: Record<StepReason, string> = {
  refund_paid: 'its refund was paid: ',
  part_taken_back: 'a part of the payment was taken back: ',
  part_of_unexplained: 'the bank took a part of the credit back: ',
  refund_is_sent: 'its refund is being sent, wait for the outcome: ',
  refund_first: 'stop the refund of its deposit first: ',
  no_credit_covers_it: 'ask the bank; what will not come back: ',
  explain_first: 'explain first: ',
  debit_first: 'the bank debited the payout with more; book that debit first: ',
  ask_bank: 'ask the bank; if it counts only the later line: ',
  not_shown:
    'not confirmed: no final statement contains it; import that, or ask the bank; if it does not know the booking: ',
  split_first: 'the payment was split over several deposits, which lose it: ',
  takes_no_more: 'the deposit has ended and takes no more money: ',
  storno_cancelled: 'the bank took the payment of this deposit back, and this may give it back: ',
  second_debit_first:
    'the payout was debited again, and this may give that back; ask the bank, and book that debit first: ',
}

export function stepText(step: NextStep): string {
  return (step.because === undefined ? '' : BECAUSE[step.because]) + commandOf(step)
}

/** The command of a step. What a person must still say is in capitals. */
function commandOf(step: NextStep): string {
  switch (step.do) {
    case 'match':
      return `vezne line match ${step.lineId} ${step.depositId}`
    case 'suspend':
    case 'dismiss':
      return `vezne line ${step.do} ${step.lineId}`
    case 'correction':
      return step.found === undefined
        ? ['--new-money', '--same-money', '--replaces']
            .map((said) => `vezne line correction ${step.lineId} ${said}`)
            .join(', or ')
        : `vezne line correction ${step.lineId} --same-money`
    case 'sent':
    case 'return':
      return `vezne line ${step.do} ${step.lineId} --withdrawal ${step.withdrawalId}`
    case 'propose':
      return step.afterwards ? `${proposal(step)}, then ${stepText(step.afterwards)}` : proposal(step)
    case 'look':
      return `vezne withdrawal show ${step.withdrawalId}`
    case 'explain':
      return typeof step.sign === 'string' ? step.sign : [say('en', step.sign), ...helpOf('cli', step.sign)].join(': ')
    case 'resolve':
      return ['--found REFERENCE', '--not-found EVIDENCE']
        .map((said) => `vezne withdrawal resolve ${step.withdrawalId} ${said}`)
        .join(', or ')
    default:
      return `vezne withdrawal ${step.do} ${step.withdrawalId}`
  }
}

function proposal({ kind, terms, missing, reverses }: ProposeStep): string {
  if (reverses !== undefined) return `vezne journal reverse ${reverses}`
  const {
    lineIds,
    parts = [],
    restOf,
    charge,
    rest,
    settles,
    depositId,
    withdrawalId,
    withdrawalIds = [],
    notPayouts = [],
  } = terms
  const given = (option: string, value: string | undefined) => (value === undefined ? [] : [`${option} ${value}`])
  const asked = (name: (typeof missing)[number], option: string) => (missing.includes(name) ? [option] : [])
  return [
    `vezne journal propose ${kind}`,
    ...lineIds.map((id) => `--line ${id}`),
    ...asked('line', '--line REST'),
    ...parts.map(({ depositId: id, amount }) => `--part ${id}=${amount}`),
    ...given('--rest-of', restOf),
    ...given('--settles', settles),
    ...asked('settles', '--settles ENTRY'),
    ...given('--deposit', depositId),
    ...given('--withdrawal', withdrawalId),
    ...withdrawalIds.map((id) => `--withdrawal ${id}`),
    ...asked('withdrawal', '--withdrawal OTHER'),
    ...given('--charge', charge?.amount.toString()),
    ...given('--rest', rest?.amount.toString()),
    ...notPayouts.map((id) => `--not-payout ${id}`),
    ...asked('costs', '--costs WHO'),
    ...asked('iban', '--iban IBAN'),
  ].join(' ')
}

const SIMPLE: Record<SimpleReason, string> = {
  nothing_waits: 'nothing that we know of waits for it',
  account_same: 'same account',
  account_other: 'another account',
  account_other_of_ours: 'another of our accounts',
  name_same: 'same name',
  name_other: 'another name',
  iban_same: 'same IBAN',
  iban_other: 'another IBAN',
  iban_of_ours: 'the IBAN of our other account is on it',
  code_same: 'both have the code of one deposit',
  code_on_line: 'the line has its code',
  codes_on_line: 'the line has the codes of several deposits',
  given_back: 'came after it: the bank may have given the debit back',
  deposit_cancelled: 'the deposit is cancelled',
  created_before_payment: 'created before the payment',
  created_after_payment: 'created after the payment',
  created_before_line: 'created before the line',
  created_after_line: 'created after the line',
  left_before: 'left before it came',
  left_after: 'left after it came',
  line_names_it: 'the line names it',
  debit_names_same_payout: 'its debit names the same payout',
  shows_debit: 'text, number or sender of its debit',
  shows_credit: 'the debit has the IBAN or the number of the credit',
  not_sent: 'it was not sent',
  has_debit: 'it has its debit already',
  second_debit_open: 'a further debit of it is not explained',
  second_debit_before: 'a second debit of it was not explained, or owed, when this came',
  rest_may_come: 'the rest may come in a later line',
  debited_with_more: 'the bank had debited more than the payout',
  merchant_charged: 'its merchant was charged for it',
  not_explained: 'not explained yet',
  tax_of_charge: 'one is 5% of the other: a charge and its tax',
}

function reasonText(reason: Reason): string {
  switch (reason.code) {
    case 'amount_same':
      return 'same amount'
    case 'amount_more':
    case 'amount_less': {
      const words = reason.code === 'amount_more' ? 'more' : 'less'
      return `${formatMoney(reason.difference, reason.currency)} ${words} than the ${reason.than}`
    }
    case 'matched_as':
      return `matched (${reason.as})`
    case 'both_name_payout':
      return `both name payout ${reason.withdrawalId}`
    case 'merchant_has_money_back':
      return `its merchant has the money back: if the recipient has it too, book this as owed and then take it from the merchant's balance (vezne journal propose receivable --settles ENTRY --withdrawal ${reason.withdrawalId})`
    case 'makes_amount_with':
      return `makes its amount with ${reason.lineIds.join(', ')}`
    case 'same_number':
      return `same number as debit ${reason.lineIds.join(', ')}: the bank corrects one line by the other`
    case 'rule_says':
      return `line rule ${reason.ruleIds.join(', ')} says so`
    case 'payouts_make_amount':
      return `pays payouts ${reason.withdrawalIds.join(', ')} together`
    case 'payouts_came_back':
      return `gives payouts ${reason.withdrawalIds.join(', ')} back together`
    case 'may_repeat':
      return `may be its debit ${reason.lineIds.join(', ')}, which the bank booked again under another date`
    case 'paid_before':
      return `may be a second payment: the same sender paid it with line ${reason.lineIds.join(', ')}`
    default:
      return SIMPLE[reason.code]
  }
}
