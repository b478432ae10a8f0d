import type { STATEMENTS } from '../../kernel/refusals/statements.ts'
import type { Sentences } from './sentence.ts'

export const STATEMENTS_SENTENCES: Sentences<typeof STATEMENTS> = {}
