import { Pool } from 'undici'
import { CONNECTIONS } from './settings.ts'

// Baseline: posts the same bodies, with headers of the same size, over as many connections. No database, no signature,
// no record of responses.

type Order = { url: string; bodies: string[] }

process.on('message', (order: Order) => void post(order))
process.once('disconnect', () => process.exit(0))
process.send?.({ ready: 'bare' })

async function post({ url, bodies }: Order): Promise<void> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'bare',
    'webhook-id': '6af98786ac96905f1d0a18c8',
    'webhook-timestamp': '1794738047',
    'webhook-signature': 'v1,BLnzzgfBTss1nCOwuPAK/I6RBsWzdE3Fwkn9CPqxWcA=',
  }
  let next = 0
  const postAll = async () => {
    while (next < bodies.length) {
      const body = bodies[next++] as string
      const response = await pool.request({ method: 'POST', path: pathname, headers, body })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, postAll))
  await pool.close()
}
