import { foldText as fold } from '../../kernel/fold.ts'
import type { Section } from './markdown.ts'

export type Page = { address: string; title: string; sections: Section[] }
export type Found = { address: string; page: string; title: string; snippet: string }

const MAX_RESULTS = 30
const SNIPPET = 160

/** Sections that contain every word; those with all words in their heading first. */
export function searchPages(pages: Page[], text: string): Found[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = pages.flatMap((page) =>
    page.sections.map((section) => ({ page, section, rank: rankOf(section, words) })),
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
  return words.every((word) => heading.includes(word)) ? 2 : 1
}

function snippetOf(text: string, word: string): string {
  const at = Math.max(fold(text).indexOf(word) - SNIPPET / 3, 0)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const piece = text.slice(start, start + SNIPPET)
  return `${start > 0 ? '… ' : ''}${piece}${start + SNIPPET < text.length ? ' …' : ''}`
}
