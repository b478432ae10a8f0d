// Preloaded (--import) into the process of every test file: it ends with test/run.ts, also if that was killed.

const parentPid = process.ppid
const CHECK_INTERVAL_MS = 250

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
}, CHECK_INTERVAL_MS).unref()

// --test-force-exit calls process.exit(), which can deadlock with V8's compiler threads (nodejs/node#54918).
// Replacing the process image ends them.
process.on('exit', (code) => process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`]))
