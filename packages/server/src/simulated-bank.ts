import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'

/** Bank, bank app and demo shop of the sandbox: a separate process, reached over HTTP like any bank. */
export type SimulatedBank = { baseUrl: string; key: string; stop: () => Promise<void> }

export type SimulatorSettings = {
  dataFolder: string
  host: string
  port: number
  vezneUrl: string
  merchant: { apiKey: string; apiSecret: string; callbackSecret: string }
}

const MAIN = join(import.meta.dirname, '../../simulator/src/main.ts')

export async function startSimulatedBank(settings: SimulatorSettings): Promise<SimulatedBank> {
  const folder = join(settings.dataFolder, 'simulator')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const key = storedKey(join(folder, 'bank-api.key'))
  // With an IPC channel, so that the bank notices the end of this process and exits too.
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      HOST: settings.host,
      PORT: String(settings.port),
      SIMULATOR_DATA: folder,
      SIMULATOR_KEY: key,
      VEZNE_URL: settings.vezneUrl,
      VEZNE_API_KEY: settings.merchant.apiKey,
      VEZNE_API_SECRET: settings.merchant.apiSecret,
      VEZNE_CALLBACK_SECRET: settings.merchant.callbackSecret,
    },
  })
  const exited = once(child, 'exit')
  const baseUrl = await readyAddress(child.stdout as NodeJS.ReadableStream, exited)
  return {
    baseUrl,
    key,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** The bank books in the time of the sandbox, which `vezne sim clock` moves; its own journal may have another. Null: real time. */
export async function setBankClock({ baseUrl, key }: SimulatedBank, now: Date | null): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  await fetch(`${baseUrl}/api/clock`, { method: 'PUT', headers, body: JSON.stringify({ now }) })
}

/** The same key at every start, so that other processes of this sandbox keep working. */
function storedKey(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

async function readyAddress(output: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<string> {
  let text = ''
  for (;;) {
    const [, address] = /^ready (\S+)$/m.exec(text) ?? []
    if (address) return address
    const next = await Promise.race([once(output, 'data'), exited.then(() => null)])
    if (next === null) throw new Error(`The simulated bank did not start: ${text}`)
    text += String((next as [Buffer])[0])
  }
}
