import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { signWebhook } from '../../packages/server/src/platform/crypto/webhook-signature.ts'
import { verify } from '../harness/receiver.ts'
import type { Snippet } from './run-snippet.ts'
import { RUNTIMES } from './run-snippet.ts'

// What docs/callbacks.md tells merchants to paste, taken out of it and run.
const document = readFileSync(join(import.meta.dirname, '../../docs/callbacks.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'vezne-snippets-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function snippet(heading: string): string {
  const [, section = ''] = document.split(`\n### ${heading}\n`)
  return /^```\w+\n(.+?)^```/ms.exec(section)?.[1] ?? assert.fail(`no snippet under "${heading}"`)
}

const SECRET = `whsec_${Buffer.alloc(32, 'vezne').toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 'other').toString('base64')}`
const BODY =
  '{"type":"endpoint.test","timestamp":"2026-11-15T07:05:00.000Z","data":{"endpointId":"6af959601be3f0726cd84a90"}}'
const TURKISH =
  '{"type":"deposit.completed","data":{"customer":{"name":"Çağrı Işık Öğütçü"},"note":"ĞÜŞİÖÇ ğüşıöç 🎈 \\"%s\\" $1"}}'
const ID = '6af95a29428d9b71948dc42f'

type Case = { genuine: boolean; id: string; timestamp: string; signature: string; body: string; secret: string }

function signed({
  secrets = [SECRET],
  age = 0,
  ...changes
}: Partial<Case> & { secrets?: string[]; age?: number }): Case {
  const { id = ID, timestamp = String(Math.floor(Date.now() / 1000) - age), body = BODY } = changes
  const signature = signWebhook(secrets, { id, timestamp, body })
  return { genuine: false, id, timestamp, signature, body, secret: SECRET, ...changes }
}

/** Made when they are needed: a slow compiler must not make them old. */
function cases(): Record<string, Case> {
  const right = signed({ genuine: true })
  const { timestamp } = right
  const withEmptyKey = createHmac('sha256', '').update(`${ID}.${timestamp}.${BODY}`).digest('base64')
  return {
    'a genuine callback': right,
    'rotation, the second signature fits': signed({ genuine: true, secrets: [OTHER, SECRET] }),
    'rotation, the first signature fits': signed({ genuine: true, secrets: [SECRET, OTHER] }),
    'a body with Turkish letters': signed({ genuine: true, body: TURKISH }),
    'a signature of another version beside it': { ...right, genuine: true, signature: `v1a,AAAA ${right.signature}` },
    'four minutes old': signed({ genuine: true, age: 240 }),
    'a changed body': { ...right, genuine: false, body: BODY.replace('90', '91') },
    'Turkish letters changed': { ...signed({ body: TURKISH }), body: TURKISH.replace('ş', 's') },
    'a newline more': { ...right, genuine: false, body: `${BODY}\n` },
    'another secret': signed({ secret: OTHER }),
    'six minutes old': signed({ age: 360 }),
    'six minutes ahead': signed({ age: -360 }),
    'another id': { ...right, genuine: false, id: ID.replace('6', '7') },
    'no id': signed({ id: '' }),
    'no timestamp': signed({ timestamp: '' }),
    'a timestamp that is none': signed({ timestamp: 'now' }),
    'no signature': { ...right, genuine: false, signature: '' },
    'nonsense for a signature': { ...right, genuine: false, signature: '* v1 v1, v1,!! ğ ,' },
    'the signature cut off': { ...right, genuine: false, signature: right.signature.slice(0, -4) },
    'a secret that is not base64': { ...right, genuine: false, secret: 'whsec_A' },
    'a secret in quotes': { ...right, genuine: false, secret: `"${SECRET}"` },
    'a secret with other letters': { ...right, genuine: false, secret: 'whsec_çğ' },
    'a secret that was never set, and a signature made with nothing': {
      ...right,
      genuine: false,
      secret: 'whsec_',
      signature: `v1, v1,${withEmptyKey}`,
    },
  }
}

/** One folder for each case, one file for each part: every language can read that. */
function written(into: string): { paths: string[]; expected: Record<string, boolean> } {
  const all = Object.entries(cases())
  const paths = all.map(([, { genuine: _, ...parts }], index) => {
    const path = join(into, String(index))
    mkdirSync(path, { recursive: true })
    for (const [part, content] of Object.entries(parts)) writeFileSync(join(path, part), content)
    return path
  })
  return { paths, expected: Object.fromEntries(all.map(([name, { genuine }]) => [name, genuine])) }
}

for (const [language, { missing, prepare }] of Object.entries<Snippet>(RUNTIMES)) {
  test(`${language}: genuine callbacks are accepted, all others refused`, { skip: missing() }, () => {
    const home = join(folder, String(Object.keys(RUNTIMES).indexOf(language)))
    mkdirSync(home)
    const [command, ...args] = prepare(home, snippet(language))
    const { paths, expected } = written(join(home, 'cases'))
    const { status, stdout, stderr } = spawnSync(command as string, [...args, ...paths], {
      cwd: home,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    const answers = stdout.trim().split('\n')
    const given = Object.fromEntries(Object.keys(expected).map((name, index) => [name, answers[index] === 'true']))
    assert.equal(answers.length, paths.length, stdout)
    assert.deepEqual(given, expected)
  })
}

function doesNotThrow(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}

const noCurl = spawnSync('curl', ['--version']).status !== 0 && 'there is no curl'

test(
  'Shell: the callback that one sends oneself is genuine',
  { skip: RUNTIMES.Shell.missing() || noCurl },
  async () => {
    const arrived = Promise.withResolvers<boolean>()
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const check = () => verify(SECRET, { headers: request.headers as Record<string, string>, body })
        arrived.resolve(doesNotThrow(check))
        response.end()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const env = { ...process.env, SECRET, URL: `http://127.0.0.1:${port}/callbacks` }
    await promisify(execFile)('bash', ['-c', snippet('Sending one yourself')], { env })
    assert.equal(await arrived.promise, true)
    server.close()
  },
)
