import { WrongUsage } from '../core/context.ts'
import { testEndpoint } from './trigger-endpoint-test.ts'
import type { ScenarioContext } from './trigger-steps.ts'
import {
  cancel,
  createDeposit,
  createWithdrawal,
  customerPays,
  customerPaysWithoutCode,
  eventOf,
  operatorAccepts,
  operatorMatches,
  operatorRefuses,
  operatorSendsBack,
  passDeadline,
  recipientReturns,
} from './trigger-steps.ts'

type Result = { transactionId: string; sequence: number }
/** A test belongs to no transaction. */
type Tested = { eventId: string; endpointId: string }

export type Scenario = {
  event: string
  variant: string
  /** Name of a whole story, which ends when nothing is left to do. */
  story?: string
  about: string
  movesClock?: boolean
  run: (scenario: ScenarioContext) => Promise<Result | Tested>
}

/** The first scenario of an event is the default. */
export const SCENARIOS: Scenario[] = [
  {
    event: 'deposit.processing',
    variant: 'short',
    about: 'the customer pays too little; the money is held',
    run: async (scenario) => held(scenario, await createDeposit(scenario), less(scenario)),
  },
  {
    event: 'deposit.processing',
    variant: 'over',
    about: 'the customer pays too much; the money is held',
    run: async (scenario) => held(scenario, await createDeposit(scenario), more(scenario)),
  },
  {
    event: 'deposit.completed',
    variant: 'paid',
    story: 'paid',
    about: 'the customer pays what was asked for',
    run: async (scenario) => paid(scenario, await createDeposit(scenario)),
  },
  {
    event: 'deposit.completed',
    variant: 'short',
    story: 'short',
    about: 'the customer pays too little, then the rest',
    async run(scenario) {
      const part = less(scenario)
      const { transactionId } = await held(scenario, await createDeposit(scenario), part)
      await customerPays(scenario, transactionId, scenario.amount - part)
      return awaitEvent(scenario, transactionId, 'deposit.completed', 2)
    },
  },
  {
    event: 'deposit.completed',
    variant: 'over',
    story: 'over',
    about: 'the customer pays too much, and an operator accepts it: flag overpaid',
    async run(scenario) {
      const { transactionId } = await held(scenario, await createDeposit(scenario), more(scenario))
      await operatorAccepts(scenario, transactionId)
      return awaitEvent(scenario, transactionId, 'deposit.completed', 2)
    },
  },
  {
    event: 'deposit.completed',
    variant: 'late',
    story: 'late',
    about: 'the customer pays after it has expired: flag late (moves the clock)',
    movesClock: true,
    async run(scenario) {
      const { transactionId } = await expired(scenario)
      await customerPays(scenario, transactionId, scenario.amount)
      return awaitEvent(scenario, transactionId, 'deposit.completed', 2)
    },
  },
  {
    event: 'deposit.completed',
    variant: 'name',
    about: 'somebody else pays: flag name_mismatch',
    run: async (scenario) => paid(scenario, await createDeposit(scenario), 'Mehmet Demir'),
  },
  {
    event: 'deposit.completed',
    variant: 'codeless',
    story: 'codeless',
    about: 'the customer pays without the code, and an operator finds the deposit',
    async run(scenario) {
      const id = await createDeposit(scenario)
      await operatorMatches(scenario, id, await customerPaysWithoutCode(scenario, id))
      return awaitEvent(scenario, id, 'deposit.completed', 1)
    },
  },
  {
    event: 'deposit.failed',
    variant: 'refused',
    about: 'the customer pays too little, and an operator refuses the money',
    async run(scenario) {
      const { transactionId } = await held(scenario, await createDeposit(scenario), less(scenario))
      await operatorRefuses(scenario, transactionId)
      return awaitEvent(scenario, transactionId, 'deposit.failed', 2)
    },
  },
  {
    event: 'deposit.expired',
    variant: 'unpaid',
    about: 'nobody pays within 30 minutes (moves the clock)',
    movesClock: true,
    run: expired,
  },
  {
    event: 'deposit.cancelled',
    variant: 'cancelled',
    about: 'the merchant cancels before anybody pays',
    async run(scenario) {
      const id = await createDeposit(scenario)
      await cancel(scenario, id)
      return awaitEvent(scenario, id, 'deposit.cancelled', 1)
    },
  },
  {
    event: 'deposit.updated',
    variant: 'part',
    about: 'the customer pays too little twice; what has arrived grows, the status stays',
    async run(scenario) {
      const part = Math.floor(less(scenario) / 2)
      const { transactionId } = await held(scenario, await createDeposit(scenario), part)
      await customerPays(scenario, transactionId, part)
      return awaitEvent(scenario, transactionId, 'deposit.updated', 2)
    },
  },
  {
    event: 'deposit.updated',
    variant: 'duplicate',
    about: 'the customer pays twice: flag duplicate',
    run: paidTwice,
  },
  {
    event: 'deposit.updated',
    variant: 'twice',
    story: 'twice',
    about: 'the customer pays twice, and an operator sends the second payment back',
    async run(scenario) {
      const result = await paidTwice(scenario)
      await operatorSendsBack(scenario, result.transactionId)
      return result
    },
  },
  {
    event: 'withdrawal.processing',
    variant: 'pending',
    about: 'the bank has the order and answers "pending"; a second or two later it completes by itself',
    run: (scenario) => sent(scenario, '0007'),
  },
  {
    event: 'withdrawal.completed',
    variant: 'paid',
    about: 'the bank sends the money',
    run: (scenario) => ended(scenario, '0008', 'withdrawal.completed'),
  },
  {
    event: 'withdrawal.completed',
    variant: 'doubt',
    story: 'unknown',
    about: 'the bank sends the money and answers with an error; its statement tells the truth',
    async run(scenario) {
      const { transactionId } = await sent(scenario, '0006')
      scenario.say('the bank answers with an error: whether it has sent the money is unknown, so it is not sent again')
      const result = await awaitEvent(scenario, transactionId, 'withdrawal.completed', 2)
      scenario.say('known now: the statement of the bank shows the debit')
      return result
    },
  },
  {
    event: 'withdrawal.failed',
    variant: 'closed',
    story: 'refused',
    about: 'the bank refuses: account_closed',
    run: (scenario) => ended(scenario, '0001', 'withdrawal.failed'),
  },
  {
    event: 'withdrawal.failed',
    variant: 'name',
    about: 'the bank refuses: name_mismatch',
    run: (scenario) => ended(scenario, '0002', 'withdrawal.failed'),
  },
  {
    event: 'withdrawal.failed',
    variant: 'limit',
    about: 'the bank refuses: limit_exceeded',
    run: (scenario) => ended(scenario, '0003', 'withdrawal.failed'),
  },
  {
    event: 'withdrawal.returned',
    variant: 'returned',
    story: 'returned',
    about: "the bank sends the money, and the recipient's bank sends it back",
    async run(scenario) {
      const { transactionId } = await ended(scenario, '0008', 'withdrawal.completed')
      await recipientReturns(scenario, transactionId)
      return awaitEvent(scenario, transactionId, 'withdrawal.returned', 3)
    },
  },
  {
    event: 'endpoint.test',
    variant: 'delivered',
    about: "the merchant's first endpoint is sent a test",
    run: testEndpoint,
  },
]

async function awaitEvent(
  scenario: ScenarioContext,
  transactionId: string,
  event: string,
  sequence: number,
): Promise<Result> {
  await eventOf(scenario, transactionId, event, sequence)
  return { transactionId, sequence }
}

async function paid(scenario: ScenarioContext, id: string, sender?: string): Promise<Result> {
  await customerPays(scenario, id, scenario.amount, sender)
  return awaitEvent(scenario, id, 'deposit.completed', 1)
}

async function paidTwice(scenario: ScenarioContext): Promise<Result> {
  const { transactionId } = await paid(scenario, await createDeposit(scenario))
  await customerPays(scenario, transactionId, scenario.amount)
  return awaitEvent(scenario, transactionId, 'deposit.updated', 2)
}

async function held(scenario: ScenarioContext, id: string, amount: number): Promise<Result> {
  await customerPays(scenario, id, amount)
  return awaitEvent(scenario, id, 'deposit.processing', 1)
}

async function expired(scenario: ScenarioContext): Promise<Result> {
  const id = await createDeposit(scenario)
  await passDeadline(scenario)
  return awaitEvent(scenario, id, 'deposit.expired', 1)
}

async function sent(scenario: ScenarioContext, ending: string): Promise<Result> {
  return awaitEvent(scenario, await createWithdrawal(scenario, ending), 'withdrawal.processing', 1)
}

async function ended(scenario: ScenarioContext, ending: string, event: string): Promise<Result> {
  const { transactionId } = await sent(scenario, ending)
  return awaitEvent(scenario, transactionId, event, 2)
}

function less({ amount }: ScenarioContext): number {
  if (amount < 2) throw new WrongUsage('Less than --amount 2 cannot be paid short.')
  return Math.floor((amount * 4) / 5)
}

function more({ amount }: ScenarioContext): number {
  return amount + Math.ceil(amount / 5)
}
