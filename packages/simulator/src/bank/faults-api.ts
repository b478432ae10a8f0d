import type { FastifyInstance } from 'fastify'
import type { FaultPlan } from './fault-plan.ts'
import { FAULT_KINDS, NO_FAULTS } from './fault-plan.ts'
import type { Faults } from './faults.ts'

const MAX_DELAY_MS = 600_000

const planBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    seed: { type: 'integer' },
    rate: { type: 'number', minimum: 0, maximum: 1 },
    kinds: { type: 'array', items: { enum: FAULT_KINDS }, uniqueItems: true },
    delayMs: { type: 'integer', minimum: 0, maximum: MAX_DELAY_MS },
  },
}

export function mountFaults(app: FastifyInstance, faults: Faults): void {
  const shown = () => {
    const plan = faults.plan()
    return { ...plan, kinds: plan.rate === 0 ? [] : plan.kinds, counts: faults.counts() }
  }
  app.get('/faults', async () => shown())
  app.put<{ Body: Partial<FaultPlan> }>('/faults', { schema: { body: planBody } }, async ({ body }) => {
    // Kinds without a rate mean always; an empty plan means never.
    const rate = body.kinds ? 1 : 0
    faults.set({ ...NO_FAULTS, rate, ...body })
    return shown()
  })
  app.delete('/faults', async () => {
    faults.set(NO_FAULTS)
    return shown()
  })
}
