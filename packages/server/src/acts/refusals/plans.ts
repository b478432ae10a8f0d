import type { PLANS } from '../../kernel/refusals/plans.ts'
import { PLAN_DEPOSITS_SENTENCES } from './plan-deposits.ts'
import { PLAN_FIELDS_SENTENCES } from './plan-fields.ts'
import { PLAN_LINES_SENTENCES } from './plan-lines.ts'
import { PLAN_PAYOUTS_SENTENCES } from './plan-payouts.ts'
import { PLAN_RETURNS_SENTENCES } from './plan-returns.ts'
import { PLAN_REVERSALS_SENTENCES } from './plan-reversals.ts'
import type { Sentences } from './sentence.ts'

export const PLANS_SENTENCES: Sentences<typeof PLANS> = {
  ...PLAN_FIELDS_SENTENCES,
  ...PLAN_LINES_SENTENCES,
  ...PLAN_DEPOSITS_SENTENCES,
  ...PLAN_PAYOUTS_SENTENCES,
  ...PLAN_RETURNS_SENTENCES,
  ...PLAN_REVERSALS_SENTENCES,
}
