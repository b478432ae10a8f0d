import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { argumentsAt, literalsOf } from '../../../../../test/harness/source-texts.ts'
import { FILE_TEXTS, fileText } from './file-texts.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

/** Which argument of a call is a text that a page may show. */
const CALLS: Record<string, number> = {
  'new BankFileError': 1,
  malformed: 1,
  zipError: 0,
  fail: 0,
  unknown: 0,
  known: 1,
  compare: 0,
}

/** Orders and their reports, and saved mappings: no page takes these files. */
const NOT_IN_CONSOLES = /\/(?:pain00|orders|read-orders|write-orders|column-mapping|mapping-checks)/

/** Texts that are made elsewhere, as they may be, and their words. */
const MADE: Record<string, Record<string, string>> = {
  'csv-rows.ts': {
    'line 7: a row of more than 100000 characters; expected rows that end: is a quote not closed?':
      '7. satır: 100000 karakterden uzun bir satır var. Kapanmamış bir tırnak mı var?',
    'line 7: a quote is opened and not closed before the end of the file':
      '7. satır: açılan bir tırnak dosyanın sonuna kadar kapanmıyor',
    'line 7: not readable as a table: "Invalid Record"': '7. satır: tablo olarak okunamıyor',
  },
  'detect-format.ts': {
    'line 1: not a statement that can be imported: an HTML page, even if it is named .xls; open it in a spreadsheet and save it as .xlsx, or export CSV from the bank':
      'okunabilen bir ekstre değil: uzantısı .xls olsa da bir HTML sayfası; Excel’de açıp .xlsx olarak kaydedin ya da bankadan CSV indirin',
    'line 1: expected an .xlsx file; this is an old Excel file (.xls) or one with a password; open it in a spreadsheet and save it as .xlsx without a password, or as CSV':
      '.xlsx dosyası olmalı; bu dosya: eski bir Excel dosyası (.xls) veya parolalı; Excel’de açıp parolasız .xlsx ya da CSV olarak kaydedin',
    'line 1: expected a CSV file; this is an XML spreadsheet of Excel 2003; open it in a spreadsheet and save it as .xlsx':
      'CSV dosyası olmalı; bu dosya: Excel 2003 XML tablosu; Excel’de açıp .xlsx olarak kaydedin',
    'a table with its header on line 3; the IBAN is of Akbank':
      'başlığı 3. satırda olan bir tablo; IBAN Akbank bankasının',
  },
  'mt-line.ts': {
    'line 9: found :61: "2611", expected value date, entry date, mark, amount, type and references such as 2601310131C1234,56NTRFREF//BANKREF':
      '9. satır: :61: alanında "2611" var; beklenen: valör, kayıt tarihi, işaret, tutar, tür ve referanslar; örneğin 2601310131C1234,56NTRFREF//BANKREF',
  },
  'text-encoding.ts': {
    'line 2, column 5: found bytes that are no character of utf-8; export the file again, as UTF-8 if the bank offers it':
      '2. satır, 5. sütun: utf-8 karakteri olmayan baytlar var; dosyayı bankadan yeniden, mümkünse UTF-8 olarak indirin',
    'line 2, column 5: a zero byte, which no text has; expected UTF-8, windows-1254, or UTF-16 with its mark':
      '2. satır, 5. sütun: metinde olmaması gereken bir sıfır baytı var; dosya UTF-8, windows-1254 veya imli UTF-16 olmalı',
  },
  'xml-text.ts': {
    'line 2, column 5: found a byte that is not UTF-8, the encoding of the file':
      '2. satır, 5. sütun: dosyanın kodlamasına (UTF-8) uymayan bir bayt var',
  },
  'xml-tokens.ts': {
    'line 2, column 5: this is not XML: unclosed tag: Ntry.': '2. satır, 5. sütun: dosya geçerli bir XML değil',
  },
}

/** Those whose values are words, too. */
const WITH_VALUES: Record<string, string> = {
  'line 2, column 4: "1,500" may be 1500 or 1.500; import the file as the bank exported it, not saved by a spreadsheet':
    '2. satır, 4. sütun: "1,500", 1500 de olabilir 1.500 da; dosyayı Excel’de kaydetmeden, bankadan indirdiğiniz gibi yükleyin',
  'sheet "Sayfa1", line 2: the header lacks a column; expected Tarih, Tutar and B/A, or Borç and Alacak':
    '"Sayfa1" sayfası, 2. satır: başlıkta eksik sütun var; beklenen: Tarih, Tutar ve B/A ya da Borç ve Alacak',
  'line 1: found no bank message, expected BkToCstmrStmt, BkToCstmrAcctRpt (camt.052, camt.053, camt.054)':
    'dosyada banka mesajı yok; beklenen: BkToCstmrStmt, BkToCstmrAcctRpt (camt.052, camt.053, camt.054)',
  'line 1: it may be of akbank or teb: name it with --profile NAME or give its columns with --mapping FILE':
    'şunlardan birinin olabilir: akbank veya teb: banka düzenini seçin',
  'line 1: no built-in bank fits (line 2: found no header row; expected the columns of the profile): name it with --profile NAME or give its columns with --mapping FILE':
    'bilinen bir bankaya uymuyor (2. satır: başlık satırı yok; beklenen: banka düzeninin sütunları): banka düzenini seçin',
  'line 5: the lines of one day may have 50 MB at most, to be put in order; export a shorter period':
    '5. satır: sıraya konabilmesi için bir günün satırları en çok 50 MB olabilir; daha kısa bir dönemin ekstresini indirin',
  'line 4: "Ali and Can" is not an amount; expected the form 1.234,56':
    '4. satır: "Ali and Can" bir tutar değil; 1.234,56 biçiminde olmalı',
}

type Site = { file: string; text: string | null }

function sitesIn(file: string): Site[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const calls = new RegExp(String.raw`(?<![\w.]|function |const )(${Object.keys(CALLS).join('|')})\(`, 'g')
  const given = [...source.matchAll(calls)].map(
    (call) => argumentsAt(source, call.index + call[0].length - 1)[CALLS[call[1] ?? ''] ?? 0] ?? '',
  )
  const named = [...source.matchAll(/(?<![\w.])what(?:: | = )(?=['"`])/g)].map(
    (one) => literalsOf(source.slice(one.index + one[0].length))[0] ?? '',
  )
  return [
    ...named.map((text) => ({ file, text })),
    ...given.flatMap((expression): Site[] => {
      const texts = literalsOf(expression).filter((one) => /[a-z]{3}/i.test(one.replaceAll('{}', '')))
      return texts.length === 0 ? [{ file, text: null }] : texts.map((text) => ({ file, text }))
    }),
  ]
}

const FILES = [
  ...globSync('packages/bank-formats/src/*.ts', { cwd: ROOT }),
  ...globSync('packages/server/src/domain/statements/files/{open-file,read-in-parts}.ts', { cwd: ROOT }),
].filter((file) => !file.endsWith('.test.ts') && !NOT_IN_CONSOLES.test(file))

test('every text about a statement file has Turkish words', () => {
  const sites = FILES.flatMap(sitesIn)
  assert.ok(sites.length > 120, `${sites.length} texts were found`)
  const missing = sites.filter(({ text }) => text !== null && /[a-z]{3}/i.test(text) && FILE_TEXTS[text] === undefined)
  assert.deepEqual(missing, [], 'add them to file-errors.ts')
  const made = new Set(sites.filter(({ text }) => text === null).map(({ file }) => file.split('/').at(-1) ?? ''))
  assert.deepEqual([...made].toSorted(), Object.keys(MADE).toSorted(), 'texts that are not written where they are used')
})

test('values of such a text are in Turkish, too; what the bank wrote stays', () => {
  for (const [text, words] of [...Object.values(MADE).flatMap(Object.entries), ...Object.entries(WITH_VALUES)])
    assert.equal(fileText('tr', text), words)
  assert.equal(fileText('en', 'line 1: the file is empty'), 'line 1: the file is empty')
})
