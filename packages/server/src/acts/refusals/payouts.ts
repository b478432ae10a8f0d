import type { PAYOUTS } from '../../kernel/refusals/payouts.ts'
import type { Sentences } from './sentence.ts'

export const PAYOUTS_SENTENCES: Sentences<typeof PAYOUTS> = {}
