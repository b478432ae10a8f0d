import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Audience } from '../../packages/server/src/domain/identity/index.ts'
import { acceptInvitation, inviteOperator } from '../../packages/server/src/domain/identity/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { cheap } from './cheap-passwords.ts'
import type { startService } from './service.ts'

type Service = Pick<Awaited<ReturnType<typeof startService>>, 'app' | 'baseUrl'>

export const PASSWORD = 'a calm walk along the Bosphorus'

/** A person of the staff with a login. As in a sandbox: in live it takes two admins. */
export async function addPerson(
  service: Service,
  name: string,
  roles: readonly string[] = DECIDING,
  by?: string,
): Promise<void> {
  const app = { ...service.app, sandbox: true }
  const actor = by === undefined ? UNATTRIBUTED : operatorActor(by)
  await addOperator(app, actor, name, roles)
  await giveLogin({ app }, name, by)
}

export async function giveLogin({ app }: Pick<Service, 'app'>, name: string, by?: string): Promise<void> {
  const actor = by === undefined ? UNATTRIBUTED : operatorActor(by)
  const { token } = await inviteOperator(app, actor, name)
  await acceptInvitation(cheap(app), { token, password: PASSWORD })
}

/** A form with a file, in the order of a page: fields, then the file. */
export function formWith(
  fields: Record<string, string>,
  name: string,
  content: string | Buffer<ArrayBuffer>,
): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  form.append('file', new Blob([content]), name)
  return form
}

/** What a browser does, without one: cookies and forms. */
export function visitor({ baseUrl }: Pick<Service, 'baseUrl'>, audience: Audience = 'operator') {
  const jar = new Map<string, string>()
  async function request(
    path: string,
    fields?: Record<string, string> | FormData | URLSearchParams,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${baseUrl}/${audience}${path}`, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), ...headers },
      ...(fields && { method: 'POST', body: fields instanceof FormData ? fields : new URLSearchParams(fields) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, location: response.headers.get('location'), text, headers: response.headers }
  }
  async function logIn(name: string, password = PASSWORD) {
    const response = await request('/login', { name, password })
    return response
  }
  /** The token of the forms on a page. */
  async function csrf(path = ''): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await request(path)).text)?.[1] ?? ''
  }
  return { request, logIn, csrf, jar }
}
