import { foldText as fold } from '../../kernel/fold.ts'
import type { Section } from './markdown.ts'

export type Page = { address: string; title: string; sections: Section[] }
export type Found = { address: string; page: string; title: string; snippet: string }

const MAX_RESULTS = 30
const SNIPPET = 160

/** Words that people type, and those of our documents; folded. */
const SYNONYMS: readonly (readonly [typed: string, ours: string])[] = [
  ['PARA CEKME', 'CEKIM'],
  ['PARA YATIRMA', 'YATIRIM'],
  ['GERI ODEME', 'IADE'],
  ['MUKERRER', 'DUPLICATE'],
  ['CIFT ODEME', 'DUPLICATE'],
  ['GEC ODEME', 'GEC GELEN PARA'],
  ['FAZLA ODEME', 'OVERPAID'],
  ['WEBHOOK', 'CALLBACK'],
  ['PAYIN', 'DEPOSIT'],
  ['CASH OUT', 'WITHDRAWAL'],
  ['CHARGEBACK', 'PAYMENT_REVERSED'],
]

/** Sections that contain every word: first those with all of them in their heading, then those with the words side by side. */
export function searchPages(pages: Page[], text: string): Found[] {
  const typed = fold(text)
  const meant = SYNONYMS.filter(([one]) => typed.includes(one)).map(([one, ours]) => typed.replace(one, fold(ours)))
  const queries = [typed, ...meant]
    .map((query) => query.split(/\s+/).filter(Boolean))
    .filter(({ length }) => length > 0)
  const words = queries[0] ?? []
  const found = pages.flatMap((page) =>
    page.sections.map((section) => ({
      page,
      section,
      rank: Math.max(0, ...queries.map((one) => rankOf(section, one))),
    })),
  )
  return found
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MAX_RESULTS)
    .map(({ page, section }) => ({
      address: `${page.address}#${section.id}`,
      page: page.title,
      title: section.title,
      snippet: snippetOf(section.text, words[0] ?? ''),
    }))
}

/** Folding all documents takes far longer than searching them, and sections live as long as the process. */
const folded = new WeakMap<Section, { heading: string; all: string }>()

function foldedOf(section: Section) {
  const { title, text } = section
  const made = folded.get(section) ?? { heading: fold(title), all: fold(`${title} ${text}`) }
  folded.set(section, made)
  return made
}

function rankOf(section: Section, words: string[]): number {
  const { heading, all } = foldedOf(section)
  if (!words.every((word) => all.includes(word))) return 0
  if (words.every((word) => heading.includes(word))) return 3
  return words.length > 1 && all.includes(words.join(' ')) ? 2 : 1
}

function snippetOf(text: string, word: string): string {
  const at = Math.max(fold(text).indexOf(word) - SNIPPET / 3, 0)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const piece = text.slice(start, start + SNIPPET)
  return `${start > 0 ? '… ' : ''}${piece}${start + SNIPPET < text.length ? ' …' : ''}`
}
