import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameOpinion } from './opinions.ts'

const found = (evidence: string) => ({ verdict: 'found' as const, evidence })
const same = (one: string, other: string) => isSameOpinion(found(one), found(other))

test('a bank reference is compared by its letters and digits, however it is typed', () => {
  for (const typed of ['FT9001', 'ft 9001', ' Ft.9001/', 'FT–9001', 'FT_9001']) assert.ok(same('FT-9001', typed), typed)
  for (const typed of ['işlem-1', 'İŞLEM 1', 'ISLEM1', 'ıslem1']) assert.ok(same('İşlem 1', typed), typed)
  for (const typed of ['FT-9002', 'FT-900', '9001', 'EFT-9001']) assert.ok(!same('FT-9001', typed), typed)
  assert.ok(!same('---', '/'), 'without letters and digits only the same signs')
})
