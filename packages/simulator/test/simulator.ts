import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readSettings } from '../src/settings.ts'
import { startSimulator } from '../src/start-simulator.ts'

export const KEY = 'test-bank-key'
/** Published examples: accounts at some bank, none of the seeded ones. */
export const CLIENT = 'TR330006100519786457841326'
export const OTHER = 'TR620006200029500006291296'

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

type Answer<Body> = { status: number; body: Body }

export type Running = {
  url: string
  stop: () => Promise<void>
  api: <Body>(method: string, path: string, body?: object) => Promise<Answer<Body>>
  form: (path: string, fields: Record<string, string>) => Promise<Response>
  page: (path: string) => Promise<{ status: number; text: string; headers: Headers }>
}

export async function start(t: TestContext, folder: string, env: Record<string, string> = {}): Promise<Running> {
  const now = () => new Date('2026-11-14T22:30:00.000Z')
  const settings = readSettings({ SIMULATOR_DATA: folder, SIMULATOR_KEY: KEY, ...env })
  const { url, stop } = await startSimulator(settings, now)
  let running = true
  const stopOnce = async () => {
    if (running) await stop()
    running = false
  }
  t.after(stopOnce)
  return { url, stop: stopOnce, ...clientOf(url) }
}

export function clientOf(url: string): Pick<Running, 'api' | 'form' | 'page'> {
  return {
    async api<Body>(method: string, path: string, body?: object): Promise<Answer<Body>> {
      const headers = { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: answer.status, body: (await answer.json()) as Body }
    },
    form: (path, fields) =>
      fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
    async page(path) {
      const answer = await fetch(url + path)
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    },
  }
}

export type Line = {
  account: string
  reference: string
  amount: number
  direction: string
  valueDate: string
  bookedAt: string
  senderName: string
  senderIban: string
  narrative: string
}
export type Statement = { lines: Line[]; cursor: string; more: boolean; error?: string }
export type Made = { reference: string; bankReference?: string; status: string; reason?: string; error?: string }
export type Accounts = { accounts: { iban: string; holder: string; balance: number; customer: boolean }[] }

export async function statement({ api }: Running): Promise<Line[]> {
  return (await api<Statement>('GET', '/statement')).body.lines
}

export async function balances({ api }: Running): Promise<Record<string, number>> {
  const { body } = await api<Accounts>('GET', '/accounts')
  return Object.fromEntries(body.accounts.map(({ iban, balance }) => [iban, balance]))
}

/** All the money there is. */
export async function moneyOf(bank: Running): Promise<number> {
  return Object.values(await balances(bank)).reduce((sum, one) => sum + one, 0)
}

export async function customerIban({ api }: Running, index: number): Promise<string> {
  const { body } = await api<Accounts>('GET', '/accounts')
  return body.accounts.filter(({ customer }) => customer)[index]?.iban ?? ''
}
