import type { Command } from 'commander'
import { SEALED_TABLES } from '../../../domain/doctor/index.ts'
import { examineRows, resealRows } from '../../../platform/postgres/sealed-rows.ts'
import type { Vault } from '../../../platform/crypto/vault.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { printToStderr, print, table } from '../core/output.ts'

export function addMasterKeyCommands(program: Command, context: CliContext): void {
  const masterKey = program.command('master-key').description('The key that seals the secrets in the database.')
  masterKey
    .command('check')
    .description('How many secrets each master key has sealed, and which do not open. Exit code 1 if some do not.')
    .addHelpText('after', '\nExample:\n  $ npx vezne master-key check')
    .action(async (_options: object, command: Command) => {
      const { keys, unopened } = await withApp(context, async (app) => {
        const { byKey, unopened } = await examineRows(app, SEALED_TABLES)
        const keys = [...byKey].map(([keyId, secrets]) => ({ keyId, secrets, setting: settingOf(app.vault, keyId) }))
        return { keys, unopened: unopened.map(({ message }) => message) }
      })
      const rows = keys.map(({ keyId, secrets, setting }) => [keyId, setting ?? 'not set', String(secrets)])
      print(command, { keys, unopened }, [...table(['key', 'setting', 'secrets'], rows), ...unopened])
      process.exitCode = unopened.length > 0 ? 1 : 0
    })
  masterKey
    .command('rotate')
    .description(
      'Seal everything that VEZNE_MASTER_KEY_OLD has sealed with VEZNE_MASTER_KEY. Can be stopped and repeated.',
    )
    .addHelpText(
      'after',
      '\nAll processes must run with both settings before; see docs/operations.md, "Rotate the master key".' +
        '\nExample:\n  $ VEZNE_MASTER_KEY=$NEW VEZNE_MASTER_KEY_OLD=$OLD npx vezne master-key rotate',
    )
    .action(async (_options: object, command: Command) => {
      const progress = (done: number, all: number) => printToStderr(`${count(done)} of ${count(all)}`)
      const { resealed, unopened } = await withApp(context, (app) => resealRows(app, SEALED_TABLES, progress))
      const done = `${count(resealed)} secret(s) sealed with the new key.`
      const next =
        unopened.length > 0
          ? ['These do not open and were left as they are; keep VEZNE_MASTER_KEY_OLD:', ...unopened.map(String)]
          : ['Nothing is left under another key. Remove VEZNE_MASTER_KEY_OLD and restart every process.']
      const oldKeyNeeded = unopened.length > 0
      print(command, { resealed, oldKeyNeeded, unopened: unopened.map(({ message }) => message) }, [done, ...next])
      process.exitCode = oldKeyNeeded ? 1 : 0
    })
}

function settingOf({ keyId, oldKeyId }: Vault, id: string): string | null {
  if (id === keyId) return 'VEZNE_MASTER_KEY'
  return id === oldKeyId ? 'VEZNE_MASTER_KEY_OLD' : null
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
