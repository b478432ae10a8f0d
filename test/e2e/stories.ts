import { randomUUID } from 'node:crypto'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Config } from '../../packages/server/src/config.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { changeAccountState, expireDeposits, findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { matchLines, suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import type { NewMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { importLines, linesOfDeposit } from '../../packages/server/src/domain/statements/index.ts'
import { moveClock, readOffsetSeconds } from '../../packages/server/src/platform/time/business-clock.ts'
import { depositBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

export type Checkout = Awaited<ReturnType<typeof startCheckout>>

/** The service with its checkout pages; a shop with a name that customers read. */
export async function startCheckout(changes: Partial<Config> & { bankAppUrl?: string } = {}) {
  const { bankAppUrl, ...config } = changes
  const service = await startService(config)
  if (bankAppUrl) service.app.setBankAppUrl(bankAppUrl)
  const merchant = (options: Partial<NewMerchant> = {}) => service.merchant({ name: 'Kitap Rafı', ...options })
  return { ...service, merchant }
}

type Shop = Awaited<ReturnType<Checkout['merchant']>>

/** A deposit as a shop makes it. The address is relative, so that it opens wherever the test server listens. */
export async function newDeposit(shop: Shop, changes: Record<string, unknown> = {}) {
  const { bankCode, ...body } = depositBody()
  const { body: answer, status } = await shop.post('/v1/deposit', { ...body, ...changes })
  if (status !== 201) throw new Error(JSON.stringify(answer))
  const { transactionId, checkoutUrl } = answer.data as { transactionId: string; checkoutUrl: string }
  const { pathname, search } = new URL(checkoutUrl)
  return { id: transactionId, link: pathname + search, token: search.slice('?token='.length), usualBank: bankCode }
}

export async function depositNow({ app }: Checkout, id: string): Promise<Deposit> {
  const deposit = await findDepositById(app.db, id)
  if (!deposit) throw new Error(`no deposit ${id}`)
  return deposit
}

type Money = { amount?: bigint; senderName?: string; narrative?: string; bookedAt?: Date }

/** Money on the account that the customer was shown, with the code; then the matcher looks at it. */
export async function moneyArrives(checkout: Checkout, id: string, money: Money = {}): Promise<void> {
  const { app } = checkout
  const deposit = await depositNow(checkout, id)
  const account = await app.banks.account(deposit.collectingAccountId ?? '')
  if (!account) throw new Error('the customer has no account yet')
  const line = {
    accountIban: account.iban,
    bankReference: randomUUID(),
    amount: deposit.amount,
    direction: 'credit' as const,
    valueDate: istanbul(app.clock.now()).day,
    bookedAt: app.clock.now(),
    senderName: 'AYSE YILMAZ',
    senderIban: null,
    narrative: deposit.referenceCode,
    ...money,
  }
  await app.db.transaction((tx) => importLines(app, tx, 'test', [line]))
  await matchLines(app)
}

export async function moneyIsRefused({ app }: Checkout, id: string): Promise<void> {
  const deposit = await findDepositById(app.db, id)
  const [line] = await linesOfDeposit(app.db, deposit?.merchantId ?? '', id)
  await suspendByHand(app, UNATTRIBUTED, line?.id ?? '')
}

/** Business time moves on for everybody, and what was due then happens. */
export async function timePasses({ app }: Checkout, minutes: number): Promise<void> {
  const target = app.clock.now().getTime() + minutes * 60_000
  const seconds = await readOffsetSeconds(app.db)
  await app.db.transaction((tx) => moveClock(tx, seconds + minutes * 60))
  // The clock follows by a notification; an answered query behind it has let that one through.
  while (app.clock.now().getTime() < target) await readOffsetSeconds(app.db)
  await expireDeposits(app)
}

/** Returns when the service knows it everywhere: the list of accounts is remembered for a second. */
export async function accountIsBlocked(checkout: Checkout, depositId: string): Promise<void> {
  const { app } = checkout
  const { collectingAccountId } = await depositNow(checkout, depositId)
  const { id } = await changeAccountState(app, UNATTRIBUTED, collectingAccountId ?? '', 'blocked')
  await until(
    () => app.banks.blockedAccounts(),
    (blocked) => blocked.some((account) => account.id === id),
  )
}
