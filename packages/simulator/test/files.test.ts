import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountStatement, FileEntry } from '../src/bank/files/account-statement.ts'
import { writeCsv } from '../src/bank/files/csv.ts'
import { encode } from '../src/bank/files/encode.ts'
import { writeMt940 } from '../src/bank/files/mt.ts'
import { wrap } from '../src/bank/files/wrap.ts'
import { CLIENT, OTHER } from './simulator.ts'

function entry(changes: Partial<FileEntry>): FileEntry {
  const booking: FileEntry = {
    ...{ account: CLIENT, number: '4831920045', nature: 'transfer', direction: 'credit', amount: 125_000n },
    ...{ currency: 'TRY', bookedAt: '2026-11-15T06:15:30.000Z', name: 'AYŞE YILMAZ', iban: OTHER, text: 'K7XM2Q9R' },
    ...{ endToEnd: null, batch: null, reversal: false, returned: null, foreign: null, listing: 'once', details: [] },
    ...changes,
  }
  return { ...booking, details: [booking] }
}

const STATEMENT: AccountStatement = {
  ...{ account: CLIENT, holder: 'ÖRNEK A.Ş.', bank: 'Ziraat Bankası', currency: 'TRY', withTimes: false },
  ...{ from: '2026-11-15', to: '2026-11-15', createdAt: '2026-11-16T00:05:00+03:00', opening: 100n, closing: 123_821n },
  entries: [
    entry({}),
    entry({
      number: '7710293348',
      nature: 'charge',
      direction: 'debit',
      amount: 1_279n,
      name: '',
      iban: '',
      text: 'MASRAF',
    }),
  ],
}

test('an MT940, byte for byte', () => {
  const lines = [
    '{1:F01SIMBTRISAXXX0000000000}{2:I940SIMBTRISXXXXN}{4:',
    ':20:EKSTRE20261115',
    `:25:${CLIENT}`,
    ':28C:319/1',
    ':60F:C261115TRY1,00',
    ':61:2611151115C1250,00NTRFNONREF//4831920045',
    `:86:/NAME/AYŞE YILMAZ/IBAN/${OTHER}/REMI/K7XM2Q9R`,
    ':61:2611151115D12,79NCHGNONREF//7710293348',
    ':86:/REMI/MASRAF',
    ':62F:C261115TRY1238,21',
    ':64:C261115TRY1238,21',
    '-}',
  ]
  assert.equal(writeMt940(STATEMENT), `${lines.join('\r\n')}\r\n`)
})

test('a table of an internet branch, byte for byte', () => {
  const lines = [
    'T.C. Ziraat Bankası A.Ş.;;;;;',
    `Hesap IBAN;${CLIENT};;;;`,
    'Para Birimi;TL;;;;',
    'Dönem;15.11.2026 - 15.11.2026;;;;',
    'Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No',
    '15.11.2026 09:15:30;GELEN FAST-AYŞE YILMAZ-K7XM2Q9R;;1.250,00;1.251,00;4831920045',
    '15.11.2026 09:15:30;MASRAF;12,79;;1.238,21;7710293348',
  ]
  assert.equal(writeCsv({ ...STATEMENT, withTimes: true }, 'ziraat'), `${lines.join('\r\n')}\r\n`)
  const quoted = writeCsv({ ...STATEMENT, entries: [entry({ name: '', text: 'a;"b"' })] }, 'garanti')
  assert.match(quoted, /15\.11\.2026;"a;""b""";;1\.250,00;/)
})

test('windows-1254 has the Turkish letters at their places, and a question mark for others', () => {
  const text = 'ÇĞİıÖŞÜçğöşü€ Ðд'
  assert.equal(new TextDecoder('windows-1254').decode(encode(text, 'windows-1254')), 'ÇĞİıÖŞÜçğöşü€ ??')
  assert.equal(encode(text, 'utf-8').toString(), text)
})

test('wrapped lines can be joined again: a full line goes on without a space', () => {
  const joined = (lines: string[], width: number) =>
    lines.reduce((text, line, at) => (at === 0 ? line : text + (lines[at - 1]?.length === width ? '' : ' ') + line), '')
  for (const text of [
    '',
    'short',
    'exactly ten',
    'a word that isverymuchlonger than ten',
    '0123456789 0123456789',
    'aa -b :c dd ee',
  ]) {
    const lines = wrap(text, 10, ':-')
    assert.equal(joined(lines, 10), text)
    assert.ok(
      lines.every((line) => line.length <= 10 && !/^[:-]/.test(line)),
      text,
    )
  }
})
