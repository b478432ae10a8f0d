import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { AuditEntry, AuditFilter } from '../../../domain/audit/index.ts'
import { compareHeads, listAudit, notVerified, showAudit, verifyChain } from '../../../domain/audit/index.ts'
import { hiddenEntries } from '../../../domain/overview/index.ts'
import { findReader } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { moment, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { facts, print, printProgress, table } from '../core/output.ts'
import { hiddenWords } from './withdrawal-facts.ts'

/** Also for a role that may not read the sealed secrets. */
const READING = { clock: false, seals: false }

export function addAuditCommands(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .description('Every decision of people: who, what, from what to what, why and from where.')
  addList(audit, context)
  audit
    .command('show <number>')
    .description('One entry, with its hashes.')
    .addHelpText('after', '\nExample:\n  $ npx vezne audit show 12')
    .action(async (given: string, _options: object, command: Command) => {
      const number = wholeNumber(given, 'The number')
      const show = async (app: CliApp) => {
        const found = await showAudit(app.db, number)
        return withVerified(app, [found], [(await hidingOpen(context, app, [found]))(found)])
      }
      const [entry] = await withApp(context, show, READING)
      if (!entry) throw new Error('No entry was returned.')
      print(command, entry, describe(entry))
    })
  audit
    .command('verify')
    .description(
      'Compute the whole chain again, and compare it with the heads that were written outside of the database.',
    )
    .option('--heads <file>', 'file of heads; default the one of VEZNE_AUDIT_HEADS')
    .addHelpText('after', '\nExample:\n  $ npx vezne audit verify --heads /mnt/audit/heads.jsonl')
    .action(async ({ heads }: { heads?: string }, command: Command) => {
      if (heads !== undefined && !existsSync(heads)) throw new WrongUsage(`There is no file ${heads}.`)
      const file = heads ?? context.readConfig().auditHeads
      const verdict = await withApp(context, (app) => verify(app, file), READING)
      process.exitCode = verdict.intact ? 0 : 1
      print(command, verdict, inWords(verdict))
    })
}

type ListOptions = { actor?: string; action?: string; subject?: string; since?: string; limit: string }

function addList(audit: Command, context: CliContext): void {
  audit
    .command('list')
    .description('Entries, newest first.')
    .option('--actor <name>', 'of this person or task')
    .option('--action <action>', 'of this kind of decision, such as withdrawal.approve')
    .option('--subject <subject>', 'about this, such as merchant:ID')
    .option('--since <time>', 'not older, such as 2026-11-15T00:00:00Z')
    .option('--limit <count>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne audit list --actor ayse.yilmaz --since 2026-11-15T00:00:00Z')
    .action(async ({ since, limit, ...wanted }: ListOptions, command: Command) => {
      const count = wholeNumber(limit, '--limit')
      const filter: AuditFilter = { ...wanted, ...(since !== undefined && { since: moment(since, '--since') }) }
      const list = async (app: CliApp) => {
        const found = await listAudit(app.db.pages, filter, count)
        return withVerified(app, found, found.map(await hidingOpen(context, app, found)))
      }
      const entries = await withApp(context, list, READING)
      const rows = entries.map(({ number, at, actor, action, subject, reason, verified }) => [
        String(number),
        at,
        verified === false ? `${actor} (not verified)` : actor,
        action,
        subject,
        reason ?? '',
      ])
      const header = ['number', 'when', 'who', 'what', 'about', 'why']
      print(command, { entries }, rows.length > 0 ? table(header, rows) : 'No entries.')
    })
}

type Verified = AuditEntry & { verified: boolean | null }

/** Null: the key of the marks cannot be read here. Judged by the whole entries, before anything is hidden. */
async function withVerified({ marks }: CliApp, found: AuditEntry[], shown: AuditEntry[]): Promise<Verified[]> {
  const doubted = await notVerified(marks, found).catch(() => null)
  return shown.map((entry) => ({ ...entry, verified: doubted && !doubted.has(entry.number) }))
}

/** Leaves out what an open finding says, for who has not reported. The chain is not changed. */
async function hidingOpen(
  context: CliContext,
  app: CliApp,
  entries: AuditEntry[],
): Promise<(entry: AuditEntry) => AuditEntry> {
  const { pages } = app.db
  let hidden = await hiddenEntries(app, pages, entries, null)
  // A database role for reports cannot read sessions: then no one is known.
  const reader = hidden.size === 0 ? null : await findReader(app, context.readConfig()).catch(() => null)
  if (reader) hidden = await hiddenEntries(app, pages, entries, reader)
  return (entry) => (hidden.has(entry.number) ? { ...entry, before: null, after: null, reason: hiddenWords(1) } : entry)
}

const VERIFIED = {
  true: 'yes',
  false: 'no: the service did not write it, or did before there were marks',
  null: 'not known',
}

function describe(entry: Verified): string[] {
  const json = (value: unknown) => (value === null ? '' : JSON.stringify(value))
  return facts([
    ['number', String(entry.number)],
    ['when', entry.at],
    ['who', entry.actor],
    ['what', entry.action],
    ['about', entry.subject],
    ['before', json(entry.before)],
    ['after', json(entry.after)],
    ['why', entry.reason ?? ''],
    ['from where', json(entry.origin)],
    ['verified', VERIFIED[`${entry.verified}`]],
    ['hash', entry.hash],
    ['hash before', entry.previousHash],
  ])
}

type Verification = {
  intact: boolean
  entries: number
  hash: string
  problem: string | null
  /** False: the key of the marks cannot be read here. */
  marks: boolean
  heads: { file: string; lines: number; newest: number } | null
}

async function verify({ db, marks }: CliApp, file: string | null): Promise<Verification> {
  const reads = { db: db.pages }
  const hasKey = await marks.of('audit_entries', null).then(
    () => true,
    () => false,
  )
  const chain = await verifyChain(
    { ...reads, marks: hasKey ? marks : null },
    { onProgress: (number) => printProgress(`${number} entries verified`) },
  )
  const compared = file !== null && existsSync(file) ? { file, ...(await compareHeads(reads, file)) } : null
  const problem = chain.problem ?? compared?.problem ?? null
  return {
    intact: problem === null,
    entries: chain.last.number,
    hash: chain.last.hash.toString('hex'),
    problem,
    marks: hasKey,
    heads: compared && { file: compared.file, lines: compared.lines, newest: compared.newest },
  }
}

const NO_KEY = 'Marks were not verified: the master key or the right to read it is missing here.'

function inWords({ intact, entries, hash, problem, marks, heads }: Verification): string[] {
  const compared = heads
    ? `${heads.lines} head(s) of ${heads.file} compared, the newest of entry ${heads.newest}.`
    : 'No heads to compare with: who can change the whole chain would not be noticed. Give them with --heads FILE.'
  if (!intact) return [`BROKEN: ${problem}`, `Entries 1 to ${entries} are a chain.`, compared]
  return [`The chain is intact: ${entries} entries, the newest hash ${hash}.`, ...(marks ? [] : [NO_KEY]), compared]
}
