import { ENDPOINTS } from '@vezne/contract'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import type { CallingMerchant } from '../../../domain/merchants/index.ts'
import { mustNotBeFrozen } from '../../../domain/merchants/index.ts'
import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import { checkIban, checkReach } from '../../../domain/withdrawals/index.ts'
import { beforeSaving } from '../../../platform/postgres/database-faults.ts'
import { isoTime } from '../../../platform/time/clock.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { checkMetadata, enabledCurrency, toBankId } from './fields.ts'

export const createWithdrawal = route(ENDPOINTS.createWithdrawal, {
  addresses: 'listed',
  guardedByProcessId: true,
  async handle({ banks, createWithdrawal, currencies, sandbox }, { merchant, actor, signature, body }) {
    mustNotBeFrozen(merchant)
    const iban = normaliseIban(body.iban)
    const bankId = await beforeSaving(toBankId(banks, body.bankId))
    checkIban(iban, await beforeSaving(findBank(banks, bankId)))
    const currency = enabledCurrency(currencies, body.currency)
    checkReach(iban, currency, await beforeSaving(banks.accounts()))
    const created = createWithdrawal({
      actor,
      signature,
      processId: body.processId,
      amount: BigInt(body.amount),
      currency,
      bankId,
      iban,
      accountName: body.accountName,
      userId: body.userId,
      userName: body.userName,
      name: body.name,
      metadata: checkMetadata(body.metadata),
      feeTerms: merchant.fees,
    })
    const withdrawal = await (sandbox ? created.catch((error: unknown) => sayHowToFund(merchant, error)) : created)
    return { data: createdView(withdrawal) }
  },
})

export function createdView({ id, processId, amount, currency, createdAt }: Withdrawal) {
  const status = 'pending' as const
  return { transactionId: id, processId, amount: Number(amount), currency, status, createdAt: isoTime(createdAt) }
}

/** Sandbox only. */
function sayHowToFund({ id, demo }: CallingMerchant, error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'INSUFFICIENT_BALANCE') throw error
  const { available, needed } = error.details as { available: number; needed: number }
  const command = `npx vezne sim fund ${demo ? 'demo' : id} ${needed - available}`
  throw new Refusal(error.code, `${error.message} Fund it with: ${command}`, { details: { available, needed } })
}

async function findBank(banks: BankDirectory, bankId: string | null) {
  const bank = bankId === null ? undefined : await banks.bank(bankId)
  if (bankId !== null && !bank)
    throw invalidField(
      'bankId',
      `must be the _id or the four-digit code of a bank from GET /v1/available-banks, not ${JSON.stringify(bankId)}`,
    )
  return bank
}
