import type { listFactors, listSessions, Session } from '../../../domain/identity/index.ts'
import { html } from '../../web/html.ts'
import type { OwnPlace } from '../../web/console/logins/own-login.ts'
import { ownCard } from '../../web/console/logins/own-login.ts'
import { sessionsTable } from '../../web/console/logins/sessions.ts'
import { LOGIN_WORDS } from '../../web/console/logins/words.ts'
import type { Page, Viewer } from '../page.ts'
import { WORDS } from './words.ts'

export const OWN: OwnPlace = { path: '/own', section: null, back: ({ language }) => WORDS[language].backToOwn }

type Facts = {
  me: Session
  sessions: Awaited<ReturnType<typeof listSessions>>
  factors: Awaited<ReturnType<typeof listFactors>>
}

/** One's own login: sessions, password, second factor. */
export function ownPage(viewer: Viewer, { me, sessions, factors }: Facts): Page {
  const words = WORDS[viewer.language]
  const main = html`<h1>${words.ownTitle}</h1>
    <p class="lead">
      ${me.name} · ${words.roles}:
      ${me.roles.join(', ')}${factors.passkeys.length > 0 && html` · ${words.passkeys(factors.passkeys.length)}`}
    </p>
    <div class="cards">
      <section class="card" aria-labelledby="sessions">
        <h2 id="sessions" class="first">${LOGIN_WORDS[viewer.language].sessions}</h2>
        ${sessionsTable(viewer, me, sessions, ({ id }) => `${OWN.path}/sessions/${id}/end`)}
      </section>
      ${ownCard(viewer, OWN, factors)}
    </div>`
  return { title: words.ownTitle, section: null, main }
}
