import { test } from 'node:test'
import { startEverything } from './start.ts'

test('goes on until the run is killed', async () => {
  await startEverything('waits')
  await new Promise(() => setInterval(() => undefined, 1000))
})
