import type { Command } from 'commander'
import { say } from '../../../acts/refusals/say.ts'
import { rereadLine } from '../../../domain/connections/index.ts'
import {
  canRetry,
  closeUnread,
  listUnreadAndClosed,
  listUnread,
  reimportUnread,
  reopenUnread,
  unreadId,
} from '../../../domain/statements/index.ts'
import { parseExactly } from '../../../platform/json/exact-numbers.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'

type UnreadOptions = { retry?: boolean; all?: boolean; close?: string; reopen?: string; why?: string; as?: string }

export function addUnreadCommand(line: Command, context: CliContext): void {
  line
    .command('unread')
    .description(
      'Lines that a bank gave and that could not be taken in: unreadable, without a number, or not of our account, its currency or its connection.',
    )
    .option(
      '--retry',
      'try to take them in again, after an account was opened; not those that were closed, and in live not those of uploaded files',
    )
    .option('--all', 'also those that were closed, and the other side of our payouts; the newest 1000')
    .option('--close <id>', 'this one needs no more attention; it is kept')
    .option('--reopen <id>', 'this closed one waits again, and is retried')
    .option('--why <text>', 'with --close: the reason')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line unread --retry --as ayse.yilmaz\n  $ npx vezne line unread --close kJ2hs81Qx_0a --why "booked by hand at the bank" --as ayse.yilmaz',
    )
    .action(async (options: UnreadOptions, command: Command) => {
      if ((options.close === undefined) !== (options.why === undefined))
        throw new WrongUsage('Give --close and --why together.')
      const { taken, unread, uploaded } = await withApp(context, async (app) => {
        await change(app, options)
        const reimported = options.retry ? await reimportUnread(app, decider(app, options.as), rereadLine) : 0
        const listed = await (options.all ? listUnreadAndClosed(app) : listUnread(app.db))
        return {
          taken: reimported,
          unread: listed,
          uploaded: listed.filter((one) => !canRetry(app.sandbox, one)).length,
        }
      })
      const shown = unread.map(({ why, ...one }) => ({ ...one, why: say('en', why) }))
      print(command, { taken, unread: shown }, [
        ...(options.close === undefined ? [] : ['Closed.']),
        ...(options.reopen === undefined ? [] : ['Open again.']),
        ...(options.retry ? [`${taken} taken in.`] : []),
        ...describe(shown),
        ...(uploaded > 0 ? [ofUploads(uploaded)] : []),
      ])
    })
}

const ofUploads = (count: number) =>
  `${count} came with files that people uploaded and are not retried: two people enter each by hand (vezne line enter), or undo the import and upload the file again when it is readable (vezne statement undo FILE).`

async function change(app: CliApp, { close, reopen, why = '', as }: UnreadOptions): Promise<void> {
  if (close !== undefined) await closeUnread(app, decider(app, as), close, why)
  if (reopen !== undefined) await reopenUnread(app, decider(app, as), reopen)
}

type Listed = Omit<Awaited<ReturnType<typeof listUnread>>[number], 'why'> & {
  why: string
  closedBy?: string | null
  closedWhy?: string | null
}

function describe(unread: Listed[]): string[] {
  const rows = unread.map(({ hash, createdAt, source, why, raw, closedBy, closedWhy }) => [
    unreadId(hash),
    createdAt.toISOString(),
    source,
    closedBy ? `${why}; closed by ${closedBy}: ${closedWhy}` : why,
    writtenAmount(raw),
    raw.slice(0, 80),
  ])
  return table(['id', 'read at', 'source', 'why', 'amount', 'line'], rows)
}

/** As the bank wrote it, whatever that is: why the line could not be read may be just this. */
function writtenAmount(raw: string): string {
  try {
    const { amount } = (parseExactly(raw) ?? {}) as { amount?: unknown }
    return amount === undefined ? '' : JSON.stringify(amount).slice(0, 24)
  } catch {
    return ''
  }
}
