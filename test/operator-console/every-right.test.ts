import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS } from '../../packages/server/src/domain/proposals/index.ts'
import type { Action } from '../../packages/server/src/domain/people/index.ts'
import { RIGHTS } from '../../packages/server/src/domain/people/index.ts'
import { SECTIONS as OF_MERCHANTS } from '../../packages/server/src/edges/merchant-console/routes.ts'
import { SECTIONS as OF_OPERATORS } from '../../packages/server/src/edges/operator-console/routes.ts'

/** Decisions without a form, and why people who work with money do not need one. */
const BY_COMMAND: Partial<Record<Action, string>> = {
  'account.karekod': 'from the contract with the bank, when the account is set up',
  'connection.add': 'its secrets are files on the server',
  'connection.change': 'its secrets are files on the server',
  'restore.check': 'after a backup was restored, on the server',
  'restore.mark': 'after a backup was restored, on the server',
  'restore.record': 'after a backup was restored, on the server',
  'restore.release': 'after a backup was restored, on the server',
  'statement.reread': 'after the layout of a bank was changed, on the server',
  'transaction.erase': 'it cannot be undone, and is asked for a few times a year',
  'withdrawal.unschedule': 'only after the clock of a sandbox was set back',
}

test('every decision that people may take has a form in a console', () => {
  const actions = [OF_OPERATORS, OF_MERCHANTS].flatMap((sections) =>
    sections.flatMap(({ forms }) => forms.map(({ action }) => action as string)),
  )
  // What is proposed is approved on one page, whatever it is.
  const ofSecond = Object.values(KINDS).map((kind) => ('approve' in kind ? kind.approve : undefined))
  const inForms = new Set([...actions, ...ofSecond])
  const without = Object.keys(RIGHTS).filter((action) => !inForms.has(action))
  assert.deepEqual(without.toSorted(), Object.keys(BY_COMMAND).toSorted())
})
