import type { BankDirectory } from '../../packages/server/src/domain/banks/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { openViews } from '../../packages/server/src/edges/api/views/open-views.ts'
import type { Withdrawal } from '../../packages/server/src/domain/withdrawals/withdrawal.ts'

// The examples of docs/callbacks.md, made by the same views that make real callbacks.

export type ExampleEvent = { type: string; timestamp: string; data: object }

const at = (time: string) => new Date(`2026-11-15T${time}Z`)
const MERCHANT = '6af959ff0520801cc34743e7'

const ACCOUNT = { bankName: 'VakıfBank', title: 'Örnek Ödeme A.Ş.', iban: 'TR720001500000000001000020' }
const views = openViews({ banks: { account: async () => ACCOUNT } as unknown as BankDirectory })

const DEPOSIT: Deposit = {
  id: '6af95a29428d9b71948dc42f',
  merchantId: MERCHANT,
  processId: 'siparis-1001',
  amount: 125_000n,
  currency: 'TRY',
  status: 'pending',
  sequence: 0,
  bankId: 'FAST',
  collectingAccountId: '6af966a2cac6fbf69d1a411b',
  customer: { id: 'm-42', name: 'Ayşe Yılmaz', username: 'ayse.yilmaz' },
  metadata: null,
  returnUrl: null,
  language: 'tr',
  receivedAmount: 0n,
  refundedAmount: 0n,
  takenBackAmount: 0n,
  fee: 0n,
  flags: [],
  reason: null,
  referenceCode: '35QT425Q',
  version: 0,
  claimedAt: null,
  duplicateAmount: 0n,
  accountChangedAt: null,
  previousAccountIds: [],
  expiresAt: at('07:37:21.080'),
  createdAt: at('07:07:21.080'),
  updatedAt: at('07:07:21.080'),
}

const WITHDRAWAL: Withdrawal = {
  id: '6af95aec421932befc432082',
  merchantId: MERCHANT,
  processId: 'odeme-2001',
  amount: 250_000n,
  fee: 500n,
  currency: 'TRY',
  status: 'pending',
  sequence: 0,
  bankId: null,
  iban: 'TR620006200029500006291296',
  accountName: 'Gülşen Çağlar',
  userId: 'u-17',
  userName: 'gulsen',
  name: 'Gülşen Çağlar',
  metadata: null,
  refundOf: null,
  refundReason: null,
  settlement: false,
  approvalRequired: false,
  approvedBy: null,
  mark: null,
  failureReason: null,
  state: 'queued',
  stateReason: null,
  firstTimeIban: false,
  rail: null,
  sourceAccountId: null,
  scheduledFor: null,
  bankReference: null,
  createdAt: at('07:10:36.322'),
  updatedAt: at('07:10:36.322'),
}

async function deposit(changes: Partial<Deposit>, type?: string): Promise<ExampleEvent> {
  const data = await views.deposit({ ...DEPOSIT, ...changes })
  return { type: `deposit.${type ?? data.status}`, timestamp: data.updatedAt, data }
}

function withdrawal(changes: Partial<Withdrawal>, type?: string): ExampleEvent {
  const data = views.withdrawal({ ...WITHDRAWAL, ...changes })
  return { type: `withdrawal.${type ?? (data.returned ? 'returned' : data.status)}`, timestamp: data.updatedAt, data }
}

/** What an event of this type holds, of another transaction or another change of it. */
export function exampleData(type: string, changes: { transactionId: string; sequence: number }): object {
  const data = EXAMPLES.get(type) ?? {}
  return 'transactionId' in data ? { ...data, ...changes } : data
}

/** One of each type, as far as it goes along the same two stories. */
export async function exampleEvents(): Promise<ExampleEvent[]> {
  const another = { createdAt: at('07:12:17.400'), expiresAt: at('07:42:17.400') }
  const sent = { state: 'sent', status: 'completed', bankReference: '0012345678' } as const
  return [
    await deposit({
      status: 'processing',
      receivedAmount: 100_000n,
      flags: ['underpaid'],
      reason: 'short',
      updatedAt: at('07:11:03.512'),
      sequence: 1,
    }),
    await deposit({
      status: 'completed',
      receivedAmount: 125_000n,
      fee: 1_875n,
      updatedAt: at('07:15:48.207'),
      sequence: 2,
    }),
    await deposit({
      ...another,
      id: '6af95b51c07d3e8f21a96b54',
      processId: 'siparis-1002',
      customer: { id: 'm-43', name: 'Mehmet Öztürk', username: 'mehmet' },
      status: 'failed',
      flags: ['name_mismatch'],
      reason: 'payment_rejected',
      updatedAt: at('08:20:10.044'),
      sequence: 2,
    }),
    await deposit({
      ...another,
      id: '6af95b5114f2a09be6d5c783',
      processId: 'siparis-1003',
      bankId: null,
      collectingAccountId: null,
      status: 'expired',
      updatedAt: at('07:42:18.031'),
      sequence: 1,
    }),
    await deposit({
      ...another,
      id: '6af95b51e93b60c2d7184fa5',
      processId: 'siparis-1004',
      metadata: { sepet: 'A-17' },
      status: 'cancelled',
      updatedAt: at('07:13:29.650'),
      sequence: 1,
    }),
    await deposit(
      {
        status: 'completed',
        receivedAmount: 125_000n,
        fee: 1_875n,
        flags: ['duplicate'],
        updatedAt: at('07:21:30.914'),
        sequence: 3,
      },
      'updated',
    ),
    withdrawal({ state: 'sending', status: 'processing', updatedAt: at('07:10:37.018'), sequence: 1 }),
    withdrawal({ ...sent, updatedAt: at('07:10:39.441'), sequence: 2 }),
    withdrawal({
      id: '6af95b0a9d51e77c03b8a2f6',
      processId: 'odeme-2002',
      state: 'failed',
      status: 'failed',
      failureReason: 'account_closed',
      createdAt: at('07:11:06.900'),
      updatedAt: at('07:11:09.127'),
      sequence: 2,
    }),
    withdrawal({ ...sent, state: 'returned', updatedAt: at('11:32:55.803'), sequence: 3 }),
    withdrawal(
      {
        id: '6af95b2ed04c18a7f3e6b950',
        processId: 'odeme-2003',
        amount: 15_000_000n,
        iban: 'TR400006400000110234567890',
        state: 'queued',
        stateReason: 'eft_closed',
        scheduledFor: new Date('2026-11-16T05:00:00.000Z'),
        createdAt: at('07:11:42.200'),
        updatedAt: at('07:11:42.655'),
        sequence: 1,
      },
      'updated',
    ),
    { type: 'endpoint.test', timestamp: '2026-11-15T07:05:00.000Z', data: { endpointId: '6af959601be3f0726cd84a90' } },
  ]
}

const EXAMPLES = new Map((await exampleEvents()).map(({ type, data }) => [type, data]))
