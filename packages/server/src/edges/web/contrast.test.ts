import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { contrast, DARK_PAPERS, LIGHT_PAPERS, readableOn } from './contrast.ts'

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast as WCAG defines it', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#777777'), 1)
  assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54')
})

test('whatever a merchant chooses can be read on light and on dark paper', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      for (const papers of [LIGHT_PAPERS, DARK_PAPERS]) {
        const shade = readableOn(papers, colour)
        assert.match(shade, /^#[0-9a-f]{6}$/)
        for (const paper of papers) assert.ok(contrast(shade, paper) >= 4.5, `${colour} → ${shade} on ${paper}`)
      }
    }),
  )
})

test('a colour that can be read already stays as it is', () => {
  assert.equal(readableOn(LIGHT_PAPERS, '#0e5a6b'), '#0e5a6b')
  assert.equal(readableOn(DARK_PAPERS, '#5cc3d6'), '#5cc3d6')
})

test('the papers are those of the stylesheet', () => {
  const css = readFileSync(join(import.meta.dirname, 'base.css'), 'utf8').toLowerCase()
  for (const paper of [...LIGHT_PAPERS, ...DARK_PAPERS])
    assert.ok(css.includes(paper === '#ffffff' ? '#fff;' : paper), paper)
})
