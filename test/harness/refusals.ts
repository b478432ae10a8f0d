import assert from 'node:assert/strict'
import { refusalForTerminal } from '../../packages/server/src/acts/refusals/say.ts'
import type { FactsFor, Why } from '../../packages/server/src/kernel/refusals/refuse.ts'
import type { Said } from '../../packages/server/src/platform/refusal.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'

/** For `assert.rejects`: refused for this reason, with these facts among others. */
export function refusal<W extends Why>(why: W, facts: Partial<FactsFor<W>> = {}) {
  return (error: unknown): true => {
    assertFacts(saidBy(error, why), facts)
    return true
  }
}

/** Refused for this reason, which the terminal says in these words, with the commands that help. */
export function refusalSaying(why: Why, words: RegExp) {
  return (error: unknown): true => {
    saidBy(error, why)
    assert.match(refusalForTerminal(error as Refusal).join(' '), words)
    return true
  }
}

function saidBy(error: unknown, why: Why): Said {
  assert.ok(error instanceof Refusal, String(error))
  assert.equal(error.why, why, error.message)
  return error.said ?? assert.fail()
}

function assertFacts(said: Said, facts: object): void {
  assert.deepEqual(Object.fromEntries(Object.keys(facts).map((name) => [name, said.facts[name]])), facts)
}
