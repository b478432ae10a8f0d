import type { Action } from '../../../domain/people/index.ts'
import { html } from '../html.ts'
import { worded } from './codes/codes.ts'
import type { Page } from './routes.ts'
import type { SharedWords } from './words-tr.ts'

/** Roles that include all of these decisions. */
export function rolesForAll(rolesFor: (action: Action) => readonly string[], words: SharedWords, actions: Action[]) {
  const [first = [], ...others] = actions.map((action) => rolesFor(action))
  return first
    .filter((role) => others.every((one) => one.includes(role)))
    .map((role) => worded(words.codes.roles, role))
}

/** `back`: the page that the form was on; without one, the first page. */
export function noRightPage({ root, words }: { root: string; words: SharedWords }, back = ''): Page {
  const main = html`<h1>${words.noRightTitle}</h1>
    <p><a href="${root}${back}">${back === '' ? words.home : words.backToPage}</a></p>`
  return { title: words.noRightTitle, section: null, main }
}
