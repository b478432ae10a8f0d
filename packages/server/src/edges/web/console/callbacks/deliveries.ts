import type { EndpointHealth, EventWithDeliveries, findEvent } from '../../../../domain/webhooks/index.ts'
import type { Html } from '../../html.ts'
import { html } from '../../html.ts'
import { second } from '../parts.ts'
import type { Viewer as AnyViewer } from '../routes.ts'
import type { Language } from '../site.ts'
import type { SharedWords } from '../words-tr.ts'
import { CALLBACK_WORDS } from './words.ts'

type Viewer = Pick<AnyViewer<SharedWords>, 'language' | 'words'>

export type Attempts = NonNullable<Awaited<ReturnType<typeof findEvent>>>['attempts']
const LOOKS = { delivered: 'good', waiting: 'busy', behind: 'busy', given_up: 'bad' } as const
const MAX_ATTEMPTS = 10

/** Where an event stands at each endpoint, with the host if there are several. */
export function deliveryText(
  { words, language }: Viewer,
  { deliveries }: EventWithDeliveries,
  endpoints: EndpointHealth[],
): Html {
  if (deliveries.length === 0) return html`<span class="state">${words.noEndpoint}</span>`
  return html`${deliveries.map(({ endpointId, state, tries, lastOutcome, lastStatus }) => {
    const url = endpoints.find(({ id }) => id === endpointId)?.url ?? null
    const host = deliveries.length > 1 && url !== null ? `${new URL(url).host}: ` : ''
    const why =
      state === 'delivered' || lastOutcome === null ? '' : `, ${outcomeText(language, lastOutcome, lastStatus)}`
    return html`<span class="line"
      >${host}<span class="state ${LOOKS[state]}">${words[state]}</span> ${words.tries(tries)}${why}</span
    > `
  })}`
}

/** One of the eight outcomes, with the status code if there was one. */
export function outcomeText(language: Language, outcome: Attempts[number]['outcome'], status: number | null): string {
  const { outcomes } = CALLBACK_WORDS[language]
  return status === null ? outcomes[outcome] : `${outcomes[outcome]} (${status})`
}

/** The newest ones, oldest first. The response's text stays on the command line and in the API. */
export function attemptList({ language }: Viewer, attempts: Attempts): Html {
  const shown = attempts.slice(-MAX_ATTEMPTS)
  const earlier = attempts.length - shown.length
  return html`${earlier > 0 && html`<span class="line">${CALLBACK_WORDS[language].earlierTries(earlier)}</span>`}
  ${shown.map(
    ({ at, outcome, status, connectMs, waitMs, readMs }) =>
      html`<span class="line"
        >${second(at)} ${outcomeText(language, outcome, status)}, ${connectMs + waitMs + readMs} ms</span
      >`,
  )}`
}
