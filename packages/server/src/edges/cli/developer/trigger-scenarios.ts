import { WrongUsage } from '../core/context.ts'
import { testEndpoint } from './trigger-endpoint-test.ts'
import type { Stage } from './trigger-steps.ts'
import {
  cancel,
  createDeposit,
  createWithdrawal,
  customerPays,
  eventOf,
  operatorAccepts,
  operatorRefuses,
  passDeadline,
  recipientReturns,
} from './trigger-steps.ts'

type Told = { transactionId: string; sequence: number }
/** A test belongs to no transaction. */
type Tested = { eventId: string; endpointId: string }

export type Story = {
  event: string
  variant: string
  about: string
  movesClock?: boolean
  play: (stage: Stage) => Promise<Told | Tested>
}

/** The first story of an event is the default. */
export const STORIES: Story[] = [
  {
    event: 'deposit.processing',
    variant: 'short',
    about: 'the customer pays too little; the money is held',
    play: async (stage) => held(stage, await createDeposit(stage), less(stage)),
  },
  {
    event: 'deposit.processing',
    variant: 'over',
    about: 'the customer pays too much; the money is held',
    play: async (stage) => held(stage, await createDeposit(stage), more(stage)),
  },
  {
    event: 'deposit.completed',
    variant: 'paid',
    about: 'the customer pays what was asked for',
    play: async (stage) => paid(stage, await createDeposit(stage)),
  },
  {
    event: 'deposit.completed',
    variant: 'short',
    about: 'the customer pays too little, then the rest',
    async play(stage) {
      const part = less(stage)
      const { transactionId } = await held(stage, await createDeposit(stage), part)
      await customerPays(stage, transactionId, stage.amount - part)
      return tell(stage, transactionId, 'deposit.completed', 2)
    },
  },
  {
    event: 'deposit.completed',
    variant: 'over',
    about: 'the customer pays too much, and an operator accepts it: flag overpaid',
    async play(stage) {
      const { transactionId } = await held(stage, await createDeposit(stage), more(stage))
      await operatorAccepts(stage, transactionId)
      return tell(stage, transactionId, 'deposit.completed', 2)
    },
  },
  {
    event: 'deposit.completed',
    variant: 'late',
    about: 'the customer pays after it has expired: flag late (moves the clock)',
    movesClock: true,
    async play(stage) {
      const { transactionId } = await expired(stage)
      await customerPays(stage, transactionId, stage.amount)
      return tell(stage, transactionId, 'deposit.completed', 2)
    },
  },
  {
    event: 'deposit.completed',
    variant: 'name',
    about: 'somebody else pays: flag name_mismatch',
    play: async (stage) => paid(stage, await createDeposit(stage), 'Mehmet Demir'),
  },
  {
    event: 'deposit.failed',
    variant: 'refused',
    about: 'the customer pays too little, and an operator refuses the money',
    async play(stage) {
      const { transactionId } = await held(stage, await createDeposit(stage), less(stage))
      await operatorRefuses(stage, transactionId)
      return tell(stage, transactionId, 'deposit.failed', 2)
    },
  },
  {
    event: 'deposit.expired',
    variant: 'unpaid',
    about: 'nobody pays within 30 minutes (moves the clock)',
    movesClock: true,
    play: expired,
  },
  {
    event: 'deposit.cancelled',
    variant: 'cancelled',
    about: 'the merchant cancels before anybody pays',
    async play(stage) {
      const id = await createDeposit(stage)
      await cancel(stage, id)
      return tell(stage, id, 'deposit.cancelled', 1)
    },
  },
  {
    event: 'deposit.updated',
    variant: 'part',
    about: 'the customer pays too little twice; what has arrived grows, the status stays',
    async play(stage) {
      const part = Math.floor(less(stage) / 2)
      const { transactionId } = await held(stage, await createDeposit(stage), part)
      await customerPays(stage, transactionId, part)
      return tell(stage, transactionId, 'deposit.updated', 2)
    },
  },
  {
    event: 'deposit.updated',
    variant: 'duplicate',
    about: 'the customer pays twice: flag duplicate',
    async play(stage) {
      const { transactionId } = await paid(stage, await createDeposit(stage))
      await customerPays(stage, transactionId, stage.amount)
      return tell(stage, transactionId, 'deposit.updated', 2)
    },
  },
  {
    event: 'withdrawal.processing',
    variant: 'pending',
    about: 'the bank has the order and answers "pending"; a second or two later it completes by itself',
    play: (stage) => sent(stage, '0007'),
  },
  {
    event: 'withdrawal.completed',
    variant: 'paid',
    about: 'the bank sends the money',
    play: (stage) => ended(stage, '0008', 'withdrawal.completed'),
  },
  {
    event: 'withdrawal.completed',
    variant: 'doubt',
    about: 'the bank sends the money and answers with an error; its statement tells the truth',
    play: (stage) => ended(stage, '0006', 'withdrawal.completed'),
  },
  {
    event: 'withdrawal.failed',
    variant: 'closed',
    about: 'the bank refuses: account_closed',
    play: (stage) => ended(stage, '0001', 'withdrawal.failed'),
  },
  {
    event: 'withdrawal.failed',
    variant: 'name',
    about: 'the bank refuses: name_mismatch',
    play: (stage) => ended(stage, '0002', 'withdrawal.failed'),
  },
  {
    event: 'withdrawal.failed',
    variant: 'limit',
    about: 'the bank refuses: limit_exceeded',
    play: (stage) => ended(stage, '0003', 'withdrawal.failed'),
  },
  {
    event: 'withdrawal.returned',
    variant: 'returned',
    about: "the bank sends the money, and the recipient's bank sends it back",
    async play(stage) {
      const { transactionId } = await ended(stage, '0008', 'withdrawal.completed')
      await recipientReturns(stage, transactionId)
      return tell(stage, transactionId, 'withdrawal.returned', 3)
    },
  },
  {
    event: 'endpoint.test',
    variant: 'delivered',
    about: "the demo merchant's first endpoint is sent a test",
    play: testEndpoint,
  },
]

async function tell(stage: Stage, transactionId: string, event: string, sequence: number): Promise<Told> {
  await eventOf(stage, transactionId, event, sequence)
  return { transactionId, sequence }
}

async function paid(stage: Stage, id: string, sender?: string): Promise<Told> {
  await customerPays(stage, id, stage.amount, sender)
  return tell(stage, id, 'deposit.completed', 1)
}

async function held(stage: Stage, id: string, amount: number): Promise<Told> {
  await customerPays(stage, id, amount)
  return tell(stage, id, 'deposit.processing', 1)
}

async function expired(stage: Stage): Promise<Told> {
  const id = await createDeposit(stage)
  await passDeadline(stage)
  return tell(stage, id, 'deposit.expired', 1)
}

async function sent(stage: Stage, ending: string): Promise<Told> {
  return tell(stage, await createWithdrawal(stage, ending), 'withdrawal.processing', 1)
}

async function ended(stage: Stage, ending: string, event: string): Promise<Told> {
  const { transactionId } = await sent(stage, ending)
  return tell(stage, transactionId, event, 2)
}

function less({ amount }: Stage): number {
  if (amount < 2) throw new WrongUsage('Less than --amount 2 cannot be paid short.')
  return Math.floor((amount * 4) / 5)
}

function more({ amount }: Stage): number {
  return amount + Math.ceil(amount / 5)
}
