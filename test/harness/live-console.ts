import type { passkeyRegistration } from '../../packages/server/src/domain/identity/index.ts'
import { softwarePasskey } from './authenticator.ts'
import { addPerson, visitor } from './operator-console.ts'
import { attributeIn } from './page-text.ts'
import { startService } from './service.ts'
import { openFileAccount } from './statement-files.ts'

export const PUBLIC = 'https://pay.example'

/** A service in live, an account that is read by files, and two cashiers who are logged in. */
export async function liveConsole() {
  const live = await startService({ mode: 'live', publicUrl: PUBLIC })
  const enter = async (name: string) => {
    await addPerson(live, name, ['cashier'], 'ayse.yilmaz')
    const person = visitor(live)
    await person.logIn(name)
    const { text } = await person.request('/login')
    const options = JSON.parse(attributeIn(text, 'data-options')) as Awaited<ReturnType<typeof passkeyRegistration>>
    const passkey = JSON.stringify(softwarePasskey({ origin: PUBLIC }).create(options))
    await person.request('/login/set-up/passkey', { csrf: await person.csrf('/login'), label: 'anahtar', passkey })
    return { ...person, csrf: await person.csrf('/statements') }
  }
  const account = await openFileAccount({ ...live.app, sandbox: true })
  return { ...account, one: await enter('kasa.bir'), two: await enter('kasa.iki') }
}
