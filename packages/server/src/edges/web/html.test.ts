import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, plainName, render, webAddress } from './html.ts'

test('everything that is put in is escaped, in text and in attributes', () => {
  const evil = `"><script>alert(1)</script>'&\``
  const text = render(html`<a title="${evil}">${evil}</a>`)
  assert.equal(text.split('<').length, 3)
  assert.doesNotMatch(text, /<script|"">/)
})

test('templates and lists of them compose; absent parts leave nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<i>${item}</i>`)
  const all = html`<b>${items}${null}${undefined}${false}${3}</b>`
  assert.equal(render(all), '<b><i>a</i><i>&#60;b&#62;</i>3</b>')
})

test('indentation of the source is not sent, and text that is put in keeps its own', () => {
  const text = 'a\n   b'
  const all = html`<div>
    <p>${text}</p>
  </div>`
  assert.equal(render(all), `<div>\n<p>${text}</p>\n</div>`)
})

test('an object from JSON is never taken for markup', () => {
  const forged = JSON.parse('{"markup":"<script>","Symbol(markup)":"<script>"}') as never
  assert.throws(() => html`<p>${forged}</p>`)
})

test('names lose marks that turn the text around', () => {
  assert.equal(plainName('\u202Eevil\u2066 shop\u0000\n'), 'evil  shop')
  assert.equal(plainName('Ayşe’nin Dükkânı'), 'Ayşe’nin Dükkânı')
})

test('only http and https become links', () => {
  assert.equal(webAddress('https://shop.example/a?b=c'), 'https://shop.example/a?b=c')
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', '/a', '', 'JaVaScRiPt:alert(1)']) {
    assert.equal(webAddress(bad), null)
  }
})
