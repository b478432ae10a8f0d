import type { Log } from '../log.ts'

export type Poller = {
  /** Runs the work now instead of after the pause. */
  poke: () => void
  stop: () => Promise<void>
}

export type Schedule = {
  name: string
  everyMs: number
  work: () => Promise<number>
  /** Called after every run that did not fail. */
  onSuccess?: () => void
}

/** Repeats work with a pause between runs; work that did something runs again at once. */
export function poll({ log }: { log: Log }, { name, everyMs, work, onSuccess = () => undefined }: Schedule): Poller {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let poked = false

  async function runOnce(): Promise<number> {
    const processed = await work()
    onSuccess()
    return processed
  }
  async function run(): Promise<void> {
    try {
      do poked = false
      while (!stopped && ((await runOnce()) > 0 || poked))
    } catch (error) {
      log.error({ err: error, worker: name }, 'worker run failed; it runs again after its interval')
    }
    running = null
    if (!stopped) timer = setTimeout(start, everyMs)
  }
  function start(): void {
    clearTimeout(timer)
    running ??= run()
  }
  start()
  return {
    poke() {
      poked = true
      start()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
