import type { DEPOSITS } from '../../kernel/refusals/deposits.ts'
import type { Sentences } from './sentence.ts'

export const DEPOSITS_SENTENCES: Sentences<typeof DEPOSITS> = {}
