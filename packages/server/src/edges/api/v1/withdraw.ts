import { ENDPOINTS } from '@vezne/contract'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import { FAST, INTERBANK_CURRENCY } from '../../../domain/banks/index.ts'
import type { CallingMerchant } from '../../../domain/merchants/index.ts'
import { mustNotBeFrozen } from '../../../domain/merchants/index.ts'
import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import { isoTime } from '../../../platform/time/clock.ts'
import { bankCodeOf, ibanProblem, normaliseIban } from '../../../kernel/iban.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { checkMetadata, enabledCurrency, toBankId } from './fields.ts'

export const createWithdrawal = route(ENDPOINTS.createWithdrawal, {
  addresses: 'listed',
  guardedByProcessId: true,
  async handle({ banks, createWithdrawal, currencies, sandbox }, { merchant, actor, signature, body }) {
    mustNotBeFrozen(merchant)
    const iban = normaliseIban(body.iban)
    const bankId = await toBankId(banks, body.bankId)
    await checkRecipient(banks, iban, bankId)
    const currency = enabledCurrency(currencies, body.currency)
    await checkReach(banks, iban, currency)
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
    return { data: view(withdrawal) }
  },
})

function view({ id, processId, amount, currency, createdAt }: Withdrawal) {
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

async function checkRecipient(banks: BankDirectory, iban: string, bankId: string | null): Promise<void> {
  const bank = bankId === null ? undefined : await banks.bank(bankId)
  if (bankId !== null && !bank)
    throw invalidField(
      'bankId',
      `must be the _id or the four-digit code of a bank from GET /v1/available-banks, not ${JSON.stringify(bankId)}`,
    )
  const problem = ibanProblem(iban)
  if (problem) throw new Refusal('INVALID_IBAN', `The IBAN ${problem}.`, { details: [{ field: 'iban', problem }] })
  if (bank && bank.id !== FAST && bank.code !== bankCodeOf(iban)) {
    throw invalidField(
      'bankId',
      `is ${bank.name} (${bank.code}), but the IBAN belongs to bank code ${bankCodeOf(iban)}`,
    )
  }
}

/** Refuses transfers that no rail supports before money is held for them. */
async function checkReach(banks: BankDirectory, iban: string, currency: string): Promise<void> {
  if (await banks.accountByIban(iban)) {
    throw invalidField('iban', 'must be an account of the recipient; this one is a collecting account of this service')
  }
  if (currency === INTERBANK_CURRENCY) return
  const accounts = await banks.accounts()
  if (accounts.some((one) => one.currency === currency && bankCodeOf(one.iban) === bankCodeOf(iban))) return
  throw invalidField(
    'currency',
    `${currency} can only be sent within the same bank, and this service has no ${currency} account at the recipient's bank (${bankCodeOf(iban)})`,
  )
}
