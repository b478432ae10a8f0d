import type { Action } from '../../../domain/people/index.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Html } from '../html.ts'
import type { ConsoleLinks } from './layout.ts'
import type { ConsoleDeps, Language, Site } from './site.ts'
import type { SharedWords } from './words-tr.ts'

/** The types in which the consoles differ. */
export type Kind = { app: ConsoleDeps; words: SharedWords; outcome: string }

/** Who looks at a page, and how. */
export type Viewer<Words> = {
  name: string
  /** Whether the person's roles include a decision. */
  may: (action: Action) => boolean
  csrf: string
  language: Language
  words: Words
  /** Path of the console, with the prefix of a proxy. */
  root: string
  now: Date
  sandbox: boolean
}

/** What a handler knows of a request by a person who is logged in. */
export type Asked<K extends Kind> = {
  viewer: Viewer<K['words']>
  actor: Actor
  /** The merchant of the session; null for the operator's staff. */
  merchantId: string | null
  /** Password or second factor were given in the last ten minutes. */
  steppedUp: boolean
  id: string
  query: Record<string, unknown>
  fields: URLSearchParams
}

export type Page = { title: string; section: string | null; main: Html; search?: string }

export type Shown = { page: Page; status?: number } | { redirect: string }

/** Something to look at. Every role may. */
export type View<K extends Kind> = { path: string; show: (app: K['app'], asked: Asked<K>) => Promise<Shown> }

/**
 * A form. `back` is the view that it returns to, and that shows why it was refused. `decide` returns the outcome, or null if
 * there is nothing with this id.
 */
export type Form<K extends Kind> = {
  path: string
  action: Action
  back: string
  decide: (app: K['app'], asked: Asked<K>) => Promise<K['outcome'] | null>
}

/** What happened to the last form. */
export type Said = { text: string; bad: boolean } | null

export type Console<K extends Kind> = Site<K['words']> & {
  views: readonly View<K>[]
  forms: readonly Form<K>[]
  /** What an outcome in an address says; undefined if it is none. */
  outcomeText: (words: K['words'], given: unknown) => string | undefined
  rolesFor: (action: Action) => readonly string[]
  framed: (viewer: Viewer<K['words']>, links: ConsoleLinks, page: Page, said: Said) => string
}
