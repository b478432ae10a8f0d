import { sharedEn } from '../web/console/words-en.ts'
import type { Words } from './words-tr.ts'

export const en: Words = {
  ...sharedEn,
  console: 'Vezne · Merchant',
  home: 'Overview',
  deposits: 'Deposits',
  links: 'Payment links',
  withdrawals: 'Withdrawals',
  instructions: 'Instructions',
  callbacks: 'Callbacks',
  developer: 'Developer',
  balance: 'Balance',
  calls: 'API log',
  team: 'Team',
  brand: 'Brand',

  balances: 'Balance',
  available: 'Available',
  held: 'Held',
  inTransit: 'In transit',
  today: { deposits: 'Deposits today', withdrawals: 'Withdrawals today' },
  count: 'Count',
  sum: 'Sum',
  noneToday: 'None today.',
  endpoints: 'Callback endpoints',
  endpoint: 'URL',
  noRecord:
    'Vezne has no record of this: the person named did not propose it. It can only be rejected; tell your payment institution.',
  noUrl: 'no URL set',
  noEndpoints: 'There is no callback endpoint. Events are kept; once one is added, they can be resent.',
  health: 'Health',
  healthy: 'working',
  disabled: 'disabled',
  failingSince: (age) => `failing for ${age}`,
  inQueue: 'Waiting',
  waitingInstructions: (count) =>
    count === 1 ? '1 withdrawal instruction waits for approval' : `${count} withdrawal instructions wait for approval`,
  rotated: 'The API secret was rotated',
  theOperator: 'the operator of the service',
  rotatedHint: 'The new secret can create withdrawals. If you do not know about it, ask at once.',

  currency: 'Currency',
  username: 'Username',
  net: 'Net',
  refundOf: 'Refund of',
  bankReference: 'Bank reference',
  sendsAt: 'Sent at',
  returned: 'the bank returned the money',
  settlement: 'settlement',
  moments: {
    created: 'Created',
    claimed: 'The customer reported it as sent; this moves no money',
    status: (from, to) => `Status: ${from} → ${to}`,
    callback: 'Callback',
  },

  callbacksLead:
    'Events that we report to your server, newest first. What is not delivered is retried for thirty days.',

  logInTitle: 'Merchant login',
  loginName: 'E-mail',
  proveLead: 'Changes need a password entered in the last ten minutes.',
}
