import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileError } from '@vezne/bank-formats'
import { fileNote } from '../../kernel/refusals/files.ts'
import { NOTICES } from '../../kernel/refusals/notices.ts'
import { REASONS, refuse } from '../../kernel/refusals/refuse.ts'
import { CONTENT_SENTENCES } from './file-contents.ts'
import { FORM_SENTENCES } from './file-forms.ts'
import { LAYOUT_SENTENCES } from './layouts.ts'
import { ORDER_PROBLEM_SENTENCES } from './orders.ts'
import { refusalForTerminal, refusalText, say } from './say.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const sources = (...patterns: string[]) =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, code: readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '') }))

const PARTS = [FORM_SENTENCES, CONTENT_SENTENCES, LAYOUT_SENTENCES, ORDER_PROBLEM_SENTENCES]
const codes = PARTS.flatMap((part) => Object.keys(part))

test('every code of a file is given by a reader or a writer, and is the name of nothing else', () => {
  assert.ok(codes.length > 90, `${codes.length} codes`)
  const given = sources('packages/bank-formats/src/*.ts', 'packages/server/src/{domain,kernel}/**/*.ts')
  const all = given.map(({ code }) => code).join('\n')
  assert.deepEqual(
    codes.filter((code) => !all.includes(`'${code}'`)),
    [],
  )
  const others = new Set([...Object.keys(NOTICES), ...Object.keys(REASONS)])
  assert.deepEqual(
    codes.filter((code, at) => others.has(code) || codes.indexOf(code) !== at),
    [],
  )
})

test('the package of bank files has no sentence', () => {
  const sentence = /(['"`])(?:(?!\1).)*\b[a-z]{2,} (?:[a-z]+ )*[a-z]{2,}[,:;]? [a-z]{2,}\b(?:(?!\1).)*\1/g
  const found = sources('packages/bank-formats/src/*.ts').flatMap(({ file, code }) =>
    [...code.matchAll(sentence)].flatMap(([text]) => (LISTS.test(text) ? [] : `${file}: ${text}`)),
  )
  assert.deepEqual(found, [])
})

/** Names of settings, in one text. */
const LISTS = /^'(?:[a-zA-Z]+ )+[a-zA-Z]+'$/

test('a problem is said with its place, days and amounts as people write them, and what the bank wrote as it stands', () => {
  const { problem } = fileError({ line: 3, column: 5, sheet: 'Ocak' }, 'value_not_date', {
    text: '31.02.2026',
    forms: ['31.01.2026', '2026-01-31'],
  })
  assert.equal(
    say('tr', fileNote(problem)),
    '“Ocak” sayfası, 3. satır, 5. sütun: “31.02.2026” geçerli bir tarih değil; 31.01.2026 veya 2026-01-31 gibi olmalı',
  )
  assert.equal(
    say('en', fileNote(problem)),
    'sheet “Ocak”, line 3, column 5: “31.02.2026” is not a date; expected one such as 31.01.2026 or 2026-01-31',
  )
  const lira = (minor: string) => ({ minor, currency: 'TRY' })
  const sum = { field: ':90C:', of: 'credit', found: lira('123456'), expected: lira('-5') } as const
  const total = fileNote(fileError({ line: 11 }, 'sum_differs', sum).problem)
  assert.equal(say('tr', total), '11. satır: :90C: içindeki alacak toplamı 1.234,56 TL; satırlara göre -0,05 TL olmalı')
  assert.equal(say('en', total), 'line 11: the sum of credits in :90C: is 1.234,56 TL; by the lines it is -0,05 TL')
  const header = fileError({ line: 2 }, 'header_incomplete', {
    columns: ['Tarih'],
    amounts: [
      ['Tutar', 'B/A'],
      ['Borç', 'Alacak'],
    ],
  })
  assert.equal(
    say('tr', fileNote(header.problem)),
    '2. satır: başlıkta eksik sütun var; beklenen: Tarih, Tutar ve B/A ya da Borç ve Alacak',
  )
})

test('a problem inside a problem, in a refusal: in one language, with the options that help', () => {
  const header = fileError({ line: 2 }, 'header_missing', { columns: [], amounts: [] }).problem
  const unfitting = fileNote(fileError(null, 'bank_unfitting', { problem: header }).problem)
  const refused = refuse('file_unreadable', { file: 'a.xlsx', problem: unfitting })
  assert.equal(
    refusalText('tr', refused),
    'a.xlsx okunamadı: bilinen bir bankaya uymuyor (2. satır: başlık satırı yok); banka düzenini seçin. Bu dosyadan hiçbir satır aktarılmadı.',
  )
  assert.deepEqual(refusalForTerminal(refused), [
    'a.xlsx cannot be read: it fits no known bank (line 2: there is no header); choose the layout. Nothing of this file was imported.',
    '  --profile NAME',
    '  --mapping FILE',
  ])
})
