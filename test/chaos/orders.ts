import { UNATTRIBUTED, merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { createMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import type { NewWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { feeOn, NO_FEE } from '../../packages/server/src/kernel/money.ts'
import { withdrawFee } from '../harness/fees.ts'
import { someDeposits } from '../harness/payments.ts'
import type { SeededRandom } from './random.ts'
import type { World } from './world.ts'

const MERCHANTS = 4
/** What one deposit may bring. */
const LARGEST_DEPOSIT = 10_000_000n
/** Of a hundred payouts so many go to receivers whom the bank refuses, whatever the fault plan. */
const REFUSED_PERCENT = 5

export type Orders = { requests: NewWithdrawal[]; funded: Map<string, bigint> }

/** Payouts to ask for, and merchants who have the money for them, at the bank as in the books. */
export async function prepareOrders(world: World, random: SeededRandom, count: number): Promise<Orders> {
  const merchantIds = await Promise.all(
    Array.from({ length: MERCHANTS }, async (_, index) => {
      return (await createMerchant(world.app, UNATTRIBUTED, { name: `Kaos ${index + 1}` })).merchantId
    }),
  )
  const requests = Array.from({ length: count }, (_, index) => order(random, merchantIds, index))
  const funded = new Map<string, bigint>()
  for (const merchantId of merchantIds) {
    const theirs = requests.filter((request) => request.actor.merchantId === merchantId)
    const needed = theirs.reduce(
      (sum, { amount, feeTerms }) => sum + amount + feeOn(amount, feeTerms[0]?.withdraw ?? NO_FEE),
      0n,
    )
    funded.set(merchantId, await fund(world, merchantId, needed))
  }
  return { requests, funded }
}

function order(random: SeededRandom, merchantIds: string[], index: number): NewWithdrawal {
  const which = random.below(merchantIds.length)
  const isRefused = random.below(100) < REFUSED_PERCENT
  const ending = isRefused ? `000${random.between(1, 3)}` : String(random.between(1000, 9999))
  return {
    actor: merchantActor(merchantIds[which] as string),
    processId: `kaos-${index}`,
    amount: BigInt(random.between(100, 5000)),
    currency: 'TRY',
    bankId: null,
    iban: makeIban('0062', `9${String(index).padStart(7, '0')}${ending}`),
    accountName: 'Mehmet Demir',
    userId: `u-${index}`,
    userName: 'mehmet',
    name: 'Mehmet Demir',
    // With and without a fee: it travels with the payout and comes back, or not, by rules of its own.
    feeTerms: withdrawFee(which % 2 === 0 ? {} : { bps: 150, fixed: 25n }),
  }
}

/** Half as much again: money in flight is spread over accounts, and none must be the last coin. */
async function fund(world: World, merchantId: string, needed: bigint): Promise<bigint> {
  const wanted = needed + needed / 2n + 1_000_000n
  const count = Number(wanted / LARGEST_DEPOSIT) + 1
  const deposits = await someDeposits(world.app, merchantId, count, LARGEST_DEPOSIT)
  for (const { collectingAccountId, referenceCode } of deposits) {
    const account = await world.app.banks.account(collectingAccountId ?? '')
    await world.call('POST', `accounts/${account?.iban}/fund`, {
      amount: Number(LARGEST_DEPOSIT),
      description: referenceCode,
      senderName: 'Ayşe Yılmaz',
    })
  }
  await world.readDeposits()
  return BigInt(deposits.length) * LARGEST_DEPOSIT
}
