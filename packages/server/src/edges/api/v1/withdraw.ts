import { ENDPOINTS } from '@vezne/contract'
import { refusalText } from '../../../acts/refusals/say.ts'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import { fundRange } from '../../../domain/matching/index.ts'
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
    const refused = (error: unknown) => sayHowToFund(banks, merchant, currency, error)
    const withdrawal = await (sandbox ? created.catch(refused) : created)
    return { data: createdView(withdrawal) }
  },
})

export function createdView({ id, processId, amount, currency, createdAt }: Withdrawal) {
  const status = 'pending' as const
  return { transactionId: id, processId, amount: Number(amount), currency, status, createdAt: isoTime(createdAt) }
}

/** Sandbox only. Says nothing if the command would refuse: what is missing is too much for it. */
async function sayHowToFund(
  banks: BankDirectory,
  { id, demo }: CallingMerchant,
  currency: string,
  error: unknown,
): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'INSUFFICIENT_BALANCE') throw error
  const { available, needed } = error.details as { available: number; needed: number }
  const range = await fundRange({ banks }, id, currency)
  if (!range || needed - available > range.max) throw error
  const amount = Math.max(needed - available, Number(range.min))
  const option = currency === 'TRY' ? '' : ` --currency ${currency}`
  const command = `npx vezne sim fund ${demo ? 'demo' : id} ${amount}${option}`
  throw new Refusal(error.code, `${refusalText('en', error)} Fund it with: ${command}`, {
    details: { available, needed },
  })
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
