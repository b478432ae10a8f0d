import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xlsxOf } from '../../../../../bank-formats/test/sheets.ts'
import { openFile } from './open-file.ts'

test('a workbook is read twice to find its bank, however many banks are built in: its format, then its rows', async () => {
  const bytes = xlsxOf([['no'], ['header']])
  let opened = 0
  async function* open() {
    opened++
    yield bytes
  }
  await assert.rejects(openFile({ name: 'a.xlsx', open }, null), /bank_unfitting {"problem":{"code":"header_missing"/)
  assert.equal(opened, 2)
})
