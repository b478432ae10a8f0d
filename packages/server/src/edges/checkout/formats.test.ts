import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountToCopy, dayName, ibanGroups } from './formats.ts'

test('the day on which EFT opens', () => {
  assert.equal(dayName('2026-11-16', '2026-11-16', 'tr', 'bugün'), 'bugün')
  assert.equal(dayName('2026-11-16', '2026-11-14', 'tr', 'bugün'), 'pazartesi günü')
  assert.equal(dayName('2026-11-16', '2026-11-14', 'en', 'today'), 'on Monday')
  assert.equal(dayName('2026-06-01', '2026-05-23', 'tr', 'bugün'), '1 Haziran pazartesi günü')
})

test('amounts and IBANs as bank apps take them', () => {
  assert.equal(amountToCopy(125_000n), '1250,00')
  assert.equal(amountToCopy(5n), '0,05')
  assert.deepEqual(ibanGroups('TR330006100519786457841326'), ['TR33', '0006', '1005', '1978', '6457', '8413', '26'])
})
