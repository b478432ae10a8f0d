import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { curlOf } from './curl.ts'

const BASE = 'https://pay.example'
const ENV = { PATH: process.env['PATH'], VEZNE_SECRET: 'vs_secret' }

/** What the command gives to curl, at second 1. */
function given(path: string): string[] {
  const command = curlOf({ method: 'GET', path }, 'vk_key', BASE)
  const script = `date() { echo 1; }\ncurl() { printf '%s\\n' "$@"; }\n${command}\n`
  return execFileSync('sh', ['-c', script], { env: ENV, encoding: 'utf8' }).trimEnd().split('\n')
}

for (const path of ['/v1/available-banks', "/v1/x';echo run;'", '/v1/$(echo run)`echo run`', '/v1/"\\']) {
  test(`${path}: the shell passes the path as it is, with the signature of the call`, () => {
    const signature = createHmac('sha256', 'vs_secret').update(`1GET${path}`).digest('hex')
    const headers = ['X-API-Key: vk_key', 'X-Timestamp: 1', `X-Signature: ${signature}`]
    assert.deepEqual(given(path), ['-X', 'GET', BASE + path, ...headers.flatMap((one) => ['-H', one])])
  })
}
