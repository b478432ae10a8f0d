import { refuseField } from '../../../kernel/refusals/refuse.ts'
import type { JournalKind, Terms } from './journal-entry.ts'
import type { ProposeStep } from './propose-step.ts'

/** Something that a person says with a proposal. `lines`: further ones. */
export type ProposalField =
  | 'lines'
  | 'deposit'
  | 'parts'
  | 'rest'
  | 'restOf'
  | 'to'
  | 'withdrawal'
  | 'withdrawals'
  | 'charge'
  | 'notPayout'
  | 'settles'
  | 'costs'
  | 'iban'
  | 'name'
  | 'account'
  | 'amount'
  | 'day'
  | 'reverses'

/** What a proposal is made with. One kind may have several forms: they are about different money. */
export type ProposalForm = {
  kind: JournalKind
  /** Null for the form that the kind is known for. */
  variant: string | null
  /** The direction of the line that it begins with; null: it has no line. */
  line: 'credit' | 'debit' | 'any' | null
  needs: readonly ProposalField[]
  takes: readonly ProposalField[]
}

function form(kind: JournalKind, line: ProposalForm['line'], needs: ProposalField[], takes: ProposalField[] = []) {
  // A debit may look like that of a payout which it is not.
  const more: ProposalField[] = line === 'debit' || line === 'any' ? [...takes, 'notPayout'] : takes
  const variant: string | null = null
  return { kind, variant, line, needs, takes: more }
}

/** The one list of what each kind needs and takes; the plans check what is said. */
export const PROPOSAL_FORMS: readonly ProposalForm[] = [
  form('own_transfer', 'any', ['lines']),
  form('bank_charge', 'any', []),
  { ...form('bank_charge', 'debit', ['lines']), variant: 'with_tax' },
  { ...form('bank_charge', 'debit', ['withdrawal'], ['lines']), variant: 'of_payout' },
  { ...form('bank_charge', null, ['settles']), variant: 'written_off' },
  form('bank_tax', 'any', []),
  form('interest', 'any', []),
  form('receivable', 'debit', [], ['lines']),
  { ...form('receivable', 'debit', ['withdrawal'], ['lines']), variant: 'of_payout' },
  { ...form('receivable', 'credit', ['settles'], ['rest']), variant: 'settled' },
  { ...form('receivable', null, ['restOf', 'settles']), variant: 'settled_by_rest' },
  { ...form('receivable', null, ['settles', 'withdrawal']), variant: 'paid_after_all' },
  { ...form('receivable', null, ['settles', 'deposit']), variant: 'refunded_before' },
  form('fee_withdrawal', 'debit', []),
  form('refund_unexplained', 'credit', [], ['iban', 'name', 'notPayout']),
  { ...form('refund_unexplained', null, ['restOf'], ['iban', 'name']), variant: 'of_rest' },
  form('payout_return', 'credit', ['withdrawal'], ['lines']),
  { ...form('payout_return', 'credit', ['withdrawal', 'costs'], ['lines']), variant: 'with_costs' },
  { ...form('payout_return', 'credit', ['withdrawal', 'settles']), variant: 'with_owed' },
  { ...form('payout_return', 'credit', ['withdrawal', 'charge']), variant: 'with_charge' },
  { ...form('payout_return', 'credit', ['withdrawal', 'rest'], ['settles', 'charge']), variant: 'with_rest' },
  { ...form('payout_return', 'credit', ['withdrawals'], ['settles', 'charge', 'rest']), variant: 'of_several' },
  form('payout_debit', 'debit', ['lines', 'withdrawal']),
  { ...form('payout_debit', 'debit', ['withdrawals'], ['charge']), variant: 'of_several' },
  form('storno', 'any', ['lines']),
  form('own_funds', 'any', []),
  form('opening_balance', null, ['account', 'amount', 'day']),
  form('unmatch', null, ['deposit', 'to']),
  { ...form('unmatch', null, ['withdrawal']), variant: 'of_return' },
  form('deposit_payment', 'credit', ['deposit']),
  { ...form('deposit_payment', 'credit', ['parts'], ['rest']), variant: 'over_several' },
  form('reversal', null, ['reverses'], ['to']),
]

/** As addresses and forms name it. */
export const formName = ({ kind, variant }: Pick<ProposalForm, 'kind' | 'variant'>) =>
  variant === null ? kind : `${kind}.${variant}`

/** What the line does not show must be said. */
export function formAbout(form: ProposalForm, line: { senderIban: string | null; senderName: string }): ProposalForm {
  const isMissing = (field: ProposalField) =>
    (field === 'iban' && line.senderIban === null) || (field === 'name' && line.senderName.trim() === '')
  const asked = form.takes.filter(isMissing)
  return { ...form, needs: [...form.needs, ...asked], takes: form.takes.filter((field) => !isMissing(field)) }
}

const OF_TERM: Partial<Record<keyof Terms, ProposalField>> = {
  to: 'to',
  costsBy: 'costs',
  iban: 'iban',
  name: 'name',
  accountId: 'account',
  amount: 'amount',
  day: 'day',
  depositId: 'deposit',
  parts: 'parts',
  withdrawalId: 'withdrawal',
  withdrawalIds: 'withdrawals',
  charge: 'charge',
  rest: 'rest',
  notPayouts: 'notPayout',
  settles: 'settles',
  restOf: 'restOf',
}

const ASKED: Record<ProposeStep['missing'][number], ProposalField> = {
  line: 'lines',
  withdrawal: 'withdrawals',
  iban: 'iban',
  costs: 'costs',
  settles: 'settles',
}

/** Refuses what no form of the kind takes: stored, it would be read as a fact. */
export function mustTakeTerms(kind: JournalKind, terms: Terms): void {
  const forms = PROPOSAL_FORMS.filter((one) => one.kind === kind)
  const taken = new Set(forms.flatMap(({ needs, takes }) => [...needs, ...takes]))
  for (const [term, field] of Object.entries(OF_TERM)) {
    const given = terms[term as keyof Terms]
    const isGiven = given !== undefined && !(Array.isArray(given) && given.length === 0)
    if (isGiven && !taken.has(field)) throw refuseField(field, 'term_not_of_kind', { kind })
  }
}

/** The form that a step is said with. */
export function formOf({ kind, terms, missing, reverses }: ProposeStep): ProposalForm {
  const given = new Set<ProposalField>(missing.map((one) => ASKED[one]))
  if (reverses !== undefined) given.add('reverses')
  for (const [term, field] of Object.entries(OF_TERM)) if (terms[term as keyof Terms] !== undefined) given.add(field)
  if (terms.lineIds.length > 1) given.add('lines')
  const hasLine = terms.lineIds.length > 0
  const fitting = PROPOSAL_FORMS.filter(
    (one) =>
      one.kind === kind &&
      (one.line !== null) === hasLine &&
      one.needs.every((field) => given.has(field)) &&
      [...given].every((field) => [...one.needs, ...one.takes].includes(field)),
  )
  const [form] = fitting.toSorted((a, b) => b.needs.length - a.needs.length)
  if (!form) throw new Error(`No form of ${kind} takes ${[...given].join(', ')}.`)
  return form
}
