import assert from 'node:assert/strict'
import { threadMs } from './thread-ms.ts'

// The same number of bytes, once as many small texts and once as one large text. Linear time is about the same for
// both; quadratic work takes PARTS times as long for the large text.
const SMALL = 8000
const PARTS = 16
const TRIES = 3
/** A quarter of what quadratic work needs; linear work was seen at up to 3, from cache misses in large key sets. */
const MAX_RATIO = PARTS / 4
/** Five ticks of a 10 ms CPU clock, the coarsest seen. Every quadratic parser tried exceeds it. */
const SLACK_MS = 50

/** Retried, because a garbage collection may fall into one measurement; work that costs too much fails every time. */
export function assertCostsNoMore(name: string, work: () => unknown, than: () => unknown): void {
  let figures = ''
  for (let tries = 0; tries < TRIES; tries++) {
    const thanMs = threadMs(than)
    const workMs = threadMs(work)
    if (workMs <= MAX_RATIO * thanMs + SLACK_MS) return
    figures = `${name}: it took ${workMs.toFixed(0)} ms, what it is compared with ${thanMs.toFixed(0)} ms`
  }
  assert.fail(figures)
}

/** One large text takes about as long as as much in small ones. */
export function assertLinear<Input>(
  name: string,
  shape: (size: number) => Input,
  work: (input: Input) => unknown,
  smallSize = SMALL,
): void {
  const [small, large] = [shape(smallSize), shape(PARTS * smallSize)]
  const repeated = () => {
    for (let part = 0; part < PARTS; part++) work(small)
  }
  assertCostsNoMore(`one of ${PARTS * smallSize} and ${PARTS} of ${smallSize}, ${name}`, () => work(large), repeated)
}
