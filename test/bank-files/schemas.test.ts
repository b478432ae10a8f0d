import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { executeOrder } from '../../packages/simulator/src/bank/orders/execute-order.ts'
import { writeReport } from '../../packages/simulator/src/bank/orders/write-report.ts'
import { writeStatement } from '../../packages/simulator/src/bank/files/write-statement.ts'
import { makeIban } from '../../packages/simulator/src/iban.ts'
import { pain001 } from '../../packages/simulator/test/pain001.ts'
import { ACCOUNTS, DAY, liveTwoDays, openTestBank } from './simulated-bank.ts'

// The schemas of ISO 20022 are public files that the project does not contain.

const FOLDER = process.env['VEZNE_SAMPLES'] ?? join(import.meta.dirname, '../../../shared/samples')
const skip = existsSync(FOLDER)
  ? false
  : `skipped: there is no folder of public samples (${FOLDER}, or set VEZNE_SAMPLES)`

/** Throws what is wrong. False if the schema is not there. */
function validate(name: string, xml: Uint8Array): boolean {
  const file = readdirSync(join(FOLDER, 'xsd')).find((one) => one.endsWith(`${name}.xsd`))
  if (file === undefined) return false
  const schema = XmlDocument.fromBuffer(readFileSync(join(FOLDER, 'xsd', file)))
  const validator = XsdValidator.fromDoc(schema)
  const document = XmlDocument.fromBuffer(xml)
  try {
    validator.validate(document)
  } finally {
    for (const one of [document, validator, schema]) one.dispose()
  }
  return true
}

test('camt files of the simulated bank are valid by the schemas that are there', { skip }, (t) => {
  const { bank, setTime } = openTestBank(t)
  liveTwoDays(bank, setTime, ACCOUNTS.ziraat, ACCOUNTS.teb)
  const checked: string[] = []
  for (const format of ['camt.052', 'camt.053', 'camt.054'] as const) {
    for (const version of ['02', '08'] as const) {
      const common = {
        account: ACCOUNTS.ziraat,
        from: DAY,
        to: DAY,
        until: null,
        batch: true,
        encoding: 'utf-8',
      } as const
      for (const withTimes of [false, true]) {
        const file = writeStatement(bank.books, { ...common, format, version, withTimes })
        if (validate(`${format}.001.${version}`, file)) checked.push(`${format}.001.${version}`)
      }
    }
  }
  assert.ok(checked.length >= 2, 'at least one schema')
})

test('the orders of these tests and the reports are valid by the schemas that are there', { skip }, (t) => {
  const { bank, setTime } = openTestBank(t)
  liveTwoDays(bank, setTime, ACCOUNTS.ziraat, ACCOUNTS.teb)
  const to = makeIban('0064', '1000000000005010')
  const payments = [
    { endToEnd: 'e1', to, amount: '10.00' },
    { endToEnd: 'e1', to, amount: '10.00' },
  ]
  let checked = 0
  for (const version of ['03', '10', '11'] as const) {
    for (const level of ['group', 'payment', 'transaction'] as const) {
      for (const count of [2, 3]) {
        const order = { messageId: `${version}${level}${count}`, from: ACCOUNTS.ziraat, payments, count }
        const bytes = Buffer.from(pain001({ ...order, version: version === '03' ? '03' : '09', batch: true }))
        validate(`pain.001.001.${version === '03' ? '03' : '09'}`, bytes)
        const report = { version, level, settle: 'later' } as const
        const received = { receipt: `R${version}${level}${count}`, name: 'x', folder: '', bytes, report }
        const xml = writeReport(executeOrder(bank.books, received), 'first')
        checked += validate(`pain.002.001.${version}`, Buffer.from(xml)) ? 1 : 0
      }
    }
  }
  assert.ok(checked > 0, 'at least one schema')
})
