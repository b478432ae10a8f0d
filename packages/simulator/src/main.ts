import { readSettings, SettingsError } from './settings.ts'
import { startSimulator } from './start-simulator.ts'

/** Longer than any request takes, shorter than the timeout of a supervisor. */
const STOP_TIMEOUT_MS = 15_000

try {
  const simulator = await startSimulator(readSettings(process.env), () => new Date())
  process.stdout.write(`ready ${simulator.url}\n`)
  await stopSignal()
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
  await simulator.stop()
} catch (error) {
  const isSetting = error instanceof SettingsError
  process.stderr.write(`${isSetting ? error.message : ((error as Error).stack ?? String(error))}\n`)
  process.exitCode = 1
}

async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
    // The parent process has ended.
    process.once('disconnect', () => resolve())
    // The channel must not keep this process alive.
    process.channel?.unref()
  })
}
