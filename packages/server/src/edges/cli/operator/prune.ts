import type { Command } from 'commander'
import { pruneStream } from '../../../domain/webhooks/index.ts'
import { listMerchants } from '../../../domain/merchants/index.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { printToStderr, print } from '../core/output.ts'

export function addPruneCommand(program: Command, context: CliContext): void {
  program
    .command('prune')
    .description('Delete old events and their attempts now, while the service runs. The workers do it every hour.')
    .option('--dry-run', 'only count them')
    .addHelpText('after', '\nExample:\n  $ npx vezne prune --dry-run')
    .action(async ({ dryRun = false }: { dryRun?: boolean }, command: Command) => {
      const { days, pruned, kept } = await withApp(context, (app) => prune(app, dryRun))
      const done = dryRun ? 'would be pruned' : 'pruned'
      print(command, { keepEventsDays: days, dryRun, pruned, kept }, [
        `${pruned} event(s) older than ${days} days ${done}.`,
        `${kept} of that age stay: the newest of each transaction, and what has not arrived everywhere.`,
      ])
    })
}

async function prune(app: CliApp, dryRun: boolean): Promise<{ days: number; pruned: number; kept: number }> {
  const total = { days: app.keepEventsDays, pruned: 0, kept: 0 }
  for (const { id } of await listMerchants(app.db)) {
    const onProgress = ({ judged, pruned }: { judged: number; pruned: number }) =>
      printToStderr(`merchant ${id}: ${judged} looked at, ${pruned} ${dryRun ? 'would go' : 'gone'}`)
    const { judged, pruned } = await pruneStream(app, id, { dryRun, onProgress })
    total.pruned += pruned
    total.kept += judged - pruned
  }
  return total
}
