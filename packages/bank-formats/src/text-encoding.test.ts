import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BankFileError } from './file-problems.ts'
import { inPieces, utf16, utf8, windows1254 } from '../test/sheets.ts'
import { decodeText, encodingOf } from './text-encoding.ts'
import type { TextEncoding } from './text-encoding.ts'

const TEXT = 'Tarih;Açıklama\r\n01.02.2026;İĞŞÇÖÜ ığşçöü\r\n'
const BOM = [0xef, 0xbb, 0xbf]

async function decoded(bytes: Uint8Array, size?: number, declared?: TextEncoding): Promise<string> {
  let text = ''
  for await (const piece of decodeText(inPieces(bytes, size), declared)) text += piece
  return text
}

for (const [name, bytes] of [
  ['UTF-8', utf8(TEXT)],
  ['UTF-8 with a byte order mark', Uint8Array.from([...BOM, ...utf8(TEXT)])],
  ['windows-1254', windows1254(TEXT)],
  ['UTF-16 little endian', utf16(`\ufeff${TEXT}`, 'le')],
  ['UTF-16 big endian', utf16(`\ufeff${TEXT}`, 'be')],
] as const) {
  test(`${name} is recognised and read, in pieces of any size`, async () => {
    for (const size of [1, 2, 3, 5, 7, 1000]) assert.equal(await decoded(bytes, size), TEXT, `pieces of ${size}`)
  })
}

test('what is declared counts, unless there is a byte order mark', async () => {
  assert.equal(await decoded(Uint8Array.of(0xdd, 0xfe), 1, 'iso-8859-9'), 'İş')
  assert.equal(await decoded(Uint8Array.of(0xc3, 0x84), 1, 'windows-1254'), 'Ã„')
  assert.equal(await decoded(Uint8Array.from([...BOM, ...utf8('ş')]), 1, 'windows-1254'), 'ş')
  assert.equal(await decoded(new Uint8Array()), '')
})

test('the encoding is found when the first Turkish letter comes late, and the rest streams', async () => {
  const plain = 'A'.repeat(200_000)
  assert.equal(await decoded(windows1254(`${plain}ş${plain}İ`)), `${plain}ş${plain}İ`)
  assert.equal(await decoded(utf8(`${plain}ş${plain}İ`)), `${plain}ş${plain}İ`)
})

test('bytes without a meaning are an error with line and column', async () => {
  const cases: [Uint8Array, TextEncoding | undefined, RegExp][] = [
    // UTF-8 with one damaged letter is not read as windows-1254, where all others would be wrong.
    [Uint8Array.from([...utf8('aş\nbc'), 0xc5, ...utf8('dİ')]), undefined, /^line 2, column 3: .*utf-8/],
    [Uint8Array.from([...utf8('aş\n'), 0xc4]), undefined, /^line 2, column 1: .*utf-8/],
    [Uint8Array.of(0x41, 0x0a, 0x42, 0x81), 'windows-1254', /^line 2, column 2: .*windows-1254/],
    [Uint8Array.of(0x41, 0x80), 'iso-8859-9', /^line 1, column 2: .*iso-8859-9/],
    [Uint8Array.of(0x41, 0x0a, 0x00), undefined, /^line 2, column 1: zero_byte/],
    [Uint8Array.of(0xff, 0xfe, 0x41, 0x00, 0x42), undefined, /^line 1, column 2: .*utf-16le/],
    [Uint8Array.of(0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00), undefined, /^line 1, column 1: .*utf-16le/],
  ]
  for (const [bytes, declared, message] of cases)
    for (const size of [1, 100])
      await assert.rejects(decoded(bytes, size, declared), (error) => {
        assert.ok(error instanceof BankFileError)
        assert.match(error.message, message)
        return true
      })
})

test('a replacement character that the bank wrote is text', async () => {
  assert.equal(await decoded(utf8('AY\ufffdE ş')), 'AY\ufffdE ş')
})

test('any text comes back from every encoding that has it', async () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcXYZ 019;,.\n"ÇĞİÖŞÜçğıöşü'.split('')), maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(letters, fc.integer({ min: 1, max: 9 }), async (text, size) => {
      assert.equal(await decoded(utf8(text), size), text)
      assert.equal(await decoded(windows1254(text), size), text)
      assert.equal(await decoded(utf16(`\ufeff${text}`, 'be'), size), text)
    }),
  )
})

test('random bytes are text or an error with a place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (bytes, size) => {
      encodingOf(bytes)
      await decoded(bytes, size).catch((error) => assert.ok(error instanceof BankFileError))
    }),
  )
})
