import type { Log } from '../log.ts'

export type Poller = {
  /** Runs the work now instead of after the pause. */
  poke: () => void
  stop: () => Promise<void>
}

export type Schedule = {
  name: string
  everyMs: number
  /** The pause after a run that failed, if it is another one. */
  afterFailureMs?: number
  work: () => Promise<number>
  /** Called after every run that did not fail. */
  onSuccess?: () => void
}

/** Repeats work with a pause between runs; work that did something runs again at once. */
export function poll({ log }: { log: Log }, schedule: Schedule): Poller {
  const { name, everyMs, afterFailureMs = everyMs, work, onSuccess = () => undefined } = schedule
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
    let pauseMs = everyMs
    try {
      do poked = false
      while (!stopped && ((await runOnce()) > 0 || poked))
    } catch (error) {
      log.error({ err: error, worker: name }, 'worker run failed; it runs again after its interval')
      pauseMs = afterFailureMs
    }
    running = null
    if (!stopped) timer = setTimeout(start, pauseMs)
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
