import type { JournalKind, ProposalField, ProposalForm, ProposeStep, Terms } from '../../../domain/books/index.ts'
import { formName, formOf, PROPOSAL_FORMS } from '../../../domain/books/index.ts'
import { isDay } from '../../../kernel/istanbul.ts'
import { formatMoney, readMoney } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { DeskWords } from './words.ts'

export const ID = /^[0-9a-f]{24}$/
/** Rows of a split; more orders are hardly paid by one transfer. */
export const MAX_PARTS = 12

export type Said = { kind: JournalKind; terms: Terms; reverses?: string }

export const formNamed = (name: string) => PROPOSAL_FORMS.find((form) => formName(form) === name)

export const fieldsOf = ({ needs, takes }: ProposalForm): ProposalField[] => [...needs, ...takes]

/** A step as the fields of its form. */
export function valuesOf(step: ProposeStep): Record<string, string> {
  const { lineIds, depositId, withdrawalId, withdrawalIds, notPayouts, charge, rest, settles, restOf } = step.terms
  const given = {
    ...{ lines: lineIds.slice(1).join(' '), deposit: depositId, withdrawal: withdrawalId, settles, restOf },
    ...{ withdrawals: withdrawalIds?.join(' '), notPayout: notPayouts?.join(' ') },
    charge: charge && formatMoney(charge.amount).replace(' TL', ''),
    rest: rest && formatMoney(rest.amount).replace(' TL', ''),
    reverses: step.reverses,
  }
  const said = Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined && one[1] !== '')
  return { entry: formName(formOf(step)), ...Object.fromEntries(said) }
}

/** Whether everything that the form needs is there. */
export function isComplete({ needs }: ProposalForm, values: URLSearchParams): boolean {
  return needs.every((field) => values.getAll(field === 'parts' ? 'part' : field).some((value) => value.trim() !== ''))
}

/** What a person says with a form. */
export function readProposal(words: DeskWords, form: ProposalForm, lineId: string, values: URLSearchParams): Said {
  const missing = form.needs.find((field) => !isComplete({ ...form, needs: [field] }, values))
  if (missing) throw refused(words.fieldMissing(words.inputs[missing]))
  const read = reader(words, values)
  const terms: Partial<Terms> = Object.assign({}, ...fieldsOf(form).map((field) => TERM[field](read)))
  const lineIds = [...(form.line === null ? [] : [lineId]), ...(terms.lineIds ?? [])]
  const { kind } = form
  return { kind, terms: { ...terms, lineIds }, ...(kind === 'reversal' && { reverses: read.id('reverses') ?? '' }) }
}

/** What is written in a field, or ticked. */
export const wordsOf = (values: URLSearchParams, field: string) =>
  [...new Set(values.getAll(field).flatMap((text) => text.split(/[\s,;]+/)))].filter((word) => word !== '')

type Reader = ReturnType<typeof reader>

function reader({ inputs, badId, badMoney, fieldMissing }: DeskWords, values: URLSearchParams) {
  const text = (name: string) => values.get(name)?.trim() || undefined
  const checkedId = (field: keyof typeof inputs, value: string) => {
    if (!ID.test(value)) throw refused(badId(inputs[field]))
    return value
  }
  const checkedMoney = (field: keyof typeof inputs, value: string) => {
    const amount = readMoney(value)
    if (amount === null) throw refused(badMoney(inputs[field]))
    return amount
  }
  const given = <Value>(field: ProposalField, read: (field: ProposalField, value: string) => Value) => {
    const value = text(field)
    return value === undefined ? undefined : read(field, value)
  }
  const parts = () => {
    const [ids, amounts] = [values.getAll('part'), values.getAll('partAmount')].map((all) =>
      all.map((one) => one.trim()),
    )
    return (ids ?? []).slice(0, MAX_PARTS).flatMap((id, at) => {
      const amount = amounts?.[at] ?? ''
      if (id === '' && amount === '') return []
      if (id === '' || amount === '') throw refused(fieldMissing(id === '' ? inputs.part : inputs.partAmount))
      return [{ depositId: checkedId('part', id), amount: checkedMoney('partAmount', amount) }]
    })
  }
  return {
    text,
    parts,
    id: (field: ProposalField) => given(field, checkedId),
    money: (field: ProposalField) => given(field, checkedMoney),
    ids: (field: ProposalField) => wordsOf(values, field).map((id) => checkedId(field, id)),
  }
}

const asked = <Key extends keyof Terms>(key: Key, value: Terms[Key] | undefined): Partial<Terms> =>
  value === undefined ? {} : { [key]: value }

const oneOf = <Value extends string>(value: string | undefined, ...all: Value[]) => all.find((one) => one === value)

const TERM: Record<ProposalField, (read: Reader) => Partial<Terms>> = {
  lines: ({ ids }) => ({ lineIds: ids('lines') }),
  deposit: ({ id }) => asked('depositId', id('deposit')),
  parts: ({ parts }) => ({ parts: parts() }),
  rest: ({ money }) => {
    const amount = money('rest')
    return amount === undefined ? {} : { rest: { amount } }
  },
  charge: ({ money }) => {
    const amount = money('charge')
    return amount === undefined ? {} : { charge: { amount } }
  },
  restOf: ({ id }) => asked('restOf', id('restOf')),
  to: ({ text }) => asked('to', oneOf(text('to'), 'failed', 'processing')),
  withdrawal: ({ id }) => asked('withdrawalId', id('withdrawal')),
  withdrawals: ({ ids }) => ({ withdrawalIds: ids('withdrawals') }),
  notPayout: ({ ids }) => {
    const all = ids('notPayout')
    return all.length === 0 ? {} : { notPayouts: all }
  },
  settles: ({ id }) => asked('settles', id('settles')),
  costs: ({ text }) => asked('costsBy', oneOf(text('costs'), 'merchant', 'operator')),
  iban: ({ text }) => asked('iban', text('iban')),
  name: ({ text }) => asked('name', text('name')),
  account: ({ id }) => asked('accountId', id('account')),
  amount: ({ money }) => asked('amount', money('amount')),
  day: ({ text }) => asked('day', isDay(text('day') ?? '') ? text('day') : undefined),
  reverses: () => ({}),
}

function refused(message: string): Refusal {
  return new Refusal('VALIDATION_ERROR', message)
}
