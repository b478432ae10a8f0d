import type { WITHDRAWALS } from '../../kernel/refusals/withdrawals.ts'
import type { Sentences } from './sentence.ts'

export const WITHDRAWALS_SENTENCES: Sentences<typeof WITHDRAWALS> = {}
