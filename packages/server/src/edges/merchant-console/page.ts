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

const SECTIONS = [
  ...(['home', 'deposits', 'links', 'withdrawals', 'instructions', 'balance'] as const),
  ...(['callbacks', 'calls', 'developer', 'team', 'brand'] as const),
] as const

export type Page = AnyPage & { section: (typeof SECTIONS)[number] | null }

export function framed(viewer: Viewer, links: ConsoleLinks, page: AnyPage, said: Said): string {
  const { language, words, root, name, csrf, sandbox, now } = viewer
  const { title, section, main, live, search = '' } = page
  const nav = SECTIONS.map((one): NavItem => {
    return { href: one === 'home' ? root : `${root}/${one}`, label: words[one], isCurrent: one === section }
  })
  // Of the address only what the search was for: nothing else that it may name is shown.
  const query = search === '' ? {} : { q: search }
  return consolePage({
    ...{ language, title, root, links, words, person: name, now, csrf, sandbox, query, nav, said, live },
    search: { text: search, label: words.search, hint: words.searchHint },
    main: html`${main} ${keysHelp(words)}`,
  })
}
