import { zipSync } from 'fflate'
import { BANK_PROFILES } from '../src/bank-profiles.ts'
import { readCamt } from '../src/camt.ts'
import { readCsv } from '../src/csv.ts'
import { readMt940 } from '../src/mt940.ts'
import type { StatementReader } from '../src/statement.ts'
import { readXlsx } from '../src/xlsx.ts'
import { balance, camtFile, details, entry, prefixed, statement } from './camt-file.ts'
import { utf16, utf8, windows1254, xlsxParts } from './sheets.ts'

type Fuzzed = {
  name: string
  read: StatementReader
  source: string | Uint8Array
  /** Makes the file of the damaged source; by default it is the file. */
  pack?: (source: Uint8Array) => Uint8Array
  /** Whether the format has an end that cannot be missing. */
  cutIsSeen: boolean
}

const CAMT = camtFile([
  statement(
    balance('OPBD', '0') +
      balance('CLBD', '100') +
      '<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>100</Sum></TtlNtries></TxsSummry>' +
      entry({
        dates: '<BookgDt><DtTm>2026-01-30T10:15:30+03:00</DtTm></BookgDt>',
        more: details('<Amt Ccy="TRY">60</Amt><RmtInf><Ustrd>Şş &amp;</Ustrd></RmtInf>', '<Amt Ccy="TRY">40</Amt>'),
      }),
  ),
])
const NOTICE = camtFile([statement(entry())], { format: '054', version: '08' })
const MT940 = `{1:F01X}{2:O940Y}{4:
:20:REF
:25:TR330006100519786457841326TRY
:28C:1/1
:60F:C260130TRY0,
:61:2601310131C100,00NTRFREF//BANK
:86:166?00GUTSCHRIFT?20SVWZ+Şş
:86:/EREF/1/REMI/x
:62F:C260131TRY100,00
-}`
const MT942 = `{1:F01X}{2:O942Y}{4:
:20:REF
:25:123456
:28C:1/1
:34F:TRY0,
:13D:2601311200+0300
:61:2601310131EC100,00NTRFREF//BANK
:86:/ORDP//NAME/AYSE/REMI/VZ-1
:90D:0TRY0,
:90C:1TRY100,00
-}`
const CSV = [
  'IBAN;TR62 0006 2000 2950 0006 2912 96',
  'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No',
  '11.01.2026 10:15;"GELEN; ""ŞÜKRÜ""";;1.234,56;1.235,56;Z1',
  '12.01.2026;GİDEN;50,00;;1.185,56;Z2',
  'Toplam;;50,00;1.234,56;;',
].join('\r\n')

const PARTS = xlsxParts([
  ['Tarih', 'Açıklama', 'Tutar', 'Bakiye'],
  [{ serial: '46082.5' }, 'ŞÜKRÜ &', { number: '5' }, { formula: '5' }],
  ['02.03.2026', { inline: 'x' }, '-1,00 TL', { number: '4' }],
])
/** Each part on its own: in the whole file the checksums would find nearly every damage. */
const xlsxWith = (part: string) => (source: Uint8Array) => zipSync({ ...PARTS, [part]: source }, { level: 0 })
const SHEET = 'xl/worksheets/sheet1.xml'
const TEXTS = 'xl/sharedStrings.xml'
const readSheet = readXlsx(BANK_PROFILES.garanti)
const readTable = readCsv(BANK_PROFILES.ziraat)

export const FUZZED: Fuzzed[] = [
  { name: 'camt.053', read: readCamt, source: CAMT, cutIsSeen: true },
  { name: 'camt.053 with prefixes', read: readCamt, source: prefixed(CAMT), cutIsSeen: true },
  { name: 'camt.054 in UTF-16', read: readCamt, source: utf16(`\ufeff${NOTICE}`, 'le'), cutIsSeen: true },
  { name: 'MT940', read: readMt940, source: MT940, cutIsSeen: true },
  { name: 'MT942 in windows-1254', read: readMt940, source: windows1254(MT942), cutIsSeen: true },
  { name: 'CSV', read: readTable, source: CSV, cutIsSeen: false },
  { name: 'CSV in windows-1254', read: readTable, source: windows1254(CSV), cutIsSeen: false },
  ...[SHEET, TEXTS, 'xl/styles.xml', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels', '_rels/.rels'].map((part) => {
    return {
      name: `XLSX, ${part}`,
      read: readSheet,
      source: PARTS[part] as Uint8Array,
      pack: xlsxWith(part),
      cutIsSeen: true,
    }
  }),
]

const LONG = 3 * 1024 * 1024
const DOCTYPE = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
/** Growth within the ratio that a zip file may have: what is in it does not shrink. */
const noise = (length: number) =>
  Buffer.from(Uint32Array.from({ length }, (_, at) => Math.imul(at + 1, 0x9e3779b1)).buffer)
    .toString('hex')
    .slice(0, length)
const line86 = (text: string) => MT940.replace(':86:/EREF/1/REMI/x', text)
const xlsxPart = (part: string, xml: string) => () => zipSync({ ...PARTS, [part]: utf8(xml) }, { level: 1 })

/** Their size is such that time or memory that grows with its square would never end. */
export const BOMBS: { name: string; read: StatementReader; file: () => Uint8Array }[] = [
  {
    name: 'camt with entities',
    read: readCamt,
    file: () => utf8(CAMT.replace('<Document', `${DOCTYPE}<Document`).replace('Şş', '&c;')),
  },
  {
    name: 'camt with an entity without end',
    read: readCamt,
    file: () => utf8(CAMT.replace('Şş', `&${'a'.repeat(LONG)}`)),
  },
  {
    name: 'camt with a comment without end',
    read: readCamt,
    file: () => utf8(CAMT.replace('Şş', `<!--${'-'.repeat(LONG)}`)),
  },
  { name: 'camt nested without end', read: readCamt, file: () => utf8(CAMT.replace('Şş', '<a>'.repeat(LONG / 3))) },
  {
    name: 'camt with endless attributes',
    read: readCamt,
    file: () => utf8(CAMT.replace('<Sts>', `<Sts ${Array.from({ length: 9999 }, (_, at) => `a${at}="x"`).join(' ')}>`)),
  },
  { name: 'MT940 of one line', read: readMt940, file: () => utf8(':20:'.padEnd(LONG, 'x')) },
  {
    name: 'MT940 with slashes without end',
    read: readMt940,
    file: () => utf8(line86(`:86:/REMI/${'/ '.repeat(4000)}x\n`.repeat(LONG / 8192))),
  },
  {
    name: 'MT940 with subfields without end',
    read: readMt940,
    file: () => utf8(line86(`:86:166?20${'?20'.repeat(2000)}\n`.repeat(LONG / 8192))),
  },
  { name: 'CSV with a quote without end', read: readTable, file: () => utf8(`${CSV}\r\n"${'x\n'.repeat(LONG)}`) },
  {
    name: 'CSV with labels without end',
    read: readTable,
    file: () => utf8(`${'Hesap No;'.repeat(10_000)}x\n`.repeat(200)),
  },
  { name: 'CSV of separators', read: readTable, file: () => utf8(';'.repeat(LONG)) },
  { name: 'CSV in UTF-16 without line ends', read: readTable, file: () => utf16(`\ufeff${'x'.repeat(LONG)}`, 'le') },
  ...Object.keys(PARTS)
    .filter((part) => part !== '[Content_Types].xml')
    .map((part) => ({
      name: `XLSX with entities in ${part}`,
      read: readSheet,
      file: xlsxPart(part, `${DOCTYPE}<worksheet>&c;</worksheet>`),
    })),
  { name: 'XLSX with a comment without end', read: readSheet, file: xlsxPart(SHEET, `<worksheet><!--${noise(LONG)}`) },
  {
    name: 'XLSX with an attribute without end',
    read: readSheet,
    file: xlsxPart(SHEET, `<worksheet a="${noise(LONG)}`),
  },
  {
    name: 'XLSX with a text without end',
    read: readSheet,
    file: xlsxPart(TEXTS, `<sst><si><t>${noise(LONG)}</t></si></sst>`),
  },
  {
    name: 'XLSX with texts without end',
    read: readSheet,
    file: xlsxPart(TEXTS, `<sst>${'<si/>'.repeat(1_000_001)}</sst>`),
  },
  {
    name: 'XLSX with large styles',
    read: readSheet,
    file: xlsxPart('xl/styles.xml', `<styleSheet>${' '.repeat(9 * 1024 * 1024)}</styleSheet>`),
  },
]
