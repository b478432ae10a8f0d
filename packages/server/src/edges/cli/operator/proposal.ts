import type { Command } from 'commander'
import { say } from '../../../acts/refusals/say.ts'
import type { Proposal, Difference, ShownProposal } from '../../../domain/proposals/index.ts'
import {
  approveProposal,
  entryIn,
  listProposals,
  openProposals,
  rejectProposal,
  showProposal,
  plainValue,
} from '../../../domain/proposals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Said } from '../../../platform/refusal.ts'
import { previewEntry } from '../../../domain/books/index.ts'
import { readAccountNames } from '../core/account-names.ts'
import { describeEntry } from './journal-show.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { facts, print, table } from '../core/output.ts'

const SHOWN = 100
/** Of the hash; enough that no one finds another proposal with the same. */
export const HASH_SHOWN = 16

/** What waits for a second person. */
export function addProposalCommands(program: Command, context: CliContext): void {
  const proposal = program.command('proposal').description('What one person proposed and another approves.')
  proposal
    .command('list')
    .description('Proposals that wait for approval, the oldest first, without withdrawals (withdrawal list).')
    .option('--all', 'also those that were decided or have expired, the newest first')
    .addHelpText('after', '\nExample:\n  $ npx vezne proposal list')
    .action(async (options: { all?: boolean }, command: Command) => {
      const proposals: Proposal[] = await withApp(context, (app) =>
        options.all ? listProposals(app, SHOWN) : openProposals(app, app.db, SHOWN),
      )
      const rows = proposals.map((one) => [
        one.id,
        one.kind,
        one.target,
        one.state,
        one.proposedBy,
        one.proposedAt.toISOString(),
      ])
      print(command, { proposals }, table(['id', 'kind', 'about', 'state', 'proposed by', 'proposed at'], rows))
    })
  proposal
    .command('show <proposal>')
    .description('What would change: every value before and after, who proposed it and why.')
    .addHelpText('after', '\nExample:\n  $ npx vezne proposal show 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (id: string, _options: object, command: Command) => {
      const { shown, entry } = await withApp(context, async (app) => {
        const proposal = await showProposal(app, id)
        return { shown: proposal, entry: await describeProposed(app, proposal) }
      })
      print(command, shown, describe(shown, entry))
    })
  addDecisions(proposal, context)
}

function addDecisions(proposal: Command, context: CliContext): void {
  proposal
    .command('approve <proposal>')
    .description('Approve exactly what `proposal show` showed. Not by who proposed it.')
    .requiredOption('--seen <hash>', 'the hash that `proposal show` prints')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne proposal approve 6920f1c2a4b8d0e6f1a2b3c4 --seen 3f9a12c40b7e51d2 --as mehmet.kaya',
    )
    .action(async (id: string, options: { seen: string; as?: string }, command: Command) => {
      const { proposal } = await withApp(context, async (app) => {
        // How an account is read decides what a statement file proves.
        await app.loadConnections()
        return approveProposal(app, decider(app, options.as), id, options.seen)
      })
      print(command, proposal, ['Approved: it is in force.', ...nextOf(proposal)])
    })
  proposal
    .command('reject <proposal>')
    .description('Reject it, or take your own back.')
    .requiredOption('--why <text>', 'why; it is kept')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne proposal reject 6920f1c2a4b8d0e6f1a2b3c4 --why "not agreed with the merchant" --as mehmet.kaya',
    )
    .action(async (id: string, options: { why: string; as?: string }, command: Command) => {
      const ended = await withApp(context, (app) => rejectProposal(app, decider(app, options.as), id, options.why))
      print(command, ended, `${ended.state === 'withdrawn' ? 'Taken back' : 'Rejected'}: nothing was changed.`)
    })
}

/** What a journal entry would book that can be approved. */
async function describeProposed(app: CliApp, proposal: ShownProposal): Promise<string[] | null> {
  const entry = entryIn(proposal)
  if (entry === null || proposal.isStale || proposal.isForged) return null
  return describeEntry(await previewEntry(app, app.db, entry), await readAccountNames(app))
}

function nextOf({ kind, merchantId, target }: Proposal): string[] {
  if (kind === 'endpoint.add')
    return [`Its secret is shown to who makes a new one: vezne endpoint rotate-secret ${merchantId} ENDPOINT`]
  const needsLogin = kind === 'operator.add' || kind === 'operator.reset'
  return needsLogin ? [`Invite the person: vezne ${target.replace(':', ' invite ')}`] : []
}

function stateOf({ state, isStale, isForged }: ShownProposal): string {
  if (isForged) return 'open, but Vezne has no record of it: reject it, and run vezne doctor'
  return isStale ? 'open, but what it is about has changed since: reject it' : state
}

function describe(proposal: ShownProposal, entry: string[] | null): string[] {
  const { id, kind, target, state, reason, proposedBy, proposedAt, decidedBy, decidedAt, note, seenSha256 } = proposal
  const head: [string, string][] = [
    ['proposal', id],
    ['kind', kind],
    ['about', target],
    ['state', stateOf(proposal)],
    ['proposed', `${proposedAt.toISOString()} ${proposedBy}${reason ? `: ${reason}` : ''}`],
    ...(decidedAt
      ? [['decided', `${decidedAt.toISOString()} ${decidedBy ?? ''} ${note ?? ''}`.trimEnd()] as [string, string]]
      : []),
  ]
  const rows = proposal.rows.flatMap(onLines).map((row) => [row.field, inWords(row, 'before'), inWords(row, 'after')])
  const seen = seenSha256.slice(0, HASH_SHOWN)
  const [, withdrawalId] = target.split(':')
  const next = [
    kind === 'withdrawal.approve'
      ? `Look at it, and approve it: vezne withdrawal show ${withdrawalId}`
      : `Approve it: vezne proposal approve ${id} --seen ${seen}`,
    `Reject it:  vezne proposal reject ${id} --why TEXT`,
  ]
  return [
    ...facts(head),
    '',
    ...(entry ?? table(['', 'before', 'after'], rows)),
    ...(state === 'open' && !proposal.isStale && !proposal.isForged ? ['', ...next] : []),
  ]
}

/** Findings are sentences: each has a line. */
function onLines(row: Difference): Difference[] {
  return row.as === 'findings' && Array.isArray(row.after)
    ? row.after.map((one: string | Said) => ({ ...row, after: typeof one === 'string' ? one : say('en', one) }))
    : [row]
}

function inWords({ as, ...values }: Difference, which: 'before' | 'after'): string {
  const value = values[which]
  if (which === 'before' && ['fact', 'personal', 'findings'].includes(as)) return ''
  if (value === null || value === '') return 'none'
  if (as === 'money') return formatMoney(BigInt(plainValue(value)))
  if (as === 'bps') return `${plainValue(value)} bps`
  return Array.isArray(value) ? value.join(', ') || 'none' : plainValue(value)
}
