import { changePassword, confirmTotp, setUpTotp } from '../../../../domain/identity/index.ts'
import type { Form, Kind } from '../routes.ts'
import type { OwnPlace } from './own-login.ts'
import { codesPage, factorPage } from './own-login.ts'

/** Forms of one's own password and second factor, which every role has. `place`: the page that shows them. */
export function ownForms<K extends Kind>(place: OwnPlace): Form<K>[] {
  const back = place.path
  return [
    {
      path: `${back}/password`,
      back,
      async decide(app, { fields, session }) {
        await changePassword(app, session, { current: fields.get('current') ?? '', next: fields.get('next') ?? '' })
        return 'password_changed'
      },
    },
    {
      path: `${back}/factor`,
      back,
      decide: async (app, { viewer, session }) => ({ page: factorPage(viewer, place, await setUpTotp(app, session)) }),
    },
    {
      path: `${back}/factor/confirm`,
      back,
      // A new token, because all that was known before the second factor ends.
      async decide(app, { viewer, session, fields }) {
        const { recoveryCodes, ...loggedIn } = await confirmTotp(app, session, fields.get('code')?.trim() ?? '')
        return { page: codesPage(viewer, place, recoveryCodes), loggedIn }
      },
    },
  ]
}
