import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { createMerchant, setBrand } from '../../packages/server/src/domain/merchants/index.ts'
import { refusalText } from '../../packages/server/src/acts/refusals/say.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const { merchantId } = await service.merchant()

const refusal = (displayName: string) =>
  setBrand(app, UNATTRIBUTED, merchantId, { displayName }).then(
    () => assert.fail(`${displayName} was taken`),
    (error: Refusal) => refusalText('tr', error),
  )

test('a display name with an IBAN in any spelling, or with marks of direction, is refused in Turkish', async () => {
  const account = [
    'TR620006200029500006291296',
    'Ödeme: tr62 0006 2000 2950 0006 2912 96',
    'Kitap TR-62.0006.2000.2950.0006.2912.96',
    'ＴＲ６２０００６２０００２９５０００',
    'Hesap 62 0006 2000 2950 0006 2912 96',
    'TR62ー0006ー2000ー2950ー0006ー2912ー96',
    'Hesap 62 OOO6 2000 295O 0006 29l2 96',
    'Hesap ➅➁ 0006 2000 2950 0006 2912 96',
  ]
  for (const name of account) assert.match(await refusal(name), /IBAN veya hesap numarası içeremez/, name)
  assert.match(await refusal('kitap.com.tr 0532 123 45 67'), /cep telefonu numarası içeremez/)
  for (const name of [
    '\u202ekatiK',
    'Kitap\u2066',
    'Kitap\u200bEvi',
    'Kitap\nEvi',
    'Kitap\u0007',
    'TR62\u31640006',
    '\u3164\u3164',
    '🐟',
  ])
    assert.match(await refusal(name), /yazının yönünü değiştiren/, JSON.stringify(name))
  await assert.rejects(createMerchant(app, UNATTRIBUTED, { name: 'Kitap \u202eivE' }), { code: 'VALIDATION_ERROR' })
  const supportAddress = 'IBAN: TR62 0006 2000 2950 0006 2912 96'
  for (const change of [
    { supportAddress },
    { supportPhone: '620006200029500006291296' },
    { supportEmail: 'TR620006200029500006291296@fast.example' },
    { supportAddress: 'FAST: 0532 123 45 67' },
  ])
    await assert.rejects(setBrand(app, UNATTRIBUTED, merchantId, change), { code: 'VALIDATION_ERROR' })
})

test('numbers that names and addresses have are taken', async () => {
  for (const displayName of [
    'Kitap 24',
    'Fıstık 1923 A.Ş.',
    'kitap.com.tr 0212 123 45 67',
    'أهلا',
    'Mürekkep 🐟',
    '❤️ Kitap',
    'TRT 1 Kitap',
  ])
    assert.equal((await setBrand(app, UNATTRIBUTED, merchantId, { displayName })).displayName, displayName)
  const supportAddress = 'Bahariye Cd. No: 12/3, 34710 Kadıköy İstanbul, 0212 555 00 00'
  await setBrand(app, UNATTRIBUTED, merchantId, { supportAddress })
})

test('a logo that is too large says the limit and what to do', async () => {
  const wide = sharp({ create: { width: 6000, height: 5000, channels: 3, background: '#fff' } })
  const words = await setBrand(app, UNATTRIBUTED, merchantId, { logo: await wide.png().toBuffer() }).then(
    () => assert.fail('was taken'),
    (error: Refusal) => [refusalText('en', error), refusalText('tr', error)],
  )
  assert.match(words[0] ?? '', /logo has too many pixels \(at most 25 million\)\. Make the image smaller/)
  assert.match(words[1] ?? '', /en çok 25 milyon olabilir\. Görseli küçültün/)
})
