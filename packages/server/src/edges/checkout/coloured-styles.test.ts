import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openColouredStyles } from './coloured-styles.ts'

const BASE = { name: 'checkout-0123456789ab.css', type: 'text/css', body: Buffer.from('body{}') }
const colour = (number: number) => `#${number.toString(16).padStart(6, '0')}`
const fileOf = (accent: string) => BASE.name.replace('.css', `.${accent.slice(1)}.css`)

function open(max: number) {
  const styles = openColouredStyles(BASE, max)
  const find = (accent: string) => styles.find(fileOf(accent)) ?? assert.fail(`nothing for ${accent}`)
  return { ...styles, of: find }
}

test('a colour that a page has named: the same bytes at every request, with this colour and no other', () => {
  const styles = open(3)
  assert.equal(styles.nameFor('#0e5a6b'), fileOf('#0e5a6b'))
  styles.nameFor('#7a1f3d')
  assert.equal(styles.of('#0e5a6b').asset, styles.of('#0e5a6b').asset)
  const text = styles.of('#0e5a6b').asset.body.toString()
  assert.match(text, /^body\{\}:root\{--accent:#0e5a6b\}/)
  assert.doesNotMatch(text, /7a1f3d/)
})

test('a thousand colours that no page has named are made, not kept, and displace nothing', () => {
  const styles = open(3)
  styles.nameFor('#0e5a6b')
  const before = styles.of('#0e5a6b').asset
  for (let number = 0; number < 1000; number++) assert.equal(styles.of(colour(number)).kept, false)
  assert.match(styles.of(colour(7)).asset.body.toString(), /^body\{\}:root\{--accent:/)
  assert.deepEqual([styles.of(colour(7)).kept, styles.of('#0e5a6b').kept], [false, true])
  assert.equal(styles.of('#0e5a6b').asset, before)
})

test('bounded: the colour that no page has used for longest makes room, and only that one', () => {
  const styles = open(3)
  for (const number of [1, 2, 3, 1, 4]) styles.nameFor(colour(number))
  assert.deepEqual(
    [1, 2, 3, 4].map((number) => styles.of(colour(number)).kept),
    [true, false, true, true],
  )
  for (let number = 0; number < 1000; number++) styles.nameFor(colour(number))
  const kept = Array.from({ length: 1000 }, (_, number) => styles.of(colour(number)).kept)
  assert.equal(kept.filter(Boolean).length, 3)
})

test('no file of another stylesheet, nor of anything but six digits', () => {
  const styles = open(3)
  for (const name of ['', BASE.name, 'checkout-ba9876543210.0e5a6b.css', fileOf('#0E5A6B'), fileOf('#0e5a6'), 'x.css'])
    assert.equal(styles.find(name), undefined, name)
})
