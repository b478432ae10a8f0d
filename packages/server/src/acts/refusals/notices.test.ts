import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../../kernel/refusals/facts.ts'
import { note } from '../../kernel/refusals/note.ts'
import { NOTICES_SENTENCES } from './notices.ts'
import { noticeForTerminal, say } from './say.ts'

test('no sentence names a command or an option: those are for the terminal', () => {
  const all = Object.entries(NOTICES_SENTENCES)
  assert.ok(all.length > 150, `${all.length} notices`)
  for (const [why, { en, tr }] of all)
    for (const text of [en, tr]) assert.doesNotMatch(String(text), /\bvezne [a-z]|(?:^|[\s(])--[a-z]/, why)
  assert.deepEqual(noticeForTerminal(note('todo_bank', { connection: 'ziraat' })), [
    'Test the connection.',
    '  vezne connection test ziraat',
  ])
})

test('a list of unexplained lines has no English word', () => {
  const line = (id: string, direction: 'credit' | 'debit', amount: bigint, days: number) =>
    note('check_line_of_days', { line: id, direction, amount: money(amount), days })
  const lines = [line('a1', 'debit', 251n, 5), line('b2', 'credit', 100_000n, 12)]
  const words = 'a1 (giden 2,51 TL, 5 günlük), b2 (gelen 1.000,00 TL, 12 günlük)'
  assert.equal(say('tr', note('check_lines_at_least', { lines, more: 0 })), words)
  assert.equal(say('tr', note('check_lines_at_least', { lines, more: 3 })), `${words} ve en az 3 satır daha`)
  assert.equal(
    say('en', note('check_lines_at_least', { lines, more: 3 })),
    'a1 (debit, 2,51 TL, 5 days), b2 (credit, 1.000,00 TL, 12 days), and 3 or more others',
  )
  const banks = [null, 9, 3 * 1440].map((minutes) => note('check_bank_read', { bank: 'a', minutes }))
  assert.equal(
    say('tr', note('check_banks_read', { banks })),
    'a: hiç okunmadı, a: 9 dk önce okundu, a: 3 gün önce okundu',
  )
  const total = (days: number) => note('check_total', { count: 2, amount: money(900n), days })
  assert.equal(say('tr', total(0)), '2 (9,00 TL); en eskisi bugünden')
  assert.equal(say('en', total(1)), '2 (9,00 TL), the oldest 1 day old')
})
