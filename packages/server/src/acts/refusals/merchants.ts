import type { MERCHANTS } from '../../kernel/refusals/merchants.ts'
import type { Sentences } from './sentence.ts'

export const MERCHANTS_SENTENCES: Sentences<typeof MERCHANTS> = {}
