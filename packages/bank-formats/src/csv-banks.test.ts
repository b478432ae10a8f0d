import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { BANK_PROFILES } from './bank-profiles.ts'
import { readCsv } from './csv.ts'
import { detectFormat } from './detect-format.ts'
import type { Statement } from './statement.ts'
import { readOne, utf8, windows1254 } from '../test/sheets.ts'

type Bank = keyof typeof BANK_PROFILES

const read = (bank: Bank, lines: string[], encode = utf8, end = '\r\n') =>
  readOne(readCsv(BANK_PROFILES[bank]), encode(lines.join(end)))

const brief = ({ entries }: Statement) =>
  entries.map(({ bookedOn, direction, amount, bankReference }) => [bookedOn, direction, amount, bankReference])

test('Ziraat: debit and credit columns, metadata above, totals below', async () => {
  const statement = await read('ziraat', [
    '\ufeffT.C. Ziraat Bankası A.Ş.;;;;;',
    'Müşteri Adı;ÖRNEK ÖDEME A.Ş.;;;;',
    'IBAN;TR62 0006 2000 2950 0006 2912 96;;;;',
    'Hesap No: 1234-5678901-5001;;;;;',
    'Tarih Aralığı;01.01.2026 - 31.01.2026;;;;',
    'Açılış Bakiyesi;900,00 TL;;;;',
    '',
    'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No;',
    '11.01.2026;GELEN FAST-AYŞE YILMAZ-DP7K2M SORGU NO 123456;;1.250,00;2.150,00;Z1;',
    ';;;;;;',
    '12.01.2026 14:05:09;EFT GİDEN;100,00;0,00;2.050,00;Z2;',
    'Toplam;;100,00;1.250,00;;',
    'Kapanış Bakiyesi;;;;2.050,00;',
    'Bu belge bilgi amaçlıdır;;;;;',
  ])
  const account = { iban: 'TR620006200029500006291296', number: '1234-5678901-5001', currency: 'TRY' }
  assert.deepEqual(statement.account, account)
  assert.deepEqual([statement.from, statement.to], ['2026-01-01', '2026-01-31'])
  assert.deepEqual(statement.opening, { amount: 90_000n, currency: 'TRY', on: '2026-01-11' })
  assert.deepEqual(statement.closing, { amount: 205_000n, currency: 'TRY', on: '2026-01-12' })
  assert.deepEqual([statement.lines, statement.credits, statement.debits], [2, 125_000n, 10_000n])
  const [first, second] = statement.entries
  assert.deepEqual(first, {
    position: { line: 9 },
    direction: 'credit',
    amount: 125_000n,
    currency: 'TRY',
    bookedOn: '2026-01-11',
    bookedAt: null,
    valueOn: null,
    status: 'booked',
    reversal: false,
    returned: null,
    bankReference: 'Z1',
    endToEndReference: null,
    counterpartyName: 'AYŞE YILMAZ',
    counterpartyIban: null,
    narrative: 'GELEN FAST-AYŞE YILMAZ-DP7K2M SORGU NO 123456',
    balance: 215_000n,
    batch: null,
  })
  assert.deepEqual([second?.direction, second?.position.line], ['debit', 11])
})

test('Ziraat: the layout with one signed amount and Fiş No', async () => {
  const statement = await read('ziraat', [
    'Tarih\tFiş No\tAçıklama\tİşlem Tutarı\tBakiye',
    '05/01/2026\tS00123\tHAVALE\t"1.000,00 TL"\t1.500,00 TL',
    '06/01/2026\tS00124\tMASRAF\t-5,25 TL\t1.494,75 TL',
  ])
  assert.deepEqual(brief(statement), [
    ['2026-01-05', 'credit', 100_000n, 'S00123'],
    ['2026-01-06', 'debit', 525n, 'S00124'],
  ])
  assert.equal(statement.opening?.amount, 50_000n)
})

test('Garanti: signed amounts, newest first, other order of columns, one more column', async () => {
  const statement = await read('garanti', [
    'Türkiye Garanti Bankası A.Ş.;;;;;;',
    'Dekont No;Tarih;Kanal;Açıklama;Etiket;Tutar (TL);Bakiye (TL)',
    'G3;03/03/2026;Cep;"HAVALE; AYŞE ""ÖZ""\r\nIKINCI SATIR";;200,00;1150,00',
    'G2;02/03/2026;Kart;POS HARCAMASI;Market;50,00-;950,00',
    "G1;01/03/2026;Cep;EFT ALACAK;;'1000,00+;'1000,00",
  ])
  assert.deepEqual(brief(statement), [
    ['2026-03-01', 'credit', 100_000n, 'G1'],
    ['2026-03-02', 'debit', 5_000n, 'G2'],
    ['2026-03-03', 'credit', 20_000n, 'G3'],
  ])
  assert.equal(statement.entries[2]?.narrative, 'HAVALE; AYŞE "ÖZ" IKINCI SATIR')
  assert.deepEqual(
    statement.entries.map(({ position }) => position.line),
    [6, 5, 3],
  )
})

test('VakıfBank: amounts with B or A, in windows-1254, without a final line end', async () => {
  const lines = [
    'Hesap No;Fiş No;İşlem Tarihi;Açıklama;Tutar;B/A',
    '00158007300000123;1;01.02.2026;GELEN EFT-ŞÜKRÜ IŞIK-KİRA;1.500,00;A',
    '00158007300000123;2;02.02.2026;HAVALE GİDEN;200,00;B',
  ]
  const statement = await read('vakifbank', lines, windows1254, '\n')
  assert.deepEqual(brief(statement), [
    ['2026-02-01', 'credit', 150_000n, '1'],
    ['2026-02-02', 'debit', 20_000n, '2'],
  ])
  assert.deepEqual(statement.account, { iban: null, number: '00158007300000123', currency: 'TRY' })
  assert.equal(statement.entries[0]?.counterpartyName, 'ŞÜKRÜ IŞIK')
  assert.deepEqual([statement.opening, statement.closing], [null, null])
})

test('Kuveyt Türk: signed amounts, long reference, sender after a label, foreign currency', async () => {
  const statement = await read('kuveyt-turk', [
    'Kuveyt Türk Katılım Bankası A.Ş.',
    'Para Birimi,USD',
    'İşlem Tarihi,Açıklama,Tutar,Bakiye,İşlem Referans Numarası,Valör',
    '2026-01-05 09:07,"Gelen FAST Gönderen: ALİ ÇELİK, Sorgu No: 778899","1.000,50","1.000,50",="000012345678",06.01.2026',
    '2026-01-06,"Ücret","-0,50","1.000,00",000012345679,',
  ])
  const [first, second] = statement.entries
  assert.equal(first?.counterpartyName, 'ALİ ÇELİK')
  assert.deepEqual([first?.bankReference, first?.valueOn, first?.currency], ['000012345678', '2026-01-06', 'USD'])
  assert.deepEqual([second?.direction, second?.amount, second?.valueOn], ['debit', 50n, null])
})

test('TEB: a carried balance as the first row, columns of the other side', async () => {
  const statement = await read('teb', [
    'TARİH;AÇIKLAMA;BORÇ;ALACAK;BAKİYE;İŞLEM NO;GÖNDEREN;GÖNDEREN IBAN',
    '09.01.2026;DEVREDEN BAKİYE;;;1.000,00;;;',
    '10.01.2026;HAVALE REF 998877;;300,00;1.300,00;D100;MEHMET ÖZ;TR620006200029500006291296',
    '10.01.2026;MASRAF BSMV;12,00;;1.288,00;D101;;',
  ])
  assert.equal(statement.opening?.amount, 100_000n)
  assert.equal(statement.lines, 2)
  const [first, second] = statement.entries
  assert.deepEqual([first?.counterpartyName, first?.counterpartyIban], ['MEHMET ÖZ', 'TR620006200029500006291296'])
  assert.deepEqual([second?.counterpartyName, second?.counterpartyIban], [null, null])
})

test('a statement without lines has head and foot', async () => {
  const statement = await read('teb', [
    'Başlangıç Tarihi;01.01.2026',
    'Bitiş Tarihi;31.01.2026',
    'Devreden Bakiye : 12,00',
    'Tarih;Açıklama;Borç;Alacak;Bakiye;İşlem No',
  ])
  assert.deepEqual([statement.lines, statement.opening?.amount, statement.closing?.amount], [0, 1_200n, 1_200n])
})

function samplesFolder(): string | null {
  let folder = import.meta.dirname
  for (let up = 0; up < 8; up++) {
    const samples = join(folder, 'shared/samples/tr-statements')
    if (existsSync(samples)) return samples
    folder = join(folder, '..')
  }
  return null
}

const SAMPLES = samplesFolder()

for (const [file, bank, opening, lines, credits, debits] of [
  ['garanti.csv', 'garanti', 0n, 2, 100_000n, 5_000n],
  ['teb_6col.csv', 'teb', 100_000n, 2, 30_000n, 1_200n],
  ['vakifbank.csv', 'vakifbank', undefined, 2, 150_000n, 20_000n],
  ['ziraat_layout_a.csv', 'ziraat', 90_000n, 2, 125_000n, 10_000n],
] as const) {
  const skip = SAMPLES === null && 'no samples: no folder above has shared/samples/tr-statements'
  test(`the sample ${file} has its bank, count and sums`, { skip }, async () => {
    const bytes = readFileSync(join(SAMPLES ?? '', file))
    const statement = await readOne(readCsv(BANK_PROFILES[bank]), bytes, 7)
    assert.deepEqual([statement.lines, statement.credits, statement.debits], [lines, credits, debits])
    assert.equal(statement.opening?.amount, opening)
    assert.equal(detectFormat(bytes).profile?.id, bank)
  })
}
