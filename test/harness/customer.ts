import type { Answer } from './client.ts'
import { send } from './client.ts'

/** Opens an address as a browser does: keeps cookies and follows redirects. */
export async function openAsCustomer(address: string): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(address)
  const first = await send({ hostname, port, path: pathname + search })
  if (first.status !== 303) return first
  const cookie = [first.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0])
  return send({ hostname, port, path: String(first.headers['location']), headers: { cookie: cookie.join('; ') } })
}
