import type { Language } from '../../web/console/site.ts'
import { en, saidEn } from './words-en.ts'
import { saidTr, tr } from './words-tr.ts'

export type DeskWords = typeof tr
export const WORDS: Record<Language, DeskWords> = { tr, en }
export const SAID = { tr: saidTr, en: saidEn }
