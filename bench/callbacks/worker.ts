import { compose } from '../../packages/server/src/compose.ts'
import { startCallbacks } from '../../packages/server/src/edges/workers/worker-schedules.ts'
import { testConfig } from '../../test/harness/database.ts'

// What `vezne work` runs for callbacks, in a process of its own: DATABASE_URL=… Starts on a message from the parent.

const { DATABASE_URL } = process.env
if (!DATABASE_URL || !process.send) throw new Error('Started by bench/run.ts only.')
const app = compose(testConfig({ logLevel: 'warn' }), DATABASE_URL)
let stops: (() => Promise<void>)[] = []
process.on('message', (message: { go: boolean }) => void (message.go ? start() : stop()))
process.once('disconnect', () => process.exit(0))
process.send({ ready: 'worker' })

function start(): void {
  stops = startCallbacks(app).map((worker) => worker.stop)
}

async function stop(): Promise<void> {
  await Promise.all(stops.map((one) => one()))
  process.send?.({ stopped: true })
}
