import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { BankProfile } from '@vezne/bank-formats'
import { BANK_PROFILES, MappingError, readMapping } from '@vezne/bank-formats'
import type { Command } from 'commander'
import { undoFile } from '../../../domain/books/index.ts'
import type { FileContent, FilePreview, ImportOptions } from '../../../domain/statements/index.ts'
import { proposeImport } from '../../../domain/proposals/index.ts'
import { importFile, previewFile, showFile, takesTwo } from '../../../domain/statements/index.ts'
import { printAsked } from '../core/ask-proposal.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { confirm, print, printToStderr } from '../core/output.ts'
import { checksInWords, describeFile, describePreview, describeResult, layoutProblems } from './statement-words.ts'

type Options = {
  connection?: string
  account?: string
  profile?: string
  mapping?: string
  preview?: boolean
  yes?: boolean
  acceptProblems?: string
  as?: string
}

export function addFileCommands(statement: Command, context: CliContext): void {
  statement
    .command('import <file>')
    .description('Import a statement file: camt.052/053/054, MT940/942, CSV or XLSX. Shows first what it would do.')
    .option('--connection <name>', 'the connection that gives it; without it, that of the account')
    .option('--account <iban>', 'the account, for a table that does not name it')
    .option('--profile <bank>', `how a table is read: ${Object.keys(BANK_PROFILES).join(', ')}`)
    .option('--mapping <file>', 'how a table is read: a column mapping (docs/bank-formats.md)')
    .option('--preview', 'only show what it would do')
    .option('--yes', 'import without asking')
    .option('--accept-problems <reason>', 'import although a check found a problem; the reason is recorded')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne statement import ekstre-2026-11-16.xml --as ayse.yilmaz')
    .action(async (path: string, options: Options, command: Command) => {
      const content = openPath(path)
      const wanted = readOptions(options)
      await withApp(context, (app) => run(app, command, { content, options, wanted }))
    })
  addShowCommand(statement, context)
  statement
    .command('undo <file>')
    .description('Undo an import while nothing was done with its lines: they are taken out of the books.')
    .requiredOption('--why <text>', 'why, without personal data')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne statement undo 6920f1c2a4b8d0e6f1a2b3c4 --why "wrong period" --as ayse.yilmaz',
    )
    .action(async (id: string, options: { why: string; as?: string }, command: Command) => {
      const lines = await withApp(context, (app) => undoFile(app, decider(app, options.as), id, options.why))
      const what =
        lines === 0 ? 'its balance is out of the books; it had no new lines' : `${lines} line(s) are out of the books`
      print(command, { id, lines }, `The import is undone: ${what}.`)
    })
}

function addShowCommand(statement: Command, context: CliContext): void {
  statement
    .command('show <file>')
    .description('An imported file: what the checks found, its statements, and what became of its lines.')
    .addHelpText('after', '\nExample:\n  $ npx vezne statement show 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (id: string, _options: object, command: Command) => {
      const shown = await withApp(context, (app) => showFile(app, id))
      print(
        command,
        { ...shown, profile: shown.profile?.id ?? null, checks: checksInWords(shown.checks) },
        describeFile(shown),
      )
    })
}

type Running = { content: FileContent; options: Options; wanted: ImportOptions }

async function run(app: CliApp, command: Command, { content, options, wanted }: Running): Promise<void> {
  await app.loadConnections()
  // The import makes the checks again, because it may be long until a person answers. In live the preview says whether it takes two.
  if (options.preview || !options.yes || !app.sandbox) {
    const preview = await previewFile(app, content, wanted, progress('read'))
    if (options.preview) return print(command, publicOf(preview), describePreview(preview))
    if (preview.already?.state !== 'imported' && !options.yes) {
      printToStderr(describePreview(preview))
      await mustConfirm()
    }
    if (!app.sandbox && takesTwo(preview)) {
      const asked = await proposeImport(app, decider(app, options.as), content, wanted)
      return printAsked(command, asked, ({ id, name }) =>
        print(command, { file: id }, `${name} is approved and imported as file ${id}.`),
      )
    }
  }
  const report = { onRead: progress('checked'), onImported: progress('imported') }
  const result = await importFile(app, decider(app, options.as), content, wanted, report)
  print(command, { ...result, file: result.file.id }, describeResult(result))
}

/** Without lines: they name people. */
function publicOf({ profile, already, newLines: _, newKeys: __, unreadLines: ___, ...preview }: FilePreview): object {
  return {
    ...preview,
    findings: checksInWords(preview.findings),
    profile: profile?.id ?? null,
    already: already?.id ?? null,
  }
}

async function mustConfirm(): Promise<void> {
  const answer = await confirm('Import it?')
  if (answer === null) throw new WrongUsage('Nothing was imported. To import without being asked: --yes')
  if (!answer) throw new WrongUsage('Nothing was imported.')
}

/** Lines between two reports of progress. */
const REPORT_EVERY = 10_000

function progress(what: string): (lines: number) => void {
  let next = REPORT_EVERY
  return (lines) => {
    if (lines < next) return
    next = lines + REPORT_EVERY
    printToStderr(`${lines} lines ${what}`)
  }
}

function openPath(path: string): FileContent {
  if (!existsSync(path)) throw new WrongUsage(`There is no file ${path}.`)
  return { name: basename(path), open: () => createReadStream(path) }
}

function readOptions({ connection, account, profile, mapping, acceptProblems }: Options): ImportOptions {
  if (profile !== undefined && mapping !== undefined) throw new WrongUsage('Give --profile or --mapping, not both.')
  const table = mapping === undefined ? profileNamed(profile) : mappingIn(mapping)
  return {
    connection: connection ?? null,
    account: account ?? null,
    profile: table,
    acceptProblems: acceptProblems ?? null,
  }
}

function profileNamed(name: string | undefined): BankProfile | null {
  if (name === undefined) return null
  const profile = Object.values(BANK_PROFILES).find(({ id }) => id === name.toLowerCase())
  if (profile) return profile
  const known = Object.values(BANK_PROFILES).map(({ id }) => id)
  throw new WrongUsage(`There is no profile ${name}. Known: ${known.join(', ')}. For another bank: --mapping FILE`)
}

function mappingIn(path: string): BankProfile {
  if (!existsSync(path)) throw new WrongUsage(`There is no file ${path}.`)
  try {
    return readMapping(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof MappingError) throw new WrongUsage(`${path}: ${layoutProblems(error.problems)}`)
    throw error
  }
}
