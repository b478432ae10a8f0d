import type { Action, Role } from '../../domain/people/index.ts'
import { mayTake } from '../../domain/people/index.ts'
import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { ConsoleLinks, NavItem } from '../web/console/layout.ts'
import { consolePage } from '../web/console/layout.ts'
import { en } from './words-en.ts'
import type { Words } from './words-tr.ts'
import { tr } from './words-tr.ts'

export type Language = 'tr' | 'en'
export const WORDS: Record<Language, Words> = { tr, en }

/** Who looks at a page, and how. */
export type Viewer = {
  name: string
  roles: readonly Role[]
  csrf: string
  language: Language
  words: Words
  /** Path of the console, with the prefix of a proxy. */
  root: string
  now: Date
  sandbox: boolean
}

type Section = 'home' | 'transactions' | 'approvals' | 'payouts' | 'accounts'

export type Page = { title: string; section: Section | null; main: Html; search?: string }

export type Said = { text: string; bad: boolean } | null

const SECTIONS: [section: Section, path: string][] = [
  ['home', ''],
  ['transactions', '/transactions'],
  ['approvals', '/approvals'],
  ['payouts', '/payouts'],
  ['accounts', '/accounts'],
]

export function framed(
  viewer: Viewer,
  links: ConsoleLinks,
  { title, section, main, search = '' }: Page,
  said: Said,
): string {
  const { language, words, root, name, csrf, sandbox } = viewer
  const nav = SECTIONS.map(([one, path]): NavItem => {
    return { href: `${root}${path}`, label: words[one], isCurrent: one === section }
  })
  return consolePage({
    ...{ language, title, root, links, words, person: name, csrf, sandbox, nav, search, said },
    main: html`${main}
      <p class="keys">${words.keys}</p>`,
  })
}

/** A form with one button. Disabled, with the reason, for a person whose roles do not include the decision. */
export function decisionForm(
  viewer: Viewer,
  action: Action,
  path: string,
  fields: Html,
  label: string,
  look = '',
): Html {
  const { root, csrf, roles } = viewer
  const allowed = mayTake(roles, action)
  return html`<form method="post" action="${root}${path}">
    <input type="hidden" name="csrf" value="${csrf}" />
    ${fields}
    <button class="button small ${look}" ${!allowed && html`disabled`}>${label}</button>
  </form>`
}
