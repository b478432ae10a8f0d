import { ENDPOINTS } from '@vezne/contract'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import type { Deposit } from '../../../domain/deposits/index.ts'
import { checkoutUrl } from '../../../domain/deposits/index.ts'
import { mustNotBeFrozen } from '../../../domain/merchants/index.ts'
import { beforeSaving } from '../../../platform/postgres/database-faults.ts'
import { isoTime } from '../../../platform/time/clock.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { assignedAccount } from '../views/deposit-view.ts'
import { checkMetadata, enabledCurrency, toBankId } from './fields.ts'
import { checkReturnUrl } from './return-url.ts'

export const createDeposit = route(ENDPOINTS.createDeposit, {
  addresses: 'any',
  guardedByProcessId: true,
  async handle(
    { banks, createDeposit, currencies, publicUrl, sandbox, checkoutKeys },
    { merchant, actor, signature, body },
  ) {
    mustNotBeFrozen(merchant)
    const deposit = await createDeposit({
      actor,
      signature,
      processId: body.processId,
      amount: BigInt(body.amount),
      currency: enabledCurrency(currencies, body.currency),
      bankId: await beforeSaving(toBankId(banks, body.bankCode)),
      customer: { id: body.customer.id, name: body.customer.name, username: body.customer.username },
      metadata: checkMetadata(body.metadata),
      returnUrl: checkReturnUrl(sandbox, merchant, body.returnUrl),
      language: body.language ?? 'tr',
      maxOpen: merchant.maxOpenDeposits,
      eftDeadlineHours: merchant.eftDeadlineHours,
    })
    return { data: await view(banks, deposit, checkoutUrl(publicUrl(), checkoutKeys, deposit)) }
  },
})

/** The deposit is already saved, so a database error must not look like a refusal. */
function createdNevertheless(cause: unknown): never {
  throw new Refusal(
    'SERVICE_UNAVAILABLE',
    'The deposit was created, but the database was lost before its account could be read. Look it up with GET /v1/transactions?processId=…',
    { retryAfterSeconds: 2, cause },
  )
}

async function view(banks: BankDirectory, deposit: Deposit, url: string) {
  const account = await assignedAccount(banks, deposit).catch(createdNevertheless)
  return {
    transactionId: deposit.id,
    processId: deposit.processId,
    amount: Number(deposit.amount),
    currency: deposit.currency,
    status: 'pending' as const,
    ...(account && { assignedAccount: account }),
    checkoutUrl: url,
    expiresAt: isoTime(deposit.expiresAt),
    createdAt: isoTime(deposit.createdAt),
  }
}
