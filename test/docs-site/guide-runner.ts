import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { GOLDEN } from '../../packages/server/src/edges/docs/playground.ts'
import { DOCS } from '../../packages/server/src/edges/docs/site-map.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import type { Child } from '../harness/child-process.ts'
import { BASE_ENV, ready, startNode, vezne } from '../harness/child-process.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { until } from '../harness/until.ts'
import type { Block } from './guide-blocks.ts'

const ROOT = join(DOCS, '..')
const SIGNATURE = '1c38c612bdf1bd45ffe1759c22c549053dbc3e0f02314610b0544a9b64896379'
const TRANSACTION = /"transactionId": "(\w{24})"|^deposit (\w{24})/m

/** Calls of functions that a block only defines: the worked example must come out. */
const golden = [GOLDEN.secret, GOLDEN.timestamp, GOLDEN.method, GOLDEN.path].map((part) => `'${part}'`).join(', ')
const CALLS: Record<string, string> = {
  js: `console.log(sign(${golden}, '${GOLDEN.body}'))`,
  python: `print(sign(${golden}, '${GOLDEN.body}'.encode()))`,
  php: `echo sign(${golden}, '${GOLDEN.body}');`,
}
const VERIFIES = `
import { signCallbackForTest } from '@vezne/sdk'
const made = signCallbackForTest({ body: '{}', secrets: process.env.CALLBACK_SECRET, id: 'e-1' })
const results = ['{}', '{ }'].map((body) => verifyCallback(made, Buffer.from(body), process.env.CALLBACK_SECRET))
if (String(results) !== 'true,false') throw new Error(String(results))`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A sandbox and the folder of a shop beside it, as a reader has them after the quickstart; runs blocks as they are written. */
export async function openReader() {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-guides-'))
  const data = join(folder, 'data')
  for (const name of ['vezne', 'my-shop']) mkdirSync(join(folder, name))
  const sandbox = vezne(['up'], { VEZNE_DATA: data })
  const baseUrl = await ready(sandbox)
  const { merchant } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
  const { apiKey, apiSecret, callbackSecret } = merchant
  const commands = openCommandLine({ VEZNE_DATA: data })
  const port = await freePort()
  const env = {
    ...{ HOME: folder, VEZNE_API_KEY: apiKey, VEZNE_API_SECRET: apiSecret, CALLBACK_SECRET: callbackSecret },
    ...{ TS: GOLDEN.timestamp, BODY: GOLDEN.body, SECRET: GOLDEN.secret },
    ...{ npm_config_pack_destination: join(folder, 'vezne'), npm_config_audit: 'false', npm_config_offline: 'true' },
  }
  const { day: today } = istanbul(new Date())
  /** Of the page that is read: programs that go on running, the JavaScript so far, and the last id that a command printed. */
  let running: Child[] = []
  let program = ''
  let found = { transaction: '' }
  let programs = 0

  function filled(code: string): string {
    return code
      .replaceAll('http://127.0.0.1:8080', baseUrl)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace('.listen(3000', `.listen(${port}`)
      .replaceAll('vk_…', apiKey)
      .replaceAll('vs_…', apiSecret)
      .replaceAll('whsec_…', callbackSecret)
      .replaceAll('TRANSACTION_ID', found.transaction)
      .replaceAll('2026-11-16', today)
      .replace(/\b(headers|body)\.json\b/g, (name) => join(folder, name))
  }

  /** Commands that name an id leave it as it is for the next line. */
  function remember(line: string, output: string): void {
    const [, inJson, printed] = TRANSACTION.exec(output) ?? []
    if (!line.includes('TRANSACTION_ID')) found.transaction = inJson ?? printed ?? found.transaction
  }

  async function goesOn(child: Child, isReady: (text: string) => boolean): Promise<string> {
    running.push(child)
    const said = () => child.output() + child.errors()
    const poll = async () => {
      assert.equal(child.process.exitCode, null, said())
      return said()
    }
    return until(poll, isReady)
  }

  async function command(line: string, cwd: string): Promise<string> {
    const text = filled(line)
    if (text === 'npm start') return '' // This sandbox is what it starts.
    if (/^npx vezne listen\b/.test(text)) {
      return goesOn(vezne(wordsOf(text).slice(2), { VEZNE_DATA: data }), (text) => text.includes('listening'))
    }
    if (text.startsWith('npx vezne ')) {
      const { code, output, errors } = await commands.run(wordsOf(text).slice(2))
      assert.equal(code, 0, `${text}\n${output}${errors}`)
      return output
    }
    const [settings, file] = /^((?:\w+=\S+ )*)node (\S+)$/.exec(text)?.slice(1) ?? []
    if (file) {
      const given = Object.fromEntries((settings ?? '').trim().split(' ').map((one) => one.split(/=(.*)/))) // prettier-ignore
      return goesOn(startNode([file], given, cwd), (text) => TRANSACTION.test(text))
    }
    const { status, stdout, stderr } = spawnSync('sh', ['-c', text], { cwd, env: { ...BASE_ENV, ...env }, encoding: 'utf8' }) // prettier-ignore
    assert.equal(status, 0, `${text}\n${stdout}${stderr}`)
    if (text.startsWith('printf ')) assert.equal(stdout.trim(), SIGNATURE, text)
    return stdout
  }

  async function shell(lines: string[], cwd: string): Promise<void> {
    for (const line of lines) remember(line, await command(line, cwd))
  }

  function run(name: string, source: string, [first, ...args]: [string, ...string[]]): string {
    const file = join(folder, 'my-shop', name)
    writeFileSync(file, source)
    const { status, stdout, stderr } = spawnSync(first, [...args, file], { cwd: join(folder, 'my-shop'), env: { ...BASE_ENV, ...env }, encoding: 'utf8' }) // prettier-ignore
    assert.equal(status, 0, `${source}\n${stdout}${stderr}`)
    assert.doesNotMatch(stdout, /"success":\s*false/, stdout)
    if (source.includes('sign(')) assert.equal(stdout.trim(), SIGNATURE)
    return stdout
  }

  /** A block without imports goes on from the one before, as in the file of a reader. */
  async function javaScript(code: string): Promise<void> {
    const name = `program-${++programs}.mjs`
    program = code.includes('import ') ? filled(code) : `${program}\n${filled(code)}`
    const source = `${program}\n${code.includes('function sign(') ? CALLS['js'] : code.includes('export function verifyCallback') ? VERIFIES : ''}`
    if (!code.includes('.listen(')) {
      remember('', run(name, source, [process.execPath]))
      return
    }
    const cwd = join(folder, 'my-shop')
    writeFileSync(join(cwd, name), source)
    running.push(startNode([name], env, cwd))
    const isThere = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(({ status }) => status === 401)
    await until(() => isThere().catch(() => false), Boolean) // prettier-ignore
  }

  /** Returns why a block was not run, or null. */
  async function runBlock({ language, code, marks }: Block): Promise<string | null> {
    const marked = (word: string) => marks.find((mark) => mark.word === word)?.value
    const cwd = marked('in') ? join(folder, marked('in') as string) : ROOT
    const before = marked('before')
    const order = marked('id')
    if (marked('not run')) return marked('not run') ?? null
    if (before) await shell([before], ROOT)
    if (order) await shell([`npx vezne curl GET "/v1/transactions?type=deposit&processId=${order}"`], ROOT)
    if (language === 'json') JSON.parse(code)
    if (marked('file')) writeFileSync(join(folder, 'my-shop', marked('file') as string), filled(code))
    else if (language === 'sh') await shell(code.split('\n'), cwd)
    else if (language === 'console')
      await shell(
        [...code.matchAll(/^\$ (.+)$/gm)].map(([, line]) => line as string),
        cwd,
      )
    else if (language === 'js') await javaScript(code)
    else if (language === 'python' || language === 'php') {
      const name = language === 'php' ? 'php' : 'python3'
      if (spawnSync(name, ['--version']).error) return `there is no ${name} on this machine`
      run(`program.${language}`, `${code}\n\n${CALLS[language]}\n`, [name])
    } else assert.ok(['json', 'text'].includes(language), 'Mark a block that cannot be run: <!-- not run: why -->')
    return null
  }

  return {
    folder,
    callbackSecret,
    runBlock,
    /** What the programs of this page have printed so far. */
    printed: () => running.map((child) => child.output()).join('\n'),
    endPage: async () => {
      for (const child of running) child.process.kill('SIGKILL')
      await Promise.all(running.map((child) => child.exited))
      running = []
      program = ''
      found = { transaction: '' }
    },
    close: async () => {
      commands.stop()
      sandbox.process.kill('SIGTERM')
      await sandbox.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The words of a command line, without its comment. */
function wordsOf(line: string): string[] {
  const words = [...line.replace(/\s+# .*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
  return words.map(([, single, double, plain]) => single ?? double ?? plain ?? '')
}
