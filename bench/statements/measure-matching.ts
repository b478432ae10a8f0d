import { matchLines } from '../../packages/server/src/domain/matching/index.ts'
import { ingest, lineFor, someDeposits } from '../../test/harness/payments.ts'
import type { Run } from '../creation.ts'
import type { History } from '../growth/history.ts'
import { openHistory } from '../growth/history.ts'
import { median, ratioFrom } from '../report.ts'

const FEW = 10_000
const MANY = 1_000_000
const ROUNDS = 10
/** Lines of a round, one for each of as many open deposits. */
const LINES = 200
const MIN_RATIO = 0.9

/** Matches lines with few and with many old deposits, in turn, so that both see the same machine. */
export async function benchMatching(run: Run) {
  const count = run.quick ? MANY / 10 : MANY
  const few = await openHistory(run, 'matching_few', FEW)
  const many = await openHistory(run, 'matching_many', count)
  const rates = { few: [] as number[], many: [] as number[] }
  // The first round prepares statements and is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [history, list] of [
      [few, rates.few],
      [many, rates.many],
    ] as const) {
      const perSecond = await matchRound(history, round)
      if (round > 0) list.push(perSecond)
    }
  const ratio = ratioFrom(rates.many.map((perSecond, index) => perSecond / (rates.few[index] ?? Number.NaN)))
  run.say(
    `matching: ${Math.round(median(rates.few))} lines/s with ${FEW} old deposits, ${Math.round(median(rates.many))} with ${count}`,
  )
  const what = `matching: lines/s with ${count} old deposits ÷ with ${FEW}`
  return { rates, targets: [{ what, ratio, atLeast: MIN_RATIO, reached: ratio.median >= MIN_RATIO }] }
}

/** Returns lines per second. Amounts are those of old deposits. Every second line has no code, so that deposits of its amount are searched. */
async function matchRound({ app, shops: [first] }: History, round: number): Promise<number> {
  const lines = []
  for (let index = 0; index < LINES; index++) {
    const amount = BigInt(10_000 + ((round * LINES + index) % 5000) * 100)
    const [deposit] = await someDeposits(app, first.merchantId, 1, amount)
    if (deposit) lines.push(await lineFor(app, deposit, index % 2 === 0 ? {} : { narrative: 'FAST odeme' }))
  }
  await ingest(app, lines)
  const start = performance.now()
  let matched = 0
  for (let some = await matchLines(app); some > 0; some = await matchLines(app)) matched += some
  if (matched !== LINES) throw new Error(`${matched} of ${LINES} lines were matched`)
  return LINES / ((performance.now() - start) / 1000)
}
