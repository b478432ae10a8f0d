import { test } from 'node:test'
import { startService } from './start.ts'

test('dies in the middle', async () => {
  await startService('is-killed')
  process.kill(process.pid, 'SIGKILL')
})
