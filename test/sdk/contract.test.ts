import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

// The SDK imports nothing, so it repeats these names of the contract as types. Only the compiler can compare types.

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vezne-sdk-contract-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const PROGRAM = `
  import type { ErrorCode, EventType } from '${ROOT}/packages/contract/src/index.ts'
  import type { ApiErrorCode } from '${ROOT}/packages/sdk/src/vezne-error.ts'
  import type { CallbackEvent } from '${ROOT}/packages/sdk/src/types.ts'
  // A name that one of the two lacks is a property that {} lacks, so the compiler names it.
  type Lacking<Here extends string, There extends string> = { [Name in Exclude<Here, There>]: true }
  export const codesOnlyInContract: Lacking<ErrorCode, ApiErrorCode> = {}
  export const codesOnlyInSdk: Lacking<ApiErrorCode, ErrorCode> = {}
  export const eventsOnlyInContract: Lacking<EventType, CallbackEvent['type']> = {}
  export const eventsOnlyInSdk: Lacking<CallbackEvent['type'], EventType> = {}
`
const OPTIONS = '--noEmit --strict --module nodenext --target es2024 --allowImportingTsExtensions --skipLibCheck'

test('the error codes and event types of the SDK are those of the contract', () => {
  const program = join(folder, 'compare.ts')
  writeFileSync(program, PROGRAM)
  const args = [...OPTIONS.split(' '), '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), program]
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stdout)
})
