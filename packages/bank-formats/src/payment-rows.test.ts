import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPaymentRows } from './payment-rows.ts'

const read = (text: string | Uint8Array) =>
  readPaymentRows([typeof text === 'string' ? Buffer.from(text) : text] as never)
const PAYMENT = { processId: 'A1', accountName: 'Ayşe Çetin', iban: 'TR62', amount: '1.250,00' }

test('named columns in any order, and four without names', async () => {
  const wanted = [{ line: 2, cells: PAYMENT }]
  assert.deepEqual(await read('Tutar;IBAN;Alıcı Adı;not;İşlem No\n1.250,00;TR62;Ayşe Çetin;x;A1\n'), wanted)
  assert.deepEqual(await read('processId,name,iban,amount\r\nA1,Ayşe Çetin,TR62,"1.250,00"\r\n'), wanted)
  assert.deepEqual(await read('A1;Ayşe Çetin;TR62;1.250,00'), [{ line: 1, cells: PAYMENT }])
})

test('Turkish Excel: byte order mark, windows-1254, empty rows', async () => {
  assert.deepEqual(await read('\ufeffA1;Ayşe Çetin;TR62;1.250,00\n;;;\n\n'), [{ line: 1, cells: PAYMENT }])
  const windows = Buffer.from('A1;Ay\xfee \xc7etin;TR62;1.250,00', 'latin1')
  assert.deepEqual(await read(windows), [{ line: 1, cells: PAYMENT }])
})

test('a row without the columns keeps its line', async () => {
  assert.deepEqual(await read('A1,Ayşe,TR62,1250.00\nA2,Veli,TR62,1250,00\n'), [
    { line: 1, cells: { processId: 'A1', accountName: 'Ayşe', iban: 'TR62', amount: '1250.00' } },
    { line: 2, cells: null },
  ])
  assert.deepEqual(await read('processId;iban;amount\nA1;TR62;1,00\n'), [{ line: 2, cells: null }])
})

test('a quote that is not closed, and two columns with one meaning, are rows without the columns', async () => {
  const unclosed = await read('processId,name,iban,amount\nA1,Ayşe,TR62,1.00\nA2,"Ali,TR33,10.00\n')
  assert.deepEqual(
    unclosed.map(({ cells }) => cells),
    [null],
  )
  assert.deepEqual(await read('processId;name;iban;iban;amount\nA1;Ayşe;TR62;TR33;1,00\n'), [{ line: 2, cells: null }])
})
