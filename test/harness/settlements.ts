import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { fundMerchant } from '../../packages/server/src/domain/matching/index.ts'
import { findMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'

export const OWN_ACCOUNT = { iban: makeIban('0062', '777'), title: 'Kitap Evi A.Ş.' }

/** Two people register the merchant's own account. */
export async function registerAccount(app: App, people: [string, string], merchantId: string, account = OWN_ACCOUNT) {
  for (const name of people)
    await makeProposal(app, operatorActor(name), 'merchant.settlement_account', { merchantId, ...account })
}

export async function fund(app: App, merchantId: string, kurus: bigint): Promise<void> {
  await fundMerchant(app, await findMerchant(app, merchantId), kurus, 'TRY')
}

/** What the form on a page sends. */
export function formOf(hidden: [name: string, value: string][]): Record<string, string> {
  assert.ok(hidden.length > 0, 'there is no form')
  return Object.fromEntries(hidden)
}
