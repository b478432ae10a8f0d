import { Type } from 'typebox'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import type { Deposit } from '../../../domain/deposits/index.ts'
import { assignedAccount, checkoutToken } from '../../../domain/deposits/index.ts'
import { mustNotBeFrozen } from '../../../domain/merchants/index.ts'
import { isoTime } from '../../../platform/time/clock.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { endpoint } from '../endpoint.ts'
import {
  amount,
  bankId,
  checkMetadata,
  currency,
  enabledCurrency,
  metadata,
  processId,
  text,
  toBankId,
} from './fields.ts'
import { checkReturnUrl } from './return-url.ts'

const body = Type.Object({
  processId,
  amount,
  currency: Type.Optional(currency),
  bankCode: Type.Optional(bankId),
  customer: Type.Object({ id: text(100), name: text(140), username: text(100) }),
  metadata: Type.Optional(metadata),
  returnUrl: Type.Optional(text(2048)),
  language: Type.Optional(Type.Enum(['tr', 'en'])),
})

export const createDeposit = endpoint({
  method: 'POST',
  path: '/v1/deposit',
  addresses: 'any',
  status: 201,
  guardedByProcessId: true,
  schema: { body },
  async handle({ banks, createDeposit, currencies, publicUrl, teaching, checkoutKeys }, { merchant, signature, body }) {
    mustNotBeFrozen(merchant)
    const deposit = await createDeposit({
      merchantId: merchant.id,
      signature,
      processId: body.processId,
      amount: BigInt(body.amount),
      currency: enabledCurrency(currencies, body.currency),
      bankId: await toBankId(banks, body.bankCode),
      customer: { id: body.customer.id, name: body.customer.name, username: body.customer.username },
      metadata: checkMetadata(body.metadata),
      returnUrl: checkReturnUrl(teaching, merchant, body.returnUrl),
      language: body.language ?? 'tr',
      maxOpen: merchant.maxOpenDeposits,
    })
    return { data: await view(banks, deposit, checkoutUrl(publicUrl(), checkoutToken(checkoutKeys, deposit))) }
  },
})

/** It is saved by now, so a fault of the database must not read like a refusal. */
function createdNevertheless(cause: unknown): never {
  throw new Refusal(
    'SERVICE_UNAVAILABLE',
    'The deposit was created, but the database was lost before its account could be read. Look it up with GET /v1/transactions?processId=…',
    { retryAfterSeconds: 2, cause },
  )
}

export function checkoutUrl(base: string, token: string): string {
  return `${base}/checkout?token=${token}`
}

async function view(banks: BankDirectory, deposit: Deposit, url: string) {
  return {
    transactionId: deposit.id,
    processId: deposit.processId,
    amount: Number(deposit.amount),
    currency: deposit.currency,
    status: deposit.status,
    assignedAccount: await assignedAccount(banks, deposit).catch(createdNevertheless),
    checkoutUrl: url,
    expiresAt: isoTime(deposit.expiresAt),
    createdAt: isoTime(deposit.createdAt),
  }
}
