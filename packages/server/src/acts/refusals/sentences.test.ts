import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REASONS } from '../../kernel/refusals/refuse.ts'
import type { Sentence } from './sentence.ts'
import { SENTENCES } from './say.ts'

const SRC = join(import.meta.dirname, '../..')
const sources = (pattern: string) =>
  globSync(pattern, { cwd: SRC })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }))

const all = Object.entries(SENTENCES as unknown as Record<string, Sentence<Record<string, never>>>)
/** The literals of a sentence, also of one that is made of its facts. */
const written = (text: unknown) => String(text)
/** Without the code of values. */
const words = (text: unknown) =>
  typeof text === 'string' ? text : (/[`'].*[`']/.exec(written(text))?.[0] ?? '').replace(/\$\{[^}]*\}/g, '')
const COMMAND = /\bvezne (?!görevlisi)[a-z]|(?:^|[\s(`'])--[a-z]/

test('commands and options stand in the help for the terminal only', () => {
  const wrong = all.filter(([, { en, tr }]) => [en, tr].some((text) => COMMAND.test(written(text))))
  assert.deepEqual(
    wrong.map(([why]) => why),
    [],
  )
})

test('each language has its own words', () => {
  // Figures and names alone are the same in both.
  const same = all.filter(([, { en, tr }]) => written(en) === written(tr) && / [a-z]{3,} [a-z]/.test(words(en)))
  assert.deepEqual(
    same.map(([why]) => why),
    [],
  )
  const english = /\b(?:the|this|that|they|which|with|must|people|have|there)\b/g
  const mixed = all.filter(([, { tr }]) => typeof tr === 'string' && (tr.match(english)?.length ?? 0) > 0)
  assert.deepEqual(
    mixed.map(([why]) => why),
    [],
  )
})

test('every reason is given by the service, and defined once', () => {
  const code = sources('{domain,kernel,platform,edges}/**/*.ts')
    .filter(({ file }) => !/kernel\/refusals\/(?!part|refuse)/.test(file))
    .map(({ text }) => text)
    .join('\n')
  assert.deepEqual(
    Object.keys(REASONS).filter((why) => !code.includes(`'${why}'`)),
    [],
    'no one refuses for this reason',
  )
  const defined = sources('kernel/refusals/*.ts').flatMap(({ text }) =>
    [...text.matchAll(/^  (\w+): (?:is|field|notice|note)\b/gm)].map(([, why]) => why),
  )
  assert.deepEqual(
    defined.filter((why, at) => defined.indexOf(why) !== at),
    [],
    'of two with one name, one would hide the other',
  )
  assert.ok(defined.length > 400, `${defined.length} reasons`)
})

test('the domain has no sentence and no command', () => {
  const wrong = sources('{domain,kernel}/**/*.ts').flatMap(({ file, text }) => {
    // The log is for engineers, in English.
    const code = text.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '').replace(/\blog\.\w+\([^]*?\)\n/g, '')
    const refused = /new Refusal\(|invalidField\(/.test(code) && !file.startsWith('kernel/refusals/')
    return refused || /['"`][^'"`\n]*\bvezne [a-z]+ [a-z]/.test(code) ? [file] : []
  })
  assert.deepEqual(wrong, [])
})
