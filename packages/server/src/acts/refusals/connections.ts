import type { CONNECTIONS } from '../../kernel/refusals/connections.ts'
import type { Sentences } from './sentence.ts'

export const CONNECTIONS_SENTENCES: Sentences<typeof CONNECTIONS> = {}
