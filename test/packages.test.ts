import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

// Laws of the packages: who may import whom. Those of the server's layers are in tidy.test.ts.

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** What a file imports, word for word. */
function importedNames(file: string): string[] {
  const found = read(file).matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|\bimport\('([^']+)'\)/gms)
  return [...found].map(([, name, late]) => (name ?? late) as string)
}

test('the SDK imports nothing; the command line and the demo shop use it, the simulated bank does not', () => {
  const users = /^packages\/(?:server\/src\/edges\/cli|simulator\/src\/shop)\//
  const files = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))
  for (const file of files) {
    const [folder = ''] = /^packages\/[^/]+\//.exec(file) ?? []
    const isSdk = folder === 'packages/sdk/'
    for (const name of importedNames(file)) {
      // The bank is the witness of what was paid: it must not share a mistake with the service.
      if (name.startsWith('.')) assert.ok(normalize(join(dirname(file), name)).startsWith(folder), `${file} → ${name}`)
      else if (isSdk) assert.match(name, /^node:/, file)
      else if (name === '@vezne/sdk') assert.match(file, users)
      else if (folder === 'packages/simulator/') assert.doesNotMatch(name, /^@vezne\//, file)
    }
  }
  const { dependencies } = JSON.parse(read('packages/sdk/package.json')) as { dependencies?: object }
  assert.equal(dependencies, undefined)
})

test('bank-formats is pure: it imports itself and parsers, nothing of Node and nothing of ours', () => {
  const files = globSync('packages/bank-formats/src/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  assert.ok(files.length > 0)
  for (const file of files)
    for (const name of importedNames(file)) assert.match(name, /^\.\/|^\.\.\/|^(?:csv-parse|fflate|saxes)\b/, file)
})
