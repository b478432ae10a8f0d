import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { startService } from '../harness/service.ts'

// A line that people entered names an account that the bank may not have named. Its refund goes there by two people only.

const { app } = await startService()
await openJournal(app)
const outage = await openOutage(app)
const MINE = makeIban('0062', '666')

type Case = [what: string, changes: Partial<BankLine>, people: 1 | 2]

const CASES: Case[] = [
  ['the IBAN that was entered', { senderIban: MINE }, 1],
  ['no IBAN', { senderIban: null }, 2],
]

for (const [at, [what, changes, people]] of CASES.entries())
  test(`the bank shows ${what}: ${people === 1 ? 'one person' : 'two people'}`, async () => {
    const amount = 126_000n + BigInt(at)
    const line = await outage.enter({ amount, senderIban: MINE })
    await outage.gives(outage.real({ amount, narrative: 'odeme', ...changes }))
    const said = { kind: 'refund_unexplained' as const, terms: { lineIds: [line] }, reverses: null }
    const asked = await makeProposal({ ...app, sandbox: false }, AYSE, 'journal.entry', said, { reason: 'wrong IBAN' })
    assert.equal(asked.state, people === 1 ? 'applied' : 'open')
  })
