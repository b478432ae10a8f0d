import type { Command } from 'commander'
import { say } from '../../../acts/refusals/say.ts'
import { MAX_SEARCH_TEXT, searchAll } from '../../../domain/overview/index.ts'
import type { Found } from '../../../kernel/search.ts'
import type { CliContext } from '../core/context.ts'
import { wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { lineMoney } from './line.ts'
import { print, table } from '../core/output.ts'

const MAX_SHOWN = 1000

export function addFindCommand(program: Command, context: CliContext): void {
  program
    .command('find <text>')
    .description(
      'Deposits, withdrawals and bank lines by customer, sender, IBAN or its last digits, code, amount, processId or id.',
    )
    .option('--limit <count>', 'how many at most', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne find "ayse yilmaz"\n  $ npx vezne find 1.250,00')
    .action(async (text: string, options: { limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      if (limit < 1 || limit > MAX_SHOWN) throw new WrongUsage(`--limit must be from 1 to ${MAX_SHOWN}.`)
      if (text.trim() === '') throw new WrongUsage('Give a text to find, such as a name or an amount.')
      if (text.length > MAX_SEARCH_TEXT)
        throw new WrongUsage(`The text to find must have at most ${MAX_SEARCH_TEXT} characters.`)
      const { found, more } = await withApp(context, ({ db }) => searchAll(db.search, text, limit), { clock: false })
      print(command, { found: found.map(foundJson), more }, describe(found, more))
    })
}

/** A transaction by the names of the API; a line of the bank has an id of its own. */
function foundJson({ kind, id, ...found }: Found) {
  const isTransaction = kind === 'deposit' || kind === 'withdrawal'
  const status = statusOf(found)
  return { type: kind, ...(isTransaction ? { transactionId: id } : { lineId: id }), ...found, status }
}

function statusOf({ status }: Pick<Found, 'status'>): string {
  return typeof status === 'string' ? status : say('en', status)
}

function describe(found: Found[], more: boolean): string[] {
  if (found.length === 0) return ['Nothing found.']
  const rows = found.map(
    ({ kind, id, merchantId, amount, currency, direction = 'credit', status, createdAt, matched }) => [
      kind,
      id,
      merchantId ?? '',
      amount === null ? '' : lineMoney({ direction, amount, currency }),
      statusOf({ status }),
      createdAt.toISOString(),
      matched,
    ],
  )
  const header = ['kind', 'id', 'merchant', 'amount', 'status', 'created', 'matched']
  return [...table(header, rows), ...(more ? ['', 'There are more. Add a word, or raise --limit.'] : [])]
}
