import { before, test } from 'node:test'
import { startService } from './start.ts'

before(async () => {
  await startService('fails-before')
  throw new Error('on purpose')
})
test('never runs', () => undefined)
