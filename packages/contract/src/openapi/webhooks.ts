import type { EventType } from '../event-types.ts'
import { ID_PATTERN } from '../fields.ts'
import { reference } from './json-schema.ts'

type Webhook = { summary: string; text: string; data: Record<string, unknown> }

const narrowed = (name: string, values: Record<string, unknown>) => ({
  allOf: [
    reference(name),
    {
      required: Object.keys(values),
      properties: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, { const: value }])),
    },
  ],
})
const deposit = (status: string, summary: string, text: string): Webhook => ({
  summary,
  text,
  data: narrowed('Deposit', { status }),
})
const withdrawal = (status: string, summary: string, text: string): Webhook => ({
  summary,
  text,
  data: narrowed('Withdrawal', { status }),
})

export const WEBHOOKS: Record<EventType, Webhook> = {
  'deposit.processing': deposit('processing', 'Money is held', 'Money arrived that is held until the rest arrives or a person decides. Do not deliver yet.'), // prettier-ignore
  'deposit.expired': deposit(
    'expired',
    'A deposit expired',
    'No money arrived in time. Late money may still complete it.',
  ),
  'deposit.completed': deposit('completed', 'A deposit was paid', 'Credit the customer with `receivedAmount`.'),
  'deposit.failed': deposit('failed', 'A deposit failed', 'The money that arrived is not credited; `reason` says why.'),
  'deposit.cancelled': deposit('cancelled', 'A deposit was cancelled', 'You cancelled it.'),
  'deposit.updated': {
    summary: 'A deposit changed',
    text: 'Anything but the status: flags, refunds, the assigned account.',
    data: reference('Deposit'),
  },
  'withdrawal.processing': withdrawal('processing', 'A withdrawal is being sent', 'Do not order it again.'),
  'withdrawal.completed': withdrawal('completed', 'A withdrawal was sent', 'The bank has sent the money.'),
  'withdrawal.failed': withdrawal('failed', 'A withdrawal failed', 'Not paid; amount and fee are available again.'),
  'withdrawal.returned': {
    summary: 'A withdrawal came back',
    text: 'The recipient’s bank sent the money back. The amount is available again, the fee is not.',
    data: narrowed('Withdrawal', { status: 'completed', returned: true }),
  },
  'withdrawal.updated': {
    summary: 'A withdrawal changed',
    text: 'Anything but the status, such as `scheduledFor`.',
    data: reference('Withdrawal'),
  },
  'endpoint.test': {
    summary: 'A test',
    text: 'Sent by you to try an endpoint. Respond with 2xx.',
    data: {
      type: 'object',
      required: ['endpointId'],
      additionalProperties: false,
      properties: { endpointId: { type: 'string', pattern: ID_PATTERN, description: 'The endpoint that is tried.' } },
    },
  },
}
