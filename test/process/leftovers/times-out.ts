import { test } from 'node:test'
import { startService } from './start.ts'

await startService('times-out')
test('hangs', { timeout: 100 }, () => new Promise(() => setInterval(() => undefined, 1000)))
