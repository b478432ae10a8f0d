import { createHash } from 'node:crypto'
import type { CollectingAccount } from '../../domain/banks/index.ts'
import { karekodText } from '../../domain/banks/index.ts'
import type { Deposit } from '../../domain/deposits/index.ts'
import { isShort, payableUntil } from '../../domain/deposits/index.ts'

/** What a customer still has to pay as TR Karekod; null if the account has none or nothing is to be paid. */
export function karekodOf(deposit: Deposit, account: CollectingAccount | undefined, now: Date): string | null {
  const until = payableUntil(deposit)
  const isOpen = (deposit.status === 'pending' || isShort(deposit)) && now < until
  if (!isOpen || !account?.karekodProducer || account.state === 'blocked') return null
  const amount = deposit.amount - deposit.receivedAmount
  return karekodText({
    producer: account.karekodProducer,
    reference: deposit.referenceCode,
    amount,
    iban: account.iban,
    title: account.title,
    uniqueId: createHash('sha256').update(`${deposit.id} ${account.id} ${amount}`).digest('hex').slice(0, 32),
    period: { from: deposit.createdAt, until },
  })
}
