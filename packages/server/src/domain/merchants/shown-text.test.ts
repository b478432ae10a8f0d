import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShowable, mustBeShowable } from './shown-text.ts'

const payable = (found: string) => ({
  said: { why: 'shown_text_payable', facts: { found } },
  fields: ['displayName'],
})

const SHOWN = [
  'SIP-20417',
  '2026-11-17/000123',
  '100519786457841',
  'Sipariş 2026-11-17-00001234',
  '10000000145',
  'Fatura 12345678901 / 2026',
  '2 kg elma @ 25,00 TL',
  'Instagram: @kitapevi',
  'Sipariş 5321234567',
  '05.11.2026 - 123',
  '2 kilo elma, 3 kilo armut, 10 ilik; toplam 1.250,00 TL',
  'Kitap ❤️ Evi',
  '三井書店',
  'Müşteri hizmetleri 0212 555 00 00',
]

for (const text of SHOWN) test(`shown: ${text}`, () => assert.ok(isShowable(text)))

const ACCOUNTS = [
  'TR٣٣ önce ٠٠٠٦ sonra ١٠٠٥ sonra ١٩٧٨ sonra ٦٤٥٧ sonra ٨٤١٣ sonra ٢٦',
  'TR33 ---- 0006 ---- 1005 ---- 1978 ---- 6457 ---- 8413 ---- 26',
  'TR33 once 0006 sonra 1005 sonra 1978 sonra 6457 sonra 8413 sonra 26',
  '33 once OOO6 sonra IOO5 sonra 1978 sonra 6457 sonra 84l3 sonra 26',
  'TR三三 〇〇〇六 一〇〇五 一九七八 六四五七 八四一三 二六',
  'Hesap 1005197864578413',
  '1005 1978 6457 8413',
  '1005-1978-6457-8413',
  'TR3\uFE0F3 \uFE0F0\uFE0F006\uFE0F \uFE0F 1005 \uFE0F\uFE0F \uFE0F 1978 6457 8413 26',
]

for (const text of ACCOUNTS)
  test(`not shown, an account: ${text}`, () => {
    assert.ok(!isShowable(text))
    assert.throws(() => mustBeShowable('displayName', text), payable('account'))
  })

const PHONES = [
  'FAST 0532 123 45 67 numaraya gonderin',
  'FAST 05321234567',
  '+90 (532) 123-45-67',
  '905321234567 no lu FAST',
  '0 5 3 2 1 2 3 4 5 6 7',
  '532 123 45 67',
  '〇五三二 一二三 四五 六七',
  '０５３２ １２３ ４５ ６７',
  '٠٥٣٢ ١٢٣ ٤٥ ٦٧',
  'O532 l23 45 67',
]

for (const text of PHONES)
  test(`not shown, a mobile phone: ${text}`, () => {
    assert.ok(!isShowable(text))
    assert.throws(() => mustBeShowable('displayName', text), payable('phone'))
  })

const IDENTITIES = [
  'FAST kimlik 10000000146',
  '10000000146',
  '100 000 001 46',
  '100-000-001-46',
  '１０００００００１４６',
  'no:1000OOOO146',
]

for (const text of IDENTITIES)
  test(`not shown, an identity number: ${text}`, () => {
    assert.ok(!isShowable(text))
    assert.throws(() => mustBeShowable('displayName', text), payable('identity'))
  })

const ADDRESSES = ['FAST ali@gmail.com', 'ali.veli+1@posta.example.com.tr', 'ali @ gmail.com', 'ali＠gmail.com']

for (const text of ADDRESSES)
  test(`not shown, an e-mail address: ${text}`, () => {
    assert.ok(!isShowable(text))
    assert.throws(() => mustBeShowable('displayName', text), payable('email'))
  })

test('the support e-mail may be one', () => mustBeShowable('supportEmail', 'destek@kitapevi.example'))
