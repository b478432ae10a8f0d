import type { Config } from './config.ts'
import { envOfCommand, readClientConfig, readSettings } from './config.ts'
import { printToStderr } from './edges/cli/core/output.ts'

/** Settings of one command. They may be those of a sandbox in another folder: then it says so, once. */
export function openCommandSettings(env?: NodeJS.ProcessEnv) {
  let chosen: NodeJS.ProcessEnv | null = null
  function choose(): NodeJS.ProcessEnv {
    const { env: found, elsewhere } = envOfCommand(env)
    if (elsewhere !== null) printToStderr(`Using the sandbox in ${elsewhere}`)
    return found
  }
  return {
    readConfig: () => readSettings((chosen ??= choose())),
    readClientConfig: (): Config => readClientConfig((chosen ??= choose())),
  }
}
