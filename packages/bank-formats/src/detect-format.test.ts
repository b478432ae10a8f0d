import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { readMapping } from './column-mapping.ts'
import { detectFormat } from './detect-format.ts'
import type { DetectedFormat } from './detect-format.ts'
import { BankFileError } from './file-problems.ts'
import { utf16, utf8, windows1254, xlsxOf } from '../test/sheets.ts'

const table = (...lines: string[]) => utf8(lines.join('\r\n'))

/** ISO 20022 puts a business header before the message. */
const enveloped = (message: string) =>
  '<?xml version="1.0"?><e:Envelope xmlns:e="urn:any"><h:AppHdr xmlns:h="urn:iso:std:iso:20022:tech:xsd:head.001.001.02">' +
  '<h:Fr><h:FIId><h:FinInstnId><h:BICFI>BANKTRIS</h:BICFI></h:FinInstnId></h:FIId></h:Fr><h:BizMsgIdr>1</h:BizMsgIdr>' +
  `<h:MsgDefIdr>${message}</h:MsgDefIdr></h:AppHdr><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">`

const KNOWN: [string, Uint8Array, string | null, string | null, string | null][] = [
  [
    'camt.053 by namespace',
    utf8('<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">'),
    'camt',
    null,
    null,
  ],
  ['camt.052 by root', utf8('\ufeff<x:Document><x:BkToCstmrAcctRpt>'), 'camt', null, null],
  ['camt.054 in UTF-16', utf16('\ufeff<Document><BkToCstmrDbtCdtNtfctn>', 'le'), 'camt', null, null],
  ['camt.053 in an envelope', utf8(enveloped('camt.053.001.08')), 'camt', null, null],
  ['pain.001 in an envelope', utf8(enveloped('pain.001.001.09')), null, null, 'file_is {"kind":"payment_order"}'],
  [
    'a header alone',
    utf8(enveloped('camt.053.001.08').replace(/<Document.*/, '')),
    null,
    null,
    'file_is {"kind":"xml"}',
  ],
  ['pain.002', utf8('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">'), 'pain.002', null, null],
  [
    'pain.001',
    utf8('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">'),
    null,
    null,
    'file_is {"kind":"payment_order"}',
  ],
  ['other XML', utf8('<a>camt.053</a>'), null, null, 'file_is {"kind":"xml"}'],
  ['MT940 by tags', utf8(':20:REF\r\n:25:TR12\r\n:28C:1/1\r\n:60F:C260101TRY1,00\r\n'), 'mt940', null, null],
  ['MT940 by block', utf8('{1:F01AAAA}{2:O9401200260101AAAA}{4:\r\n:20:X'), 'mt940', null, null],
  ['MT942', utf8(':20:REF\n:25:TR12\n:28C:1\n:34F:TRYC0,\n:13D:2601011200+0300\n'), 'mt942', null, null],
  ['XLSX', xlsxOf([['Tarih']]), 'xlsx', null, null],
  ['another zip', zipSync({ 'a.csv': utf8('x') }), null, null, 'file_is {"kind":"zip"}'],
  ['old Excel', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), null, null, 'file_is {"kind":"old_excel"}'],
  ['HTML', utf8('\n<!DOCTYPE html><table>'), null, null, 'file_is {"kind":"html"}'],
  [
    'XML spreadsheet',
    utf8('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook>'),
    null,
    null,
    'file_is {"kind":"excel_xml"}',
  ],
  ['PDF', utf8('%PDF-1.7'), null, null, 'file_is {"kind":"pdf"}'],
  [
    'an image',
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13),
    null,
    null,
    'file_is {"kind":"binary"}',
  ],
  ['nothing', new Uint8Array(), null, null, 'file_empty {}'],
  ['words', utf8('Merhaba'), null, null, 'file_is {"kind":"text"}'],
  ['Ziraat by header', table('x', 'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No'), 'csv', 'ziraat', null],
  ['TEB by header', table('Tarih;Açıklama;Borç;Alacak;Bakiye;İşlem No'), 'csv', 'teb', null],
  ['VakıfBank by header', windows1254('Hesap No;Fiş No;İşlem Tarihi;Açıklama;Tutar;B/A'), 'csv', 'vakifbank', null],
  [
    'Kuveyt Türk by header',
    table('İşlem Tarihi,Açıklama,Tutar,Bakiye,İşlem Referans Numarası'),
    'csv',
    'kuveyt-turk',
    null,
  ],
  ['TEB by name', table('TÜRK EKONOMİ BANKASI A.Ş.', 'Tarih;Açıklama;Tutar;Bakiye'), 'csv', 'teb', null],
  [
    'Garanti by IBAN',
    table('IBAN;TR62 0006 2000 2950 0006 2912 96', 'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No'),
    'csv',
    'garanti',
    null,
  ],
  ['a bank that nothing tells', table('Tarih;Açıklama;Tutar;Bakiye'), 'csv', null, 'bank_unshown {"line":1}'],
  ['a header that is not known', table('Wann;Was;Wieviel;Rest', '1;2;3;4'), 'csv', null, 'header_unknown {}'],
]

for (const [name, head, format, bank, problem] of KNOWN) {
  test(`${name}: ${format ?? 'not known'}${bank === null ? '' : ` of ${bank}`}`, () => {
    const found = detectFormat(head)
    assert.equal(found.format, format)
    assert.equal(found.profile?.id ?? null, bank)
    assert.equal(found.problem && new BankFileError(found.problem).message, problem)
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

const isAnswer = ({ format, problem }: DetectedFormat) => format !== null || problem !== null

test('any bytes have an answer', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assert.ok(isAnswer(detectFormat(bytes)))))
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => assert.ok(isAnswer(detectFormat(utf8(text))))))
})
