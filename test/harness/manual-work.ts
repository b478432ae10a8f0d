import type { Refusal } from '../../packages/server/src/platform/refusal.ts'

/** Work that records its batches and is completed by the test, one batch at a time. */
export function manualWork() {
  const batches: number[][] = []
  const finish: ((outcomes?: (string | Refusal)[]) => void)[] = []
  const fail: ((error: unknown) => void)[] = []
  const work = (items: number[]) => {
    batches.push(items)
    return new Promise<(string | Refusal)[]>((resolve, reject) => {
      finish.push((outcomes = items.map(String)) => resolve(outcomes))
      fail.push(reject)
    })
  }
  return { batches, work, finish: (index: number) => finish[index]?.(), finishWith: finish, fail }
}

/** Two turns of the event loop: the first processes finished work, the second starts what follows. */
export const twoTurns = async () => {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}
