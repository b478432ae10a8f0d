import type { BOOKS } from '../../kernel/refusals/books.ts'
import type { Sentences } from './sentence.ts'

export const BOOKS_SENTENCES: Sentences<typeof BOOKS> = {}
