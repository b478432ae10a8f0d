import type { DataOf, ENDPOINTS, RequestOf } from '../endpoints.ts'
import type { EventType } from '../event-types.ts'
import type { DepositTransaction, WithdrawalTransaction } from '../transactions.ts'

type Given<Part> = Part extends object ? Part : never
type Example<Name extends keyof typeof ENDPOINTS> = {
  params?: Given<RequestOf<(typeof ENDPOINTS)[Name]>['params']>
  query?: Partial<Given<RequestOf<(typeof ENDPOINTS)[Name]>['query']>>
  body?: Given<RequestOf<(typeof ENDPOINTS)[Name]>['body']>
  data: DataOf<(typeof ENDPOINTS)[Name]>
}

const DEPOSIT_ID = '6af95a29428d9b71948dc42f'
const WITHDRAWAL_ID = '6af95a26421932befc432082'
const EVENT_ID = '6af95aef0d2c47b1c2f0a5e3'
const ENDPOINT_ID = '6af959ff5e8d1c2b7a904f36'

const account = {
  bankName: 'VakıfBank',
  accountName: 'Vezne Deneme Ödeme Hizmetleri A.Ş.',
  iban: 'TR720001500000000001000020',
}
const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
const deposit: DepositTransaction = {
  transactionId: DEPOSIT_ID,
  type: 'deposit',
  processId: 'order-1001',
  amount: 125_000,
  currency: 'TRY',
  status: 'completed',
  receivedAmount: 125_000,
  fee: 1250,
  netAmount: 123_750,
  flags: [],
  bankCode: 'FAST',
  assignedAccount: account,
  customer,
  expiresAt: '2026-11-15T07:37:21.080Z',
  createdAt: '2026-11-15T07:07:21.080Z',
  updatedAt: '2026-11-15T07:09:03.847Z',
  sequence: 1,
}
const withdrawal: WithdrawalTransaction = {
  transactionId: WITHDRAWAL_ID,
  type: 'withdrawal',
  processId: 'payout-1001',
  amount: 250_000,
  fee: 0,
  currency: 'TRY',
  status: 'completed',
  bankReference: '1042007731',
  iban: 'TR620006200029500006291296',
  accountName: 'Ayşe Yılmaz',
  userId: 'u-1',
  userName: 'ayse',
  name: 'Ayşe Yılmaz',
  createdAt: '2026-11-15T07:07:18.322Z',
  updatedAt: '2026-11-15T07:07:20.904Z',
  sequence: 2,
}
const { bankReference: _none, ...unsent } = withdrawal
const cancelled: WithdrawalTransaction = {
  ...unsent,
  status: 'failed',
  failureReason: 'cancelled_by_merchant',
  failureText: { tr: 'Talep iptal edildi.', en: 'The request was cancelled.' },
  sequence: 1,
}
const event = {
  eventId: EVENT_ID,
  type: 'withdrawal.completed' as const,
  transactionId: WITHDRAWAL_ID,
  sequence: 2,
  cursor: '1042',
  createdAt: '2026-11-15T07:07:20.904Z',
  payload: JSON.stringify({ type: 'withdrawal.completed', timestamp: '2026-11-15T07:07:20.904Z', data: withdrawal }),
  deliveries: [
    {
      endpointId: ENDPOINT_ID,
      url: 'https://hooks.example.com/vezne',
      state: 'delivered' as const,
      tries: 1,
      finishedAt: '2026-11-15T07:07:21.155Z',
      lastOutcome: 'accepted' as const,
      lastStatus: 200,
    },
  ],
}
const created = { currency: 'TRY', status: 'pending' as const }

export const EXAMPLES: { [Name in keyof typeof ENDPOINTS]: Example<Name> } = {
  availableBanks: {
    data: {
      banks: [
        { _id: 'FAST', name: 'FAST', code: 'FAST', minAmount: 100, maxAmount: 10_000_000 },
        {
          _id: '65920080d29fb03cbdc32b93',
          name: 'Akbank',
          code: '0046',
          minAmount: 100,
          maxAmount: 50_000_000,
          logo: 'http://127.0.0.1:8080/logos/0046.svg',
        },
      ],
    },
  },
  createDeposit: {
    body: { processId: 'order-1001', amount: 125_000, bankCode: 'FAST', customer },
    data: {
      transactionId: DEPOSIT_ID,
      processId: 'order-1001',
      amount: 125_000,
      ...created,
      assignedAccount: account,
      checkoutUrl: 'http://127.0.0.1:8080/checkout?token=avlZ_wUggBzDR0PnYQ',
      expiresAt: deposit.expiresAt,
      createdAt: deposit.createdAt,
    },
  },
  createWithdrawal: {
    body: {
      processId: 'payout-1001',
      amount: 250_000,
      accountName: 'Ayşe Yılmaz',
      iban: 'TR62 0006 2000 2950 0006 2912 96',
      userId: 'u-1',
      userName: 'ayse',
      name: 'Ayşe Yılmaz',
    },
    data: {
      transactionId: WITHDRAWAL_ID,
      processId: 'payout-1001',
      amount: 250_000,
      ...created,
      createdAt: withdrawal.createdAt,
    },
  },
  listTransactions: {
    query: { type: 'withdrawal', processId: 'payout-1001' },
    data: { transactions: [withdrawal], nextCursor: null },
  },
  getTransaction: { params: { transactionId: DEPOSIT_ID }, data: deposit },
  getInstructions: {
    params: { transactionId: DEPOSIT_ID },
    query: { language: 'en' },
    data: {
      transactionId: DEPOSIT_ID,
      language: 'en',
      text: 'Kitap Evi: payment of 1,250.00 TL\n\nMake a transfer in your banking app with these details:\n…',
    },
  },
  cancelTransaction: { params: { transactionId: WITHDRAWAL_ID }, data: cancelled },
  refundTransaction: {
    params: { transactionId: DEPOSIT_ID },
    body: { processId: 'refund-1001', amount: 25_000, reason: 'Ürün iade edildi' },
    data: {
      transactionId: '6af95b3a421932befc4320a1',
      processId: 'refund-1001',
      amount: 25_000,
      ...created,
      createdAt: '2026-11-15T07:11:54.118Z',
      refundOf: DEPOSIT_ID,
    },
  },
  getBalance: { query: {}, data: { currency: 'TRY', available: 750_000, held: 250_000 } },
  listEvents: { query: { limit: '1' }, data: { events: [event], nextCursor: '1042' } },
  getEvent: {
    params: { eventId: EVENT_ID },
    data: {
      ...event,
      attempts: [
        {
          endpointId: ENDPOINT_ID,
          at: '2026-11-15T07:07:21.083Z',
          outcome: 'accepted',
          status: 200,
          problem: null,
          durationMs: { connect: 34, wait: 21, read: 1 },
          answer: 'ok',
        },
      ],
    },
  },
  resendEvent: { params: { eventId: EVENT_ID }, query: { endpointId: ENDPOINT_ID }, data: { deliveries: 1 } },
  resendFailed: { body: { since: '2026-11-14T22:00:00+03:00' }, data: { deliveries: 217 } },
  health: { data: { status: 'ok' } },
  readiness: {
    data: {
      status: 'ready',
      checks: {
        process: 'ok',
        database: 'ok',
        schema: 'ok',
        writing: 'ok',
        primary: 'ok',
        clock: 'ok',
        replication: 'none',
      },
    },
  },
}

const unpaid = { ...deposit, receivedAmount: 0, fee: 0, netAmount: 0 }

/** What `data` of a callback shows. */
const EVENT_DATA: Record<EventType, object> = {
  'deposit.processing': { ...deposit, status: 'processing', receivedAmount: 100_000, fee: 0, netAmount: 0, flags: ['underpaid'], reason: 'short' }, // prettier-ignore
  'deposit.expired': { ...unpaid, status: 'expired' },
  'deposit.completed': deposit,
  'deposit.failed': { ...deposit, status: 'failed', fee: 0, netAmount: 0, reason: 'payment_rejected', sequence: 2 },
  'deposit.cancelled': { ...unpaid, status: 'cancelled' },
  'deposit.updated': { ...deposit, refundedAmount: 25_000, sequence: 2 },
  'withdrawal.processing': { ...unsent, status: 'processing', sequence: 1 },
  'withdrawal.completed': withdrawal,
  'withdrawal.failed': cancelled,
  'withdrawal.returned': { ...withdrawal, returned: true, sequence: 3 },
  'withdrawal.updated': { ...unsent, status: 'pending', scheduledFor: '2026-11-16T06:00:00.000Z', sequence: 1 },
  'endpoint.test': { endpointId: ENDPOINT_ID },
}

export const exampleEvent = (type: EventType) => ({ type, timestamp: deposit.updatedAt, data: EVENT_DATA[type] })
