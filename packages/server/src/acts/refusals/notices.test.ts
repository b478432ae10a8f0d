import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../../kernel/refusals/facts.ts'
import { note } from '../../kernel/refusals/note.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { NOTICES_SENTENCES } from './notices.ts'
import { noticeForTerminal, refusalForTerminal, say } from './say.ts'

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

test('what a statement file lacks or overlaps is said with days and amounts as people write them', () => {
  const days = (from: string, to: string, file: string) =>
    note('finding_days_of_file', { from, to, file, format: null })
  const overlap = note('finding_overlap', {
    days: [days('2026-11-13', '2026-11-13', 'a1'), days('2026-11-14', '2026-11-15', 'b2')],
  })
  assert.equal(
    say('tr', overlap),
    '13.11.2026 (a1 dosyası), 14.11.2026 – 15.11.2026 (b2 dosyası) ile çakışıyor; bilinen satırlar yeniden sayılmaz',
  )
  assert.equal(
    say('en', overlap),
    'overlaps 2026-11-13 (file a1), 2026-11-14 to 2026-11-15 (file b2): known lines are not counted again',
  )
  const first = note('finding_line', { line: 'a1', number: '77', amount: money(-500n) })
  assert.equal(
    say('tr', note('finding_lines_missing', { day: '2026-11-13', count: 2, first })),
    '13.11.2026 gününün kayıtlı 2 satırı bu ekstrede yok; ilki a1 satırı (numara 77, -5,00 TL)',
  )
  assert.equal(
    say('tr', note('finding_line_state', { line: first, state: 'needs_review' })).split(': ')[1],
    'incelenecek',
  )
  const repeats = [note('finding_repeat', { number: '7', amount: money(500n), pages: [1, 2] })]
  assert.equal(
    say('en', note('finding_repeats', { statement: 'S1', repeats, more: 4, fate: 'unproven' })),
    'equal lines of statement S1: number 7, 5,00 TL (pages 1, 2); and 4 more: not booked twice: the balances of the pages do not show that each is a booking of its own. Ask the bank',
  )
})

test('the commands of what a refusal tells are told with it', () => {
  const refused = refuse('file_not_importable', { file: 'a.csv', problems: [note('finding_account_missing')] })
  assert.deepEqual(refusalForTerminal(refused), [
    'a.csv cannot be imported: the file names no account: say which one it is of.',
    '  --account IBAN',
  ])
})

test('what a bank or a report said of a payout is told with what follows from it', () => {
  const follows = note('report_in_another_file', { problem: note('report_file_unreleased'), batch: '7' })
  const report = note('call_report', { report: 'a.xml', said: ['ACSP'], follows })
  assert.equal(
    say('tr', report),
    'rapor a.xml: ACSP; dosya henüz verilmemişti; çekim 7 numaralı talimat dosyasında da var, o dosya iptal edilmeli',
  )
  assert.match(say('en', report), /order file 7, which must be cancelled$/)
  assert.deepEqual(noticeForTerminal(report).slice(1), ['  vezne batch cancel 7'])
  const problem = note('order_payout_in_doubt', { withdrawal: '6920f0aa', reason: 'report_contradicts' })
  const held = refuse('order_file_held_up', { problem, batch: '7' }).said ?? assert.fail('no reason')
  assert.equal(
    say('tr', held),
    '6920f0aa no’lu çekimin sonucu belirsiz ve gönderilmemeli. Talimat dosyasını iptal edin: diğer çekimleri başka bir dosyayla gönderilir.',
  )
  const late = (said: string | null) => note('call_late', { said })
  assert.equal(say('tr', late('limit_exceeded')), 'geç geldi, işlenmedi: banka limiti aşıldı')
  assert.equal(say('en', late(null)), 'late, not acted on')
  const unseen = note('call_unseen_doubted', { doubt: note('doubt_was_pending') })
  assert.equal(say('tr', unseen), 'banka hiç görmemiş, ama daha önce “bekliyor” dediğine göre emir ondaydı')
})
