import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BankFileError } from './file-problems.ts'
import { readCamt } from './camt.ts'
import { readAll, readOne } from '../test/bytes-of.ts'
import { camtFile, details, entry, statement } from '../test/camt-file.ts'

const refused = (file: string | Uint8Array, message: RegExp, pieceBytes?: number) =>
  assert.rejects(
    readAll(readCamt, file, pieceBytes),
    (error) => error instanceof BankFileError && message.test(error.message),
  )

const TURKISH = 'İĞÜŞÖÇ ığüşöç'
const fileWith = (text: string, encoding = 'UTF-8') =>
  camtFile([statement(entry({ more: details(`<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`) }))], { encoding })

/** Turkish letters in windows-1254 and ISO-8859-9. */
const BYTES_1254: Record<string, number> = { İ: 0xdd, ı: 0xfd, Ğ: 0xd0, ğ: 0xf0, Ş: 0xde, ş: 0xfe }
const to1254 = (text: string) =>
  Buffer.from(Array.from(text).map((letter) => BYTES_1254[letter] ?? letter.charCodeAt(0)))

test('Turkish letters in every encoding that the file names', async () => {
  const utf16 = Buffer.from(`\uFEFF${fileWith(TURKISH, 'UTF-16')}`, 'utf16le')
  const files = {
    'UTF-8': Buffer.from(fileWith(TURKISH)),
    'UTF-8 with BOM': Buffer.from(`\uFEFF${fileWith(TURKISH)}`),
    'ISO-8859-9': to1254(fileWith(TURKISH, 'ISO-8859-9')),
    'windows-1254': to1254(fileWith(TURKISH, 'windows-1254')),
    'UTF-16 little endian': utf16,
    'UTF-16 big endian': Buffer.from(utf16).swap16(),
    'UTF-16 without BOM': utf16.subarray(2),
    'UTF-8 that says UTF-16': Buffer.from(fileWith(TURKISH, 'utf-16')),
    'no declaration': Buffer.from(fileWith(TURKISH).replace(/<\?.*\?>/, '')),
  }
  for (const [name, file] of Object.entries(files))
    assert.equal((await readOne(readCamt, file)).entries[0]?.narrative, TURKISH, name)
})

test('bytes that are not of the encoding are refused with their place, in a small and in a large file', async () => {
  for (const before of [0, 5000]) {
    const lines = '\n'.repeat(before)
    const file = Buffer.from(fileWith(`${lines}ğ@`))
    const at = file.indexOf('@')
    file[at] = 0xff
    const column = before === 0 ? file.subarray(file.lastIndexOf(10, at) + 1, at).toString().length + 1 : 2
    await refused(file, new RegExp(`^line ${5 + before}, column ${column}: encoding_wrong {"encoding":"utf-8"}`))
  }
  const half = Buffer.from(`\uFEFF${fileWith('x', 'UTF-16')}`, 'utf16le')
  await refused(half.subarray(0, -1), /encoding_wrong {"encoding":"utf-16le"}/)
  await refused(fileWith('', 'klingon'), /^encoding_unknown {"encoding":"klingon"}/)
  await refused(fileWith('', 'shift_jis'), /^encoding_unknown {"encoding":"shift_jis"}/)
})

test('entities: the five of XML and characters by number are read, all others are refused', async () => {
  const known = await readOne(readCamt, fileWith('&lt;a&gt; &amp;amp; &quot;&apos; &#x130;&#305; <![CDATA[<b>&]]>'))
  assert.equal(known.entries[0]?.narrative, `<a> &amp; "' İı <b>&`)
  for (const entity of [
    '&nbsp;',
    '&xxe;',
    '&constructor;',
    '&__proto__;',
    '&toString;',
    '&;',
    '& ',
    '&#0;',
    '&#xD800;',
    '&#x110000;',
  ])
    await refused(fileWith(entity), /xml_malformed/)
})

test('document types are refused, so nothing is expanded or fetched', async () => {
  const bomb = `<!DOCTYPE d [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">]>`
  for (const type of [bomb, '<!DOCTYPE d SYSTEM "file:///etc/passwd">', '<!DOCTYPE html>'])
    await refused(fileWith('&c;').replace('<Document', `${type}<Document`), /xml_doctype/)
})

test('what would not fit into memory is refused: depth, names, attributes, texts, comments, elements of an entry', async () => {
  const huge = 'x'.repeat(300_000)
  const many = (text: string, times: number) => text.repeat(times)
  const cases: [string, RegExp][] = [
    [fileWith(many('<a>', 100) + many('</a>', 100)), /too_many {"what":"levels","most":64}/],
    [fileWith(huge), /"what":"text","most":65536}|"what":"gap","most":262144}/],
    [fileWith(`<a b="${huge}"/>`), /"what":"attribute"|"what":"gap","most":262144}/],
    [fileWith(`<a b="${'x'.repeat(5000)}"/>`), /too_long {"what":"attribute","most":4096}/],
    [
      fileWith(`<a${Array.from({ length: 100 }, (_, at) => ` b${at}=""`).join('')}/>`),
      /too_many {"what":"attributes","most":32}/,
    ],
    [fileWith(`<${'n'.repeat(200)}/>`), /too_long {"what":"name","most":128}/],
    [fileWith(`<!--${huge}-->`), /too_long {"what":"gap","most":262144}/],
    [fileWith(`<?p ${huge}?>`), /too_long {"what":"gap","most":262144}/],
    [fileWith(`<![CDATA[${huge}]]>`), /"what":"text","most":65536}|"what":"gap","most":262144}/],
    [fileWith(many('<a/>', 30_000)), /too_many {"what":"elements","most":20000}/],
    [fileWith(many(`<a>${'x'.repeat(60_000)}</a>`, 20)), /too_long {"what":"element","most":1048576}/],
  ]
  for (const [file, message] of cases) await refused(file, message, 50_000)
})

test('XML that is not well-formed is refused with its place', async () => {
  const good = fileWith('x')
  for (const file of [
    good.replace('</Ustrd>', '</Ustr>'),
    good.replace('<Ustrd>', '<Ustrd'),
    good.replace('<Ustrd>', '<p:Ustrd>').replace('</Ustrd>', '</p:Ustrd>'),
    good.slice(0, -1),
    `${good}<a/>`,
    `${good}text`,
    `x${good}`,
    '',
    ' ',
  ])
    await refused(file, /^line \d+, column \d+: xml_malformed/)
})

test('elements inside of supplementary data are not taken for entries or details', async () => {
  const inside = `<SplmtryData><Envlp>${entry()}<TxDtls/><NtryDtls/></Envlp></SplmtryData>`
  const more = details('<RmtInf><Ustrd>one</Ustrd></RmtInf>') + inside
  const { entries } = await readOne(readCamt, camtFile([statement(entry({ more }) + inside)]))
  assert.deepEqual(
    entries.map(({ narrative }) => narrative),
    ['one'],
  )
})
