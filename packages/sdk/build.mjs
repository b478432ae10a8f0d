// JavaScript and types for Node 18 and newer, as a package that can be installed: `npm run build -w @vezne/sdk` fills dist/.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const folder = process.argv[2] ?? join(here, 'dist')
const tsc = join(here, '../../node_modules/.bin/tsc')

rmSync(folder, { recursive: true, force: true })
const { status } = spawnSync(tsc, ['--project', join(here, 'tsconfig.build.json'), '--outDir', folder], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
delete manifest.scripts
manifest.exports = { types: './index.d.ts', default: './index.js' }
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
