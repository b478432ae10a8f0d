import type { Language } from '../../web/console/site.ts'
import { en } from './words-en.ts'
import { tr } from './words-tr.ts'

export type DeskWords = typeof tr
export const WORDS: Record<Language, DeskWords> = { tr, en }
