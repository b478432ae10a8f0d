import assert from 'node:assert/strict'
import { test } from 'node:test'
import { karekodText } from './karekod.ts'

const PAYMENT = {
  producer: '0062',
  reference: '1',
  amount: 125_050n,
  iban: 'TR620006200029500006291296',
  title: 'Vezne Deneme Ödeme A.Ş.',
  uniqueId: '0123456789abcdef0123456789abcdef',
}

test('the layout that banks print, with its checksum', () => {
  assert.equal(
    karekodText(PAYMENT),
    '750210010211020400620312000000000001541200000012505061630126TR6200062000295000062912960723VEZNE DENEME ODEME A.S.10020320320123456789abcdef0123456789abcdef63042786',
  )
})

test('with a period it is dynamic, and a title is cut to 26 ASCII characters', () => {
  const period = { from: new Date('2026-11-15T11:32:07Z'), until: new Date('2026-11-15T21:02:07Z') }
  const text = karekodText({ ...PAYMENT, title: 'Iğdır Çiçekçilik İşletmeleri ve Ticaret A.Ş.', period })
  assert.match(text, /^75021001021202040062/)
  assert.ok(text.includes('061226111514320707122611160002075412'))
  assert.ok(text.includes('0726IGDIR CICEKCILIK ISLETMELE1002'))
})
