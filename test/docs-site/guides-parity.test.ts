import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DOCS, GUIDES } from '../../packages/server/src/edges/docs/site-map.ts'
import { blocksOf, untranslated } from './guide-blocks.ts'

const guideOf = (language: string, guide: string) => readFileSync(join(DOCS, `guides/${language}/${guide}.md`), 'utf8')

for (const guide of GUIDES) {
  test(`guide ${guide}: the Turkish code is the English one but for comments and messages`, () => {
    assert.deepEqual(blocksOf('tr', guide).map(untranslated), blocksOf('en', guide).map(untranslated))
    assert.deepEqual(
      blocksOf('tr', guide).map(({ marks }) => marks),
      blocksOf('en', guide).map(({ marks }) => marks),
    )
  })

  test(`guide ${guide}: the Turkish page has the sections and table rows of the English one`, () => {
    const shapeOf = (language: string) =>
      guideOf(language, guide)
        .replace(/^```[^]*?^```$/gm, '```')
        .split('\n')
        .flatMap((line) => /^(#+ |\||```|- |\d+\. )/.exec(line)?.[1] ?? [])
    assert.deepEqual(shapeOf('tr'), shapeOf('en'))
  })
}

/** The first cells of the rows of the table that begins with this heading. */
function codesIn(text: string, heading: RegExp): string[] {
  const table = text.slice(text.search(heading)).split('\n\n', 1)[0] ?? ''
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code as string)
}

test('every flag, reason and failure reason of docs/api.md and docs/payouts.md is in both languages', () => {
  const api = readFileSync(join(DOCS, 'api.md'), 'utf8').replace(/^\| (\w+) \|/gm, '| `$1` |')
  const payouts = readFileSync(join(DOCS, 'payouts.md'), 'utf8')
  const all = {
    flags: codesIn(api, /^\| `flag` \| meaning for/m).slice(1),
    reasons: codesIn(api, /^\| `reason` \| status/m).slice(1),
    failures: codesIn(payouts, /^\| code \| Turkish/m),
  }
  assert.deepEqual(Object.values(all).map(({ length }) => length), [5, 7, 9]) // prettier-ignore
  for (const language of ['en', 'tr']) {
    const deposits = guideOf(language, 'deposits')
    const failures = codesIn(guideOf(language, 'withdrawals'), /^\| `failureReason` \|/m).slice(1)
    const flags = codesIn(deposits, /^\| (flag|işaret) \|/m)
    assert.deepEqual({ flags, reasons: codesIn(deposits, /^\| (reason|neden) \|/m), failures }, all, language)
  }
})
