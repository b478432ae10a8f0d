// Installs the dependencies when they are missing or older than the lock file. Plain JavaScript and
// Node's own modules only: this runs before anything is installed, on whatever Node the machine has.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.vezne-installed')

export function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return

  process.stderr.write('Installing dependencies (npm ci), about half a minute the first time …\n')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Output goes to stderr, so that `npx vezne … --json` stays parseable on the first run too.
  const npm = spawnSync('npm', ['ci', '--include=dev', '--include=optional', '--ignore-scripts', ...quiet], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (npm.status !== 0) {
    process.stderr.write(
      'npm ci failed (see above). Check that the npm registry is reachable, then run the same command again.\n',
    )
    process.exit(1)
  }
  linkOwnCommand()
  writeFileSync(stamp, wanted)
}

/** npm links the commands of dependencies only; `npx vezne` wants ours beside them. */
function linkOwnCommand() {
  const link = join(root, 'node_modules', '.bin', 'vezne')
  rmSync(link, { force: true })
  symlinkSync('../../bin/vezne.mjs', link)
  chmodSync(join(root, 'bin', 'vezne.mjs'), 0o755)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install()
