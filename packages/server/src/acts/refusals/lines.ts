import type { LINES } from '../../kernel/refusals/lines.ts'
import type { Sentences } from './sentence.ts'

export const LINES_SENTENCES: Sentences<typeof LINES> = {}
