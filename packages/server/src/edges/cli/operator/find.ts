import type { Command } from 'commander'
import { searchDeposits } from '../../../domain/deposits/index.ts'
import { searchWithdrawals } from '../../../domain/withdrawals/index.ts'
import { linesOfDeposit, searchLines, searchUnread } from '../../../domain/statements/index.ts'
import type { Found } from '../../../kernel/search.ts'
import { readSearch } from '../../../kernel/search.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { lineMoney } from './line.ts'
import { print, table } from '../core/output.ts'

const MAX_SHOWN = 1000
/** No name, id or IBAN is longer. */
const MAX_TEXT = 200

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
      if (text.length > MAX_TEXT) throw new WrongUsage(`The text to find must have at most ${MAX_TEXT} characters.`)
      const { found, more } = await withApp(context, (app) => search(app, text, limit), { clock: false })
      print(command, { found, more }, describe(found, more))
    })
}

async function search({ db }: CliApp, text: string, limit: number): Promise<{ found: Found[]; more: boolean }> {
  const wanted = readSearch(text)
  // One extra row shows whether there are more.
  const lists = await Promise.all(
    [searchDeposits, searchWithdrawals, searchLines, searchUnread].map((searchOne) => searchOne(db, wanted, limit + 1)),
  )
  lists.push(await linesOfNamed(db, lists.flat()))
  const all = mergeMatches(lists.flat()).toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return { found: all.slice(0, limit), more: all.length > limit || lists.some((list) => list.length > limit) }
}

/** The bank lines of deposits that were found by id or code. */
async function linesOfNamed(db: CliApp['db'], found: Found[]): Promise<Found[]> {
  const named = found.filter(({ kind, matched }) => kind === 'deposit' && /^(transaction id|code )/.test(matched))
  const lines = await Promise.all(named.map(({ id, merchantId }) => linesOfDeposit(db, merchantId ?? '', id)))
  return lines.flat().map(({ id, merchantId, amount, currency, direction, state, createdAt }) => ({
    ...{ kind: 'line', id, merchantId, amount, currency, direction, status: state, createdAt },
    matched: 'of the deposit',
  }))
}

/** A row that matches in several ways is listed once. */
function mergeMatches(rows: Found[]): Found[] {
  return [...Map.groupBy(rows, ({ kind, id }) => `${kind} ${id}`).values()].map((same) => ({
    ...(same[0] as Found),
    matched: same.map(({ matched }) => matched).join(', '),
  }))
}

function describe(found: Found[], more: boolean): string[] {
  if (found.length === 0) return ['Nothing found.']
  const rows = found.map(
    ({ kind, id, merchantId, amount, currency, direction = 'credit', status, createdAt, matched }) => [
      kind,
      id,
      merchantId ?? '',
      amount === null ? '' : lineMoney({ direction, amount, currency }),
      status,
      createdAt.toISOString(),
      matched,
    ],
  )
  const header = ['kind', 'id', 'merchant', 'amount', 'status', 'created', 'matched']
  return [...table(header, rows), ...(more ? ['', 'There are more. Add a word, or raise --limit.'] : [])]
}
