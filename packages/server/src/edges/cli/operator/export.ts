import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { ExportKind } from '../../../domain/books/index.ts'
import { COLUMNS, EXPORTS, exportTable, merchantStatement } from '../../../domain/books/index.ts'
import { writeTable } from '../../../platform/files/table-file.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, withApp, WrongUsage } from '../core/context.ts'
import { print, printToStderr } from '../core/output.ts'
import { statementPage } from '../../web/merchant-statement-page.ts'
import type { StatementLanguage } from '../../web/merchant-statement-words.ts'
import { STATEMENT_WORDS } from '../../web/merchant-statement-words.ts'

const WHAT: Record<ExportKind, string> = {
  transactions: 'Everything that changed what merchants have: amount, fee and net.',
  balances: 'Per merchant: opening, movements, fees and closing.',
  fees: 'The fee of every transaction that had one.',
  journal: 'Every transfer of the ledger, with its accounts.',
}

type ExportOptions = { from: string; to: string; merchant?: string; format: string; out: string }

export function addExportCommands(program: Command, context: CliContext): void {
  const command = program.command('export').description('Write tables for accountants: CSV or XLSX, with totals.')
  for (const kind of EXPORTS) {
    command
      .command(kind)
      .description(WHAT[kind])
      .requiredOption('--from <day>', 'first accounting day, such as 2026-11-01')
      .requiredOption('--to <day>', 'last accounting day, included')
      .option('--merchant <id>', 'only of this merchant')
      .option('--format <format>', 'csv (semicolons, decimal comma) or xlsx', 'csv')
      .requiredOption('--out <file>', 'file to write; must not exist')
      .addHelpText(
        'after',
        `\nExample:\n  $ npx vezne export ${kind} --from 2026-11-01 --to 2026-11-30 --out ${kind}.csv`,
      )
      .action(async (options: ExportOptions, command: Command) => {
        const { format, out: file } = options
        if (format !== 'csv' && format !== 'xlsx')
          throw new WrongUsage(`--format must be csv or xlsx, not "${format}".`)
        const merchant = options.merchant === undefined ? null : merchantId(context, options.merchant)
        const period = { from: options.from, to: options.to, merchantId: merchant }
        const progress = countRows()
        await withApp(context, (app) =>
          writeTable(file, { format, title: kind, columns: COLUMNS[kind] }, (write) =>
            exportTable(app, kind, period, (rows) => {
              progress.add(rows.length)
              return write(rows)
            }),
          ),
        )
        print(command, { file, rows: progress.rows() }, `${file}: ${progress.rows()} rows, totals included.`)
      })
  }
  addStatement(command, context)
}

type StatementOptions = { month: string; language: string; title?: string; out: string }

function addStatement(command: Command, context: CliContext): void {
  command
    .command('statement <merchant>')
    .description('The monthly statement of a merchant, as a page to print or to save as PDF.')
    .requiredOption('--month <month>', 'such as 2026-11')
    .option('--language <language>', 'tr or en', 'tr')
    .option('--title <title>', "the operator's name; the title of its first active collecting account when left out")
    .requiredOption('--out <file>', 'file to write, .html; must not exist')
    .addHelpText('after', '\nExample:\n  $ npx vezne export statement demo --month 2026-11 --out november.html')
    .action(async (given: string, { month, language, title, out: file }: StatementOptions, command: Command) => {
      if (!Object.hasOwn(STATEMENT_WORDS, language))
        throw new WrongUsage(`--language must be tr or en, not "${language}".`)
      const id = merchantId(context, given)
      const { statement, at } = await withApp(context, async (app) => ({
        statement: await merchantStatement(app, id, month),
        at: app.clock.now(),
      }))
      const page = statementPage(statement, language as StatementLanguage, {
        operator: title ?? statement.operatorTitle,
        at,
      })
      try {
        writeFileSync(file, page, { flag: 'wx', mode: 0o600 })
      } catch (error) {
        throw new WrongUsage(`${file} cannot be written: ${(error as Error).message}`)
      }
      print(command, { file }, `${file} is written. Open it in a browser; print it to save it as PDF.`)
    })
}

const SHOW_EVERY = 50_000

/** Long exports show that they go on. */
function countRows() {
  let rows = 0
  return {
    rows: () => rows,
    add(count: number) {
      if (Math.floor((rows + count) / SHOW_EVERY) > Math.floor(rows / SHOW_EVERY))
        printToStderr(`${rows + count} rows …`)
      rows += count
    },
  }
}
