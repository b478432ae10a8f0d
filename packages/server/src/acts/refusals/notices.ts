import type { NOTICES } from '../../kernel/refusals/notices.ts'
import type { Sentences } from './sentence.ts'

export const NOTICES_SENTENCES: Sentences<typeof NOTICES> = {}
