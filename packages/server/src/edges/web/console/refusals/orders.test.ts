import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { literalsOf } from '../../../../../../../test/harness/source-texts.ts'
import { BANK_RESPONSES } from './bank-responses.ts'
import { ORDER_TEXTS, ORDERS } from './orders.ts'
import { tr } from '../codes/tr.ts'
import { orderText, responseText } from './translate.ts'

const REPORTS = join(import.meta.dirname, '../../../../domain/payouts/batches')

/** For the log, and for what cannot happen. */
const NOT_SHOWN = new Set([
  'a report contradicts how a payout ended, or what is known of one in doubt; a person must look',
  'Payout {} or its batch is gone.',
])

test('every reason that the judgement of a report stores has Turkish words', () => {
  const texts = ['reports/judge-report.ts', 'reports/apply-to-item.ts'].flatMap((file) => {
    const code = readFileSync(join(REPORTS, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    return literalsOf(code).filter((one) => (one.match(/(?:^| )[a-z]{2,}/g)?.length ?? 0) >= 3)
  })
  assert.ok(texts.length > 10, `${texts.length} texts`)
  const known = { ...ORDER_TEXTS, ...BANK_RESPONSES }
  const missing = texts.filter((text) => !NOT_SHOWN.has(text) && known[text] === undefined)
  assert.deepEqual(missing, [])
})

test('no text about an order file has a command, a code or a word of the other language', () => {
  for (const text of Object.keys({ ...ORDERS, ...ORDER_TEXTS })) {
    const stored = text.replaceAll('{}', '7')
    assert.doesNotMatch(orderText('en', stored), /vezne [a-z]/)
  }
  const held =
    'Payout 6920f0aa in it is in doubt (report_contradicts) and must not be sent. Cancel the batch, then its other payouts leave in another: vezne batch cancel 7'
  assert.equal(
    orderText('tr', held),
    '6920f0aa no’lu çekimin sonucu belirsiz ve gönderilmemeli. Dosyayı iptal edin: öteki çekimleri başka bir dosyayla gönderilir.',
  )
  assert.equal(
    orderText('en', held),
    'Payout 6920f0aa in it is in doubt and must not be sent. Cancel the file: its other payouts then leave in another.',
  )
  const stopped =
    'Its file was in outbox/, but the batch was cancelled, and its payouts leave in another. The service moved it to staging/a.xml.stopped, so that it is not sent. Find out why your program left it there or put it back.'
  assert.match(orderText('tr', stopped), /ama iptal edilmişti ve çekimleri başka bir dosyayla gönderiliyor\. /)
})

test('what a report said about a payout is in the words of the page, too', () => {
  const detail =
    'report a.xml: ACSP; the file was not released; the payout is also in order batch 7: vezne batch cancel 7'
  assert.equal(
    responseText('tr', tr, detail),
    'rapor a.xml: ACSP; dosya henüz verilmemişti; çekim 7 numaralı talimat dosyasında da var, o dosya iptal edilmeli',
  )
  assert.match(responseText('en', tr, detail), /order file 7, which must be cancelled$/)
})
