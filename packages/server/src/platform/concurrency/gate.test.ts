import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openGate } from './gate.ts'

test('in any order of endings: never more inside than allowed, everybody gets in, in order, and knows whether it waited', async () => {
  const visits = fc.array(
    fc.record({ place: fc.constantFrom('a', 'b'), turns: fc.nat({ max: 5 }), fails: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(visits, fc.integer({ min: 1, max: 3 }), async (list, limit) => {
      const gate = openGate(limit)
      const inside = { a: 0, b: 0 }
      const entered: { place: string; index: number; waited: boolean }[] = []
      const all = list.map(({ place, turns, fails }, index) =>
        gate(place, async (waited) => {
          entered.push({ place, index, waited })
          assert.ok(++inside[place] <= limit)
          for (let turn = 0; turn < turns; turn++) await Promise.resolve()
          inside[place]--
          if (fails) throw new Error('no')
        }).catch(() => undefined),
      )
      await Promise.all(all)
      assert.equal(entered.length, list.length)
      for (const [, ofPlace] of Map.groupBy(entered, ({ place }) => place)) {
        const indexes = ofPlace.map(({ index }) => index)
        assert.deepEqual(
          indexes,
          indexes.toSorted((one, other) => one - other),
        )
        assert.deepEqual(
          ofPlace.map(({ waited }) => waited),
          ofPlace.map((_, number) => number >= limit),
        )
      }
    }),
  )
})
