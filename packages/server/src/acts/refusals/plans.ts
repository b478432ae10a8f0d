import type { PLANS } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'

export const PLANS_SENTENCES: Sentences<typeof PLANS> = {}
