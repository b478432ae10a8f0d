import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import type { Config } from '../../packages/server/src/config.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { createDeposits, findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  queryPayoutStatus,
  dispatchWithdrawals,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { bankApiConnection, fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { notRefused } from '../../packages/server/src/platform/refusal.ts'
import { startSimulatedBank } from '../../packages/server/src/simulated-bank.ts'
import { matchAll, someDeposits } from './payments.ts'
import { startService } from './service.ts'

export type Witness = { reference: string; amount: number; currency: string; toIban: string; reversed: boolean }

/** The service and the simulated bank, both real processes; workers run on request. */
export async function startWithBank(changes: Partial<Config> = {}, through?: (url: string) => Promise<string>) {
  const service = await startService(changes, through)
  const folder = mkdtempSync(join(tmpdir(), 'vezne-bank-'))
  const noMerchant = { apiKey: 'none', apiSecret: 'none', callbackSecret: 'whsec_bm9uZQ==' }
  const bank = await startSimulatedBank({
    dataFolder: folder,
    host: '127.0.0.1',
    port: 0,
    vezneUrl: service.baseUrl,
    merchant: noMerchant,
  })
  after(async () => {
    await bank.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { app } = service
  const connection = bankApiConnection(bank)
  app.connections.push(connection)

  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${bank.key}`, 'content-type': 'application/json' }
    const response = await fetch(`${bank.baseUrl}/api/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }

  async function readStatement(): Promise<void> {
    while ((await fetchLines(app, connection)) > 0);
    await matchAll(app)
    while ((await matchPayoutLines(app)) > 0);
  }

  /** Paid by a customer of the simulated bank, so that the bank has the money too: the router may pay out from any account. */
  async function pay(deposit: Deposit | undefined): Promise<void> {
    const account = await app.banks.account(deposit?.collectingAccountId ?? '')
    await call('POST', 'payments', {
      toIban: account?.iban,
      amount: Number(deposit?.amount),
      description: deposit?.referenceCode,
      senderName: 'Ayşe Yılmaz',
    })
    await readStatement()
  }

  async function fund(merchantId: string, kurus: bigint): Promise<void> {
    const [deposit] = await someDeposits(app, merchantId, 1, kurus)
    await pay(deposit)
    const paid = await findDeposit(app.db, merchantId, deposit?.id ?? '')
    if (paid?.status !== 'completed') throw new Error(`funding is ${paid?.status}`)
  }

  async function merchantWithMoney(kurus: bigint, options: Parameters<typeof service.merchant>[0] = {}) {
    const shop = await service.merchant(options)
    await fund(shop.merchantId, kurus)
    return shop
  }

  /** For deposits paid by lines of the test's own, of which the bank knows nothing: it can then pay out from every account. */
  async function fundAccounts(kurus: number): Promise<void> {
    for (const { iban, currency } of await app.banks.accounts())
      if (currency === 'TRY')
        await call('POST', 'payments', { toIban: iban, amount: kurus, description: 'x', senderName: 'Ali Kaya' })
    await readStatement()
  }

  /** With 300.000 TL on one account: more than FAST carries comes by a bank's own account. */
  async function richMerchant() {
    const shop = await service.merchant()
    const banks = await app.banks.optionsFor(shop.merchantId, 'TRY')
    const widest = banks.toSorted((a, b) => Number(b.maxAmount - a.maxAmount))[0]
    const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
    const request = { amount: 30_000_000n, currency: 'TRY', bankId: widest?.id ?? '', customer }
    const [deposit] = notRefused(
      await createDeposits(app, [{ actor: merchantActor(shop.merchantId), processId: app.ids.next(), ...request }]),
    )
    await pay(deposit)
    return shop
  }

  /** Runs all workers until nothing is due at this business time. */
  async function work(): Promise<void> {
    while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
    await readStatement()
  }

  /** Transfers that left the bank, without the first `since` ones. */
  async function witness(since = 0): Promise<Witness[]> {
    return (await call<{ transfers: Witness[] }>('GET', `ledger/transfers?since=${since}`)).transfers
  }

  return {
    ...service,
    bank,
    connection,
    call,
    work,
    readStatement,
    pay,
    fund,
    fundAccounts,
    merchantWithMoney,
    richMerchant,
    witness,
  }
}
