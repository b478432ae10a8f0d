import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { makeIban } from '../src/iban.ts'
import type { Made, Running } from './simulator.ts'
import { CLIENT, OTHER, start, temporaryFolder } from './simulator.ts'

export const FUNDS = 1_000_000
export const AMOUNT = 50_000

export type Answer = { status: number; body: Made }
export type Effective = { reference: string; amount: number; toIban: string; at: string; reversed: boolean }
export type Plan = { seed: number; rate: number; kinds: string[]; delayMs: number; counts: Record<string, number> }

/** A bank whose client has money, in a folder that a second start can use. */
export async function fundedBank(t: TestContext, folder = temporaryFolder(t)): Promise<Running> {
  const bank = await start(t, folder)
  const funded = await bank.api<Made>('POST', `/accounts/${CLIENT}/fund`, { amount: FUNDS })
  assert.equal(funded.body.status, 'accepted')
  return bank
}

/** Null when the connection broke without an answer. */
export async function submit(bank: Running, reference: string, fields: object = {}): Promise<Answer | null> {
  const transfer = { reference, fromIban: CLIENT, toIban: OTHER, toName: 'Fatma Kaya', amount: AMOUNT }
  try {
    return await bank.api<Made>('POST', '/transfers', { ...transfer, description: 'Ödeme', ...fields })
  } catch (error) {
    assert.match(String((error as Error).cause), /ECONNRESET|other side closed/)
    return null
  }
}

export const find = (bank: Running, reference: string) => bank.api<Made>('GET', `/transfers/${reference}`)

export const setFaults = (bank: Running, plan: object) => bank.api<Plan>('PUT', '/faults', plan)

export const plan = async (bank: Running) => (await bank.api<Plan>('GET', '/faults')).body

export async function witness(bank: Running): Promise<Effective[]> {
  return (await bank.api<{ transfers: Effective[] }>('GET', '/ledger/transfers')).body.transfers
}

/** A receiver whose IBAN ends in these digits. */
export const endingIn = (digits: string) => makeIban('0064', `123456780000${digits}`)
