import { html } from '../web/html.ts'
import { keysHelp } from '../web/console/keys-help.ts'
import type { ConsoleLinks, NavItem } from '../web/console/layout.ts'
import { consolePage } from '../web/console/layout.ts'
import type { Page as AnyPage, Said, Viewer as AnyViewer } from '../web/console/routes.ts'
import type { Language } from '../web/console/site.ts'
import { en } from './words-en.ts'
import type { Words } from './words-tr.ts'
import { tr } from './words-tr.ts'

export const WORDS: Record<Language, Words> = { tr, en }

export type Viewer = AnyViewer<Words>

type Section =
  | ('home' | 'transactions' | 'charts' | 'matching' | 'approvals' | 'payouts' | 'accounts')
  | ('statements' | 'books' | 'merchants' | 'banks' | 'callbacks' | 'people' | 'audit' | 'system')

export type Page = AnyPage & { section: Section | null }

const SECTIONS: [section: Section, path: string][] = [
  ['home', ''],
  ['transactions', '/transactions'],
  ['charts', '/charts'],
  ['matching', '/matching'],
  ['approvals', '/approvals'],
  ['payouts', '/payouts'],
  ['accounts', '/accounts'],
  ['statements', '/statements'],
  ['books', '/books'],
  ['merchants', '/merchants'],
  ['banks', '/banks'],
  ['callbacks', '/callbacks'],
  ['people', '/people'],
  ['audit', '/audit'],
  ['system', '/system'],
]

export function framed(viewer: Viewer, links: ConsoleLinks, page: AnyPage, said: Said): string {
  const { language, words, root, name, csrf, sandbox, query, now } = viewer
  const { title, section, main, live, search = '', withCharts = false } = page
  const nav = SECTIONS.map(([one, path]): NavItem => {
    const label = one === 'audit' && !viewer.may('audit.read') ? words.ownDecisions : words[one]
    return { href: `${root}${path}`, label, isCurrent: one === section }
  })
  return consolePage({
    ...{ language, title, root, links, words, person: name, now, csrf, sandbox, query, nav, said, withCharts, live },
    search: { text: search, label: words.search, hint: words.searchHint },
    main: html`${main} ${keysHelp(words)}`,
  })
}
