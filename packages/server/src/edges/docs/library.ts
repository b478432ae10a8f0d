import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Menu } from './layout.ts'
import type { Rendered } from './markdown.ts'
import { renderMarkdown } from './markdown.ts'
import { playground } from './playground.ts'
import { referencePage } from './reference-page.ts'
import type { Page } from './search.ts'
import type { Language } from './site-map.ts'
import { DOCS, DOCUMENTS, GUIDES } from './site-map.ts'
import { WORDS } from './words.ts'

export type Library = ReturnType<typeof openLibrary>

/** All pages, rendered when they are first asked for. Documents do not change while a process runs. */
export function openLibrary(version: string, baseUrl: () => string) {
  const rendered = new Map<string, Rendered>()

  function make(address: string): Rendered | null {
    if (address === '/docs/reference') return referencePage(version, baseUrl())
    if (address === '/docs/changelog') return fromFile('CHANGELOG.md', baseUrl())
    const [, language, guide] = /^\/docs\/(en|tr)\/([\w-]+)$/.exec(address) ?? []
    if (isOneOf(GUIDES, guide)) return fromFile(`docs/guides/${language}/${guide}.md`, baseUrl(), language as Language)
    const [, document] = /^\/docs\/([\w-]+)$/.exec(address) ?? []
    return isOneOf(DOCUMENTS, document) ? fromFile(`docs/${document}.md`, baseUrl()) : null
  }

  function page(address: string): Rendered | null {
    const known = rendered.get(address) ?? make(address)
    if (known) rendered.set(address, known)
    return known
  }

  const menuOf = (language: Language): Menu => ({
    guides: GUIDES.map((guide) => titled(`/docs/${language}/${guide}`)),
    details: [
      { address: '/docs/reference', title: WORDS[language].reference },
      ...DOCUMENTS.map((document) => titled(`/docs/${document}`)),
      { address: '/docs/changelog', title: WORDS[language].changelog },
    ],
  })
  const titled = (address: string) => ({ address, title: page(address)?.title ?? address })

  /** What a search reads: the guides of one language, then the documents. */
  function pagesOf(language: Language): Page[] {
    const { guides, details } = menuOf(language)
    return [...guides, ...details].map(({ address, title }) => ({
      address,
      title,
      sections: page(address)?.sections ?? [],
    }))
  }

  return { page, menuOf, pagesOf }
}

const isOneOf = (list: readonly string[], name: string | undefined) => name !== undefined && list.includes(name)

/** A sandbox on another port shows its own address, so that what is copied works. */
function fromFile(file: string, baseUrl: string, language: Language = 'en'): Rendered {
  const written = readFileSync(join(DOCS, '..', file), 'utf8')
  const source = baseUrl.startsWith('http://127.0.0.1:')
    ? written.replaceAll('http://127.0.0.1:8080', baseUrl)
    : written
  return renderMarkdown(source, file, { playground: playground(WORDS[language]) })
}
