import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import { checkRestored, releaseRestored } from '../../packages/server/src/domain/restores/index.ts'
import { ADA, app, ask, connection, mark } from '../payouts/restored-scope.ts'

test('restored beside a file exchange: "never seen" by the other bank is not enough, a person must have checked the files', async () => {
  const id = await ask()
  await mark()
  const files: Connection = { ...connection, kind: 'file_exchange', name: 'ziraat' }
  const both = { ...app, connections: [connection, files] }
  const check = await checkRestored(both, ADA)
  assert.deepEqual(check.incomplete, [], 'no statement of the file exchange is waited for')
  assert.deepEqual(
    check.byHand.map((one) => ('withdrawalId' in one ? one.withdrawalId : one.id)),
    [id],
  )
  await assert.rejects(releaseRestored(both, ADA, check, null), { why: 'restore_unchecked' })
  await releaseRestored(both, ADA, check, 'the sent files of today')
  await mark()
  assert.deepEqual((await checkRestored(app, ADA)).byHand, [], 'without one, the answer of the bank is enough')
})
