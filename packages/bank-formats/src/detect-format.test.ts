import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { readMapping } from './column-mapping.ts'
import { detectFormat } from './detect-format.ts'
import { utf16, utf8, windows1254, xlsxOf } from '../test/sheets.ts'

const table = (...lines: string[]) => utf8(lines.join('\r\n'))

/** ISO 20022 puts a business header before the message. */
const enveloped = (message: string) =>
  '<?xml version="1.0"?><e:Envelope xmlns:e="urn:any"><h:AppHdr xmlns:h="urn:iso:std:iso:20022:tech:xsd:head.001.001.02">' +
  '<h:Fr><h:FIId><h:FinInstnId><h:BICFI>BANKTRIS</h:BICFI></h:FinInstnId></h:FIId></h:Fr><h:BizMsgIdr>1</h:BizMsgIdr>' +
  `<h:MsgDefIdr>${message}</h:MsgDefIdr></h:AppHdr><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">`

const KNOWN: [string, Uint8Array, string | null, string | null, RegExp][] = [
  [
    'camt.053 by namespace',
    utf8('<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">'),
    'camt',
    null,
    /camt.053/,
  ],
  ['camt.052 by root', utf8('\ufeff<x:Document><x:BkToCstmrAcctRpt>'), 'camt', null, /camt.052/],
  ['camt.054 in UTF-16', utf16('\ufeff<Document><BkToCstmrDbtCdtNtfctn>', 'le'), 'camt', null, /camt.054/],
  ['camt.053 in an envelope', utf8(enveloped('camt.053.001.08')), 'camt', null, /camt.053/],
  ['pain.001 in an envelope', utf8(enveloped('pain.001.001.09')), null, null, /payment order/],
  ['a header alone', utf8(enveloped('camt.053.001.08').replace(/<Document.*/, '')), null, null, /neither camt nor/],
  ['pain.002', utf8('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">'), 'pain.002', null, /pain.002/],
  ['pain.001', utf8('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">'), null, null, /payment order/],
  ['other XML', utf8('<a>camt.053</a>'), null, null, /neither camt nor pain.002/],
  ['MT940 by tags', utf8(':20:REF\r\n:25:TR12\r\n:28C:1/1\r\n:60F:C260101TRY1,00\r\n'), 'mt940', null, /:60F:/],
  ['MT940 by block', utf8('{1:F01AAAA}{2:O9401200260101AAAA}{4:\r\n:20:X'), 'mt940', null, /MT940/],
  ['MT942', utf8(':20:REF\n:25:TR12\n:28C:1\n:34F:TRYC0,\n:13D:2601011200+0300\n'), 'mt942', null, /:34F:/],
  ['XLSX', xlsxOf([['Tarih']]), 'xlsx', null, /parts of a spreadsheet/],
  ['another zip', zipSync({ 'a.csv': utf8('x') }), null, null, /unpack it/],
  ['old Excel', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), null, null, /save it as .xlsx/],
  ['HTML', utf8('\n<!DOCTYPE html><table>'), null, null, /HTML page/],
  [
    'XML spreadsheet',
    utf8('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook>'),
    null,
    null,
    /Excel 2003/,
  ],
  ['PDF', utf8('%PDF-1.7'), null, null, /PDF/],
  ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13), null, null, /no text/],
  ['nothing', new Uint8Array(), null, null, /empty/],
  ['words', utf8('Merhaba'), null, null, /neither XML/],
  [
    'Ziraat by header',
    table('x', 'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No'),
    'csv',
    'ziraat',
    /line 2; the columns are those of Ziraat/,
  ],
  ['TEB by header', table('Tarih;Açıklama;Borç;Alacak;Bakiye;İşlem No'), 'csv', 'teb', /TEB/],
  [
    'VakıfBank by header',
    windows1254('Hesap No;Fiş No;İşlem Tarihi;Açıklama;Tutar;B/A'),
    'csv',
    'vakifbank',
    /VakıfBank/,
  ],
  [
    'Kuveyt Türk by header',
    table('İşlem Tarihi,Açıklama,Tutar,Bakiye,İşlem Referans Numarası'),
    'csv',
    'kuveyt-turk',
    /Kuveyt/,
  ],
  ['TEB by name', table('TÜRK EKONOMİ BANKASI A.Ş.', 'Tarih;Açıklama;Tutar;Bakiye'), 'csv', 'teb', /names TEB/],
  [
    'Garanti by IBAN',
    table('IBAN;TR62 0006 2000 2950 0006 2912 96', 'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No'),
    'csv',
    'garanti',
    /IBAN is of Garanti/,
  ],
  ['a bank that nothing tells', table('Tarih;Açıklama;Tutar;Bakiye'), 'csv', null, /choose it/],
  ['a header that is not known', table('Wann;Was;Wieviel;Rest', '1;2;3;4'), 'csv', null, /save a column mapping/],
]

for (const [name, head, format, bank, reason] of KNOWN) {
  test(`${name}: ${format ?? 'not known'}${bank === null ? '' : ` of ${bank}`}`, () => {
    const found = detectFormat(head)
    assert.equal(found.format, format)
    assert.equal(found.profile?.id ?? null, bank)
    assert.match(found.reason, reason)
  })
}

test('a saved mapping is recognised among others', () => {
  const own = readMapping({
    id: 'own',
    name: 'Own',
    amounts: 'signed',
    columns: { date: 'Wann', description: 'Was', amount: 'Wieviel' },
  })
  assert.equal(detectFormat(table('Wann;Was;Wieviel;Rest', '1;2;3;4'), [own]).profile, own)
})

test('any bytes have an answer', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assert.ok(detectFormat(bytes).reason !== '')))
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => assert.ok(detectFormat(utf8(text)).reason !== '')))
})
