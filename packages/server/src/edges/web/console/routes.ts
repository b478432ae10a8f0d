import type { LoggedIn, Session } from '../../../domain/identity/index.ts'
import type { Action } from '../../../domain/people/index.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Html } from '../html.ts'
import type { ConsoleLinks, LiveLink } from './layout.ts'
import type { SentFile } from './read-upload.ts'
import type { Download } from './send-download.ts'
import type { ConsoleDeps, Language, Site } from './site.ts'
import type { SharedWords } from './words-tr.ts'

/** The types in which the consoles differ. */
export type Kind = { app: ConsoleDeps; words: SharedWords }

/** Who looks at a page, and how. */
export type Viewer<Words> = {
  name: string
  /** Whether the person's roles include a decision. */
  may: (action: Action) => boolean
  /** Which roles include a decision, in words; with several, all of them. */
  needs: (...actions: Action[]) => string
  csrf: string
  language: Language
  words: Words
  /** Path of the console, with the prefix of a proxy. */
  root: string
  now: Date
  sandbox: boolean
  /** What the address asks for, so that the other language shows the same. */
  query: Record<string, unknown>
}

/** What a handler knows of a request by a person who is logged in. */
export type Asked<K extends Kind> = {
  viewer: Viewer<K['words']>
  actor: Actor
  /** The merchant of the session; null for the operator's staff. */
  merchantId: string | null
  /** Password or second factor were given in the last ten minutes. */
  steppedUp: boolean
  session: Session
  /** Asked by the script of a live page, not by the person. */
  byScript: boolean
  id: string
  /** All parameters of the path; `id` is one of them. Each has the form that its name stands for. */
  params: Record<string, string>
  query: Record<string, unknown>
  fields: URLSearchParams
  /** Of a form with `upload`; null if none was chosen. */
  file: SentFile | null
  /** The files after it, of a form with `maxFiles`: each is read before the next. */
  otherFiles: AsyncIterable<SentFile>
}

/** `at`: where the script finds the live parts of this page, if not at its own address. `withCharts`: it loads the files that draw them. */
export type Page = {
  title: string
  section: string | null
  main: Html
  search?: string
  at?: string
  live?: LiveLink
  withCharts?: boolean
}

/** `loggedIn`: the session goes on with a new token. */
export type Shown =
  | { page: Page; status?: number; loggedIn?: LoggedIn }
  | { redirect: string; loggedIn?: LoggedIn }
  | { download: Download }
  /** For the script of a page. */
  | { answer: Record<string, string> }

/** Something to look at. Every role may, unless it has an action. */
export type View<K extends Kind> = {
  path: string
  action?: Action
  live?: Live<K>
  show: (app: K['app'], asked: Asked<K>, facts?: unknown) => Promise<Shown>
}

/** The facts of a page, the same for all who may see it: JSON values, amounts and times. Pages of one name share them. */
type Live<K extends Kind> = { name: string; load: (app: K['app'], merchantId: string | null) => Promise<unknown> }

/** A view whose parts (`livePart`) change while a person looks at it. */
export function liveView<K extends Kind, Facts>(
  path: string,
  name: string,
  load: (app: K['app'], merchantId: string | null) => Promise<Facts>,
  show: (app: K['app'], asked: Asked<K>, facts: Facts) => Promise<Shown>,
): View<K> {
  return { path, live: { name, load }, show: (app, asked, facts) => show(app, asked, facts as Facts) }
}

/** `maxBytes`: of all files together. */
export type Uploaded = { maxBytes: number; maxFiles?: number }

/**
 * A form. `back` is the view that it returns to, and that shows why it was refused; parameters of its path are those of the
 * form. `decide` returns a key of the section's `said`, or what to show instead, or null if there is nothing with this id.
 */
export type Form<K extends Kind> = {
  path: string
  /** Without one every role may, as for what is one's own. */
  action?: Action
  back: string
  /** It may have a file (`uploadForm`), which `decide` reads as it arrives. */
  upload?: Uploaded
  /** By default as its action takes one (`takesProof`). False: it decides nothing, such as a file for a preview, or has the password itself. */
  needsProof?: boolean
  /** Its fields are secrets: after a proof they are typed again. */
  isSecret?: boolean
  decide: (app: K['app'], asked: Asked<K>) => Promise<string | Shown | null>
}

/** A group of pages. `said`: the outcomes of its forms, in words. */
export type Section<K extends Kind> = {
  views: readonly View<K>[]
  forms: readonly Form<K>[]
  said: Record<Language, Readonly<Record<string, string>>>
}

/** What happened to the last form. */
export type Said = { text: string; bad: boolean } | null

export type Console<K extends Kind> = Site<K['words']> & {
  sections: readonly Section<K>[]
  rolesFor: (action: Action) => readonly string[]
  framed: (viewer: Viewer<K['words']>, links: ConsoleLinks, page: Page, said: Said) => string
}
