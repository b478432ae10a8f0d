import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JOURNAL_KINDS } from './journal-entry.ts'
import { formAbout, formName, formOf, PROPOSAL_FORMS } from './proposal-forms.ts'
import { propose } from './propose-step.ts'

test('every kind has a form, and every form a name of its own', () => {
  assert.deepEqual([...new Set(PROPOSAL_FORMS.map(({ kind }) => kind))].toSorted(), [...JOURNAL_KINDS].toSorted())
  const names = PROPOSAL_FORMS.map(formName)
  assert.deepEqual(names, [...new Set(names)])
})

test('a step finds the form with exactly what it says and lacks', () => {
  const found: [string, ReturnType<typeof propose>][] = [
    ['bank_charge', propose('bank_charge', ['a'])],
    ['bank_charge.with_tax', propose('bank_charge', ['a', 'b'])],
    ['bank_charge.of_payout', propose('bank_charge', ['a'], { withdrawalId: 'w' })],
    ['bank_charge.written_off', propose('bank_charge', [], { settles: 'e' })],
    ['receivable', propose('receivable', ['a'])],
    ['receivable.of_payout', propose('receivable', ['a'], { withdrawalId: 'w' })],
    ['receivable.settled', propose('receivable', ['a'], { settles: 'e' })],
    ['receivable.settled_by_rest', propose('receivable', [], { restOf: 'r', settles: 'e' })],
    ['receivable.refunded_before', propose('receivable', [], { depositId: 'd' }, ['settles'])],
    ['refund_unexplained', propose('refund_unexplained', ['a'], {}, ['iban'])],
    ['payout_return.with_costs', propose('payout_return', ['a'], { withdrawalId: 'w' }, ['costs'])],
    ['payout_debit', propose('payout_debit', ['a'], { withdrawalId: 'w' }, ['line'])],
    ['payout_return', propose('payout_return', ['a', 'b'], { withdrawalId: 'w' })],
    ['payout_return.with_owed', propose('payout_return', ['a'], { withdrawalId: 'w', settles: 'e' })],
    ['payout_return.with_charge', propose('payout_return', ['a'], { withdrawalId: 'w', charge: { amount: 500n } })],
    ['storno', propose('storno', ['a', 'b'])],
    ['own_transfer', propose('own_transfer', ['a', 'b'])],
    ['deposit_payment', propose('deposit_payment', ['a'], { depositId: 'd' })],
  ]
  for (const [name, step] of found) assert.equal(formName(formOf(step)), name)
})

test('what the line does not show must be said', () => {
  const refund = formOf(propose('refund_unexplained', ['a']))
  const needs = (senderIban: string | null, senderName: string) => formAbout(refund, { senderIban, senderName }).needs
  assert.deepEqual(needs('TR62', 'Veli Can'), [])
  assert.deepEqual(needs(null, ' '), ['iban', 'name'])
})
