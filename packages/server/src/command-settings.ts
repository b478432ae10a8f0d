import type { Settings } from './config.ts'
import { envOfCommand, readConfig, readSettings } from './config.ts'
import { printToStderr } from './edges/cli/core/output.ts'
import { hasSandbox } from './platform/files/sandbox-pointer.ts'
import { databaseOf, hostsOf } from './platform/postgres/database-url.ts'

/** Settings of one command, perhaps those of a sandbox in another folder. */
export function openCommandSettings() {
  let chosen: NodeJS.ProcessEnv | null = null
  function choose(): NodeJS.ProcessEnv {
    const env = envOfCommand()
    announced(readSettings(env))
    return env
  }
  return {
    readSettings: () => readSettings((chosen ??= choose())),
    readConfig: () => readConfig((chosen ??= choose())),
  }
}

/** Every command says which deployment it talks to, in one line on stderr: another one may be near. */
export function announced<Given extends Settings>(settings: Given): Given {
  const { mode, databaseUrl, dataFolder } = settings
  if (databaseUrl !== null)
    printToStderr(`Using the ${mode} database ${databaseOf(databaseUrl)} at ${hostsOf(databaseUrl)}`)
  else if (mode === 'sandbox' && hasSandbox(dataFolder)) printToStderr(`Using the sandbox in ${dataFolder}`)
  return settings
}
