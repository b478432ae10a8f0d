import { randomUUID } from 'node:crypto'
import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { payDeposit, someDeposits } from './payments.ts'

export const SENDER = { senderName: 'Ayşe Yılmaz', senderIban: 'TR620006200029500006291296' }

/** A completed deposit of 1.250,00 TL whose bank line names its sender. */
export async function paidDeposit(app: App, merchantId: string, line: Partial<BankLine> = {}): Promise<Deposit> {
  const [deposit = assert.fail()] = await someDeposits(app, merchantId, 1)
  const paid = await payDeposit(app, deposit, { ...SENDER, ...line })
  assert.equal(paid.status, 'completed')
  return paid
}

export function refundBody(changes: Record<string, unknown> = {}) {
  return { processId: randomUUID(), ...changes }
}

export const refundPath = (id: string) => `/v1/transactions/${id}/refund`
