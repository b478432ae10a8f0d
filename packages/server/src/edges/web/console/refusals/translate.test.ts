import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { argumentsAt, literalsOf } from '../../../../../../../test/harness/source-texts.ts'
import { invalidField, Refusal } from '../../../../platform/refusal.ts'
import { PAGE_ENGLISH } from './page-english.ts'
import { FIELDS } from '../../../../acts/refusals/terms.ts'
import { fileText, inTurkish, isWhole, PHRASES, refusalText } from './translate.ts'

const SRC = join(import.meta.dirname, '../../../..')

/** No console calls what these files export; the second test checks it. */
const NOT_IN_CONSOLES = [
  'domain/deposits/cancel-deposit.ts',
  'domain/deposits/erase-deposit.ts',
  'domain/erasures/erase-transaction.ts',
  'domain/matching/deposits/fund-merchant.ts',
  'domain/merchants/spent-requests/spend-requests.ts',
  'domain/payouts/erase-withdrawal.ts',
  'domain/restores/check-restored.ts',
  'domain/restores/lost-payouts.ts',
  'domain/restores/mark-restored.ts',
  'domain/restores/record-unsent.ts',
  'domain/restores/release-restored.ts',
  'domain/statements/cursors/reread-source.ts',
  'domain/statements/erase-lines.ts',
  'domain/webhooks/erase-events.ts',
  'domain/withdrawals/cancel-withdrawal.ts',
]

/** Texts that are made elsewhere, as they may be. */
const MADE: Record<string, string[]> = {
  'domain/books/journal/plan-payout-debit.ts': [
    'The lines have 1 of the 2 of the payout: line 3 is not needed. Leave it out; it is explained on its own.',
    'The lines have 1 of the 2 of the payout: 3 too much. Once the payout has ended, that is owed to us, or a bank_charge: vezne journal propose receivable --line 1',
    'The lines have 1 of the 2 of the payout: one line is enough. vezne withdrawal resolve 1 --found REFERENCE, then: vezne',
    'Line 1 is a debit, needs_review (debit), not a debit of payout 2.',
  ],
  'domain/deposits/create-deposits.ts': [
    'Bank takes 1 to 2 (3 to 4). The amount 5 is 6; amounts are in the smallest unit (kuruş).',
    'None of the available banks takes this amount; together they take 1 to 2 (3 to 4). The amount 5',
    'is A (1), which is not available to this account at the moment; choose another one from GET /v1/available-banks',
  ],
  'domain/connections/access.ts': ['must be https'],
  'domain/merchants/endpoints/callback-networks.ts': [
    '8.8.8.0/24 must be a private network such as 10.20.0.0/16 or 192.168.7.7, no loopback, link-local or metadata address',
  ],
  'domain/merchants/endpoints/manage-endpoints.ts': [
    'is not a web address',
    '169.254.169.254 is not a public address',
    'hooks.internal is not a public name',
    'must use port 443 or 8443',
  ],
  'domain/withdrawals/create-withdrawals.ts': [],
  'domain/withdrawals/refunds/refund-recipient.ts': [
    'is required: the bank did not say from which account the deposit was paid, or it is erased',
  ],
}

const PHRASES_TEXT = Object.keys(PHRASES).join('\n')

type Site = { file: string; text: string | null; field: string | null }

const CALLS = { 'new Refusal': 1, invalidField: 1, mustGiveReason: 2 } as const

function sitesIn(file: string): Site[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [...text.matchAll(/(new Refusal|invalidField|mustGiveReason)\(/g)].flatMap((call): Site[] => {
    const name = call[1] as keyof typeof CALLS
    const before = text.slice(Math.max(0, call.index - 16), call.index)
    if (/(function |\* )$/.test(before)) return []
    const given = argumentsAt(text, call.index + call[0].length - 1)
    const [field = null] = name === 'new Refusal' ? [] : literalsOf(given[0] ?? '')
    // Not what a database fault says: the page of that has its own words.
    if (given[0] === "'SERVICE_UNAVAILABLE'") return []
    const message = given[CALLS[name]] ?? ''
    const texts = literalsOf(message).filter((one) => /[a-z]{3}/i.test(one.replaceAll('{}', '')))
    return texts.length === 0 ? [{ file, text: null, field }] : texts.map((one) => ({ file, text: one, field }))
  })
}

const FILES = globSync('{domain,kernel}/**/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'))

test('every refusal that a form of a console can meet has Turkish words, and so has its field', () => {
  const sites = FILES.filter(
    (file) => !NOT_IN_CONSOLES.includes(file) && file !== 'kernel/reason.ts' && !file.startsWith('kernel/refusals/'),
  ).flatMap(sitesIn)
  assert.ok(sites.length > 250, `${sites.length} refusals were found`)
  const missing = sites.filter(({ text }) => text !== null && PHRASES[text] === undefined)
  assert.deepEqual(missing, [], 'add them to a file of this folder')
  const made = new Set(sites.filter(({ text }) => text === null).map(({ file }) => file))
  assert.deepEqual(
    [...made].toSorted(),
    Object.keys(MADE).toSorted(),
    'texts that are not written where they are thrown',
  )
  for (const text of Object.values(MADE).flat()) {
    assert.notEqual(inTurkish(text), text, text)
    assert.ok(isWhole(inTurkish(text)), inTurkish(text))
  }
  const fields = new Set(sites.flatMap(({ field }) => field ?? []))
  assert.deepEqual(
    [...fields].filter((field) => FIELDS[field] === undefined),
    [],
    'add them to FIELDS',
  )
})

/** Sentences of a file that are not written where they are thrown, without their values. */
function sentencesOf(file: string): string[] {
  const code = readFileSync(join(SRC, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
  const thrown = new Set(sitesIn(file).map(({ text }) => text))
  return literalsOf(code).filter((one) => !thrown.has(one) && (one.match(/ [a-z]{2,}/g)?.length ?? 0) >= 3)
}

test('where texts are made elsewhere than thrown, each sentence of the file is tried', () => {
  const untried = Object.entries(MADE).flatMap(([file, samples]) =>
    sentencesOf(file)
      .map((text) => text.split('{}').toSorted((a, b) => b.length - a.length)[0] ?? '')
      .filter((part) => !samples.some((sample) => sample.includes(part)) && !PHRASES_TEXT.includes(part))
      .map((part) => `${file}: ${part}`),
  )
  assert.deepEqual(untried, [], 'add a text with it to MADE')
})

test('no page shows a command or a text that is English in part', () => {
  for (const [text, words] of Object.entries(PHRASES)) {
    const refusal = new Refusal('INVALID_STATE', text.replaceAll('{}', '7'))
    for (const language of ['tr', 'en'] as const)
      assert.doesNotMatch(refusalText(language, refusal), /vezne [a-z]|--[a-z]/, text)
    assert.ok(isWhole(words), words)
  }
  const english = 'The line is odd, and this is not known to the pages. Two people look at it: vezne line show 7'
  const noWords = refusalText('tr', new Refusal('INVALID_STATE', english))
  assert.match(noWords, /^Kaydın şu anki durumu bu işleme izin vermiyor/)
  const inPart = new Refusal('INVALID_STATE', `The line is held for deposit 7, and that is ${english}`)
  assert.equal(refusalText('tr', inPart), noWords)
  assert.equal(
    refusalText(
      'en',
      new Refusal(
        'INVALID_STATE',
        'Line 7 was split over several deposits. Take the split back: vezne journal reverse 8',
      ),
    ),
    'Line 7 was split over several deposits. Take the split back.',
  )
})

/** Sentences that lost their end with the command: too short, without a beginning, or only a condition. */
function fragmentsOf(text: string): string[] {
  const sentences = text.replaceAll(/\d+,\d+ TL/g, '7').split(/(?<=[.!?])\s+(?=\D)/)
  const isFragment = (one: string) =>
    one.split(' ').length < 4 || /^\p{Ll}/u.test(one) || /^(?:If|To|What|Of)\b[^,:]*$/.test(one)
  return sentences.filter(isFragment)
}

test('an English refusal without its command has whole sentences', () => {
  assert.deepEqual(fragmentsOf('The line has no more than the payout. Its return.'), ['Its return.'])
  assert.deepEqual(fragmentsOf('To book that one instead.'), ['To book that one instead.'])
  const cut = Object.keys(PHRASES).flatMap((text) => {
    const message = text.replaceAll('{}', '7')
    // What is wrong with a field comes after its name.
    const refusal = /^\p{Ll}/u.test(text) ? invalidField('Part', message) : new Refusal('INVALID_STATE', message)
    const shown = refusalText('en', refusal)
    return shown === refusal.message ? [] : [{ message: refusal.message, shown }]
  })
  assert.ok(cut.length > 90, `${cut.length} texts are cut`)
  const bad = cut.filter(({ message, shown }) => fragmentsOf(shown).some((one) => !message.includes(one)))
  assert.deepEqual(bad, [], 'give them a text of their own in page-english.ts')
  const parts = 'must sum to the line: it has 7, the parts and the rest have 8. What is for no deposit: --rest KURUS'
  assert.match(
    refusalText('en', invalidField('part', parts)),
    /^part must sum .* have 8\. Write what .* as the rest\.$/,
  )
  const unknown = Object.keys(PAGE_ENGLISH).filter((text) => PHRASES[text] === undefined)
  assert.deepEqual(unknown, [], 'no refusal has these texts')
})

test('no console imports anything of the files whose refusals are left in English', () => {
  const imported = new Set(
    globSync('edges/{operator-console,merchant-console,web}/**/*.ts', { cwd: SRC }).flatMap((file) =>
      [...readFileSync(join(SRC, file), 'utf8').matchAll(/^import \{([^}]*)\} from '[^']*domain\//gm)].flatMap(
        ([, names = '']) => names.split(',').map((name) => name.trim()),
      ),
    ),
  )
  const exported = NOT_IN_CONSOLES.flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(
      ([, name]) => `${relative('.', file)} ${name}`,
    ),
  )
  assert.ok(exported.length > NOT_IN_CONSOLES.length / 2)
  assert.deepEqual(
    exported.filter((one) => imported.has(one.split(' ')[1] ?? '')),
    [],
  )
})

test('values stay and states are translated; a field has its name; English and our own words stay as they are', () => {
  const refused = new Refusal('INVALID_STATE', 'The line is matched (by_hand), not in suspense.')
  assert.equal(refusalText('tr', refused), 'Satır eşleşmiş; askıda değil.')
  assert.equal(refusalText('en', refused), refused.message)
  assert.equal(
    refusalText('tr', invalidField('why', 'must say why, in five characters or more')),
    'Neden: nedeni en az beş karakterle yazın',
  )
  assert.equal(
    refusalText(
      'tr',
      new Refusal('INVALID_STATE', 'The line is not incoming money. If that stays so, reject it: vezne'),
    ),
    'Satır gelen para değil. Böyle kalırsa öneriyi reddedin.',
  )
  const poor = 'The withdrawal needs 100,00 TL including its fee; 0,00 TL is available.'
  const ofLine = (cause: Refusal) => new Refusal(cause.code, `F1: ${cause.message}`, { cause })
  assert.equal(
    refusalText('tr', ofLine(new Refusal('INSUFFICIENT_BALANCE', poor))),
    'F1: Çekim komisyonuyla birlikte 100,00 TL gerektiriyor; kullanılabilir bakiye 0,00 TL.',
  )
  assert.equal(refusalText('tr', ofLine(invalidField('iban', 'is missing'))), 'F1: IBAN: eksik')
  assert.equal(refusalText('tr', new Refusal('NOT_FOUND', 'Satır bulunamadı.')), 'Satır bulunamadı.')
})

test('what a statement file lacks or overlaps is said in Turkish, with days as people write them', () => {
  const cases: [found: string, words: string][] = [
    [
      'overlaps 2026-11-13 (file a1), 2026-11-14 to 2026-11-15 (file b2): known lines are not counted again',
      '13.11.2026 (a1 dosyası), 14.11.2026 – 15.11.2026 (b2 dosyası) ile çakışıyor; bilinen satırlar yeniden sayılmaz',
    ],
    [
      '2 stored lines of 2026-11-13 are not in this statement: first line a1, number 77, -5,00 TL',
      '13.11.2026 gününün kayıtlı 2 satırı bu ekstrede yok; ilki a1 satırı (numara 77, -5,00 TL)',
    ],
  ]
  for (const [found, words] of cases) assert.equal(fileText('tr', found), words)
})

test('bounds of a workbook are said in Turkish', () => {
  const texts: Record<string, string> = {
    'line 1: the spreadsheet has more than 100000 rows; export a shorter period':
      'Excel dosyasında 100000 satırdan fazlası var',
    'line 1: the spreadsheet is damaged: "a.xml" grows more than 200 times when unpacked, which no statement does':
      'Excel dosyası bozuk: "a.xml" bölümü açıldığında 200 katından fazla büyüyor',
  }
  for (const [problem, words] of Object.entries(texts)) {
    const refusal = new Refusal('INVALID_STATE', `a.xlsx, ${problem}. Nothing of this file was imported.`)
    assert.ok(refusalText('tr', refusal).startsWith(`a.xlsx: dosya okunamadı (${words}; `), refusalText('tr', refusal))
  }
})
