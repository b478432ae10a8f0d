import type { Command } from 'commander'
import type { CliContext } from '../core/context.ts'
import { print } from '../core/output.ts'

export function addBackupCommands(program: Command, context: CliContext): void {
  program
    .command('backup <file>')
    .description('Copy the embedded database into one file, also while the service runs.')
    .option('--with-key', 'put the master key into the file too: then it alone opens everything')
    .addHelpText('after', '\nExample:\n  $ npx vezne backup /backups/vezne-2026-11-15.tar.gz')
    .action(async (file: string, { withKey = false }: { withKey?: boolean }, command: Command) => {
      const takenAt = await context.runBackup(file, { withKey })
      const key = withKey
        ? 'The master key is in it: whoever has the file can open every secret.'
        : 'The master key is NOT in it, and without it the file cannot be restored. Keep the key in another place.'
      print(command, { file, takenAt, withKey }, [`Backed up ${takenAt.toISOString()} to ${file}`, key])
    })
  program
    .command('restore <file>')
    .description('Put a backup of the embedded database in place. Nothing is sent until restore-check has released it.')
    .option('--force', 'replace the database that is there; it is kept under another name')
    .addHelpText('after', '\nExample:\n  $ VEZNE_DATA=/srv/vezne npx vezne restore /backups/vezne-2026-11-15.tar.gz')
    .action(async (file: string, { force = false }: { force?: boolean }, command: Command) => {
      const restored = await context.runRestore(file, { force })
      const { restoredTo, drift, replaced } = restored
      print(command, { ...restored, drift: drift.length }, [
        `Restored to ${restoredTo.toISOString()}.`,
        ...(replaced ? [`The database from before is in ${replaced}`] : []),
        drift.length > 0
          ? `${drift.length} balance(s) drifted: see docs/operations.md, "The ledger drifted".`
          : 'Every balance equals the sum of its transfers.',
        'No payout is sent yet. Next: start the service, then npx vezne restore-check --as NAME',
      ])
      process.exitCode = drift.length > 0 ? 1 : 0
    })
}
