import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// Preloaded (--import) into the process of every test file: it ends with test/run.ts, also if that was killed.

const parentPid = process.ppid
const CHECK_INTERVAL_MS = 250

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
}, CHECK_INTERVAL_MS).unref()

// --test-force-exit does not wait until the reports of the tests are written: what did not fit into the pipe would be lost.
const { _handle } = process.stdout as { _handle?: { setBlocking?: (on: boolean) => void } }
_handle?.setBlocking?.(true)

// It works in an empty folder: the checkout may have a `.vezne` of a sandbox that was started in it. The folder is inside of the project, where
// commands call themselves `npx vezne`.
const folders = join(import.meta.dirname, '../../node_modules/.cache')
mkdirSync(folders, { recursive: true })
const folder = mkdtempSync(join(folders, 'test-'))
process.chdir(folder)
process.on('exit', () => {
  process.chdir(folders)
  rmSync(folder, { recursive: true, force: true })
})

// --test-force-exit calls process.exit(), which can deadlock with V8's compiler threads (nodejs/node#54918).
// Replacing the process image ends them.
process.on('exit', (code) => process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`]))
