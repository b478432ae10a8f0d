import type { Command } from 'commander'
import { findCandidates, PROPOSAL_FORMS, stepBefore } from '../../../domain/books/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { findLine } from '../../../domain/statements/index.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { inWords, stepText } from './next-step.ts'

export function addCandidatesCommand(line: Command, context: CliContext): void {
  line
    .command('candidates <line>')
    .description(
      'What the line may be: all of its amount within 48 hours, what may come back within 30 days, the payout that it names, own transfers, what is owed.',
    )
    .addHelpText('after', '\nExample:\n  $ npx vezne line candidates 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (id: string, _options: object, command: Command) => {
      const { line, candidates, before } = await withApp(context, async (app) => {
        const found = await findLine(app.db, id)
        if (!found) throw refuse('line_unknown', { line: id })
        const first = await stepBefore(app.db, found)
        const all = (await findCandidates(app, found)).map(inWords)
        return { line: found, candidates: all, before: first && stepText(first) }
      })
      const isOpen = line.state === 'suspense' || line.state === 'needs_review'
      const words = isOpen
        ? candidatesTable(candidates, line, before)
        : `The line is ${line.state}: nothing is to be decided about it.`
      print(command, { lineId: id, candidates, before }, words)
    })
}

const FROM_US =
  'own_transfer, with the debit on our other account, which may come later; not refund_unexplained: it came from us'

/** The kinds of entries that begin with such a line. */
function fitting({ direction, reason }: Pick<StoredLine, 'direction' | 'reason'>): string {
  if (reason === 'own_transfer') return FROM_US
  const forms = PROPOSAL_FORMS.filter(({ line }) => line === 'any' || line === direction)
  return [...new Set(forms.map(({ kind }) => kind))].join(', ')
}

export function candidatesTable(
  candidates: ReturnType<typeof inWords>[],
  line: Pick<StoredLine, 'id' | 'direction' | 'reason'>,
  before: string | null = null,
): string[] {
  const { id } = line
  if (candidates.length === 0 && before !== null)
    return [`Nothing fits it yet. What must be done before anything can be said about it: ${before}`]
  const besides = [
    `What it may be besides: ${fitting(line)}.`,
    `Say so: vezne journal propose KIND --line ${id} --why TEXT --as NAME (--help: what each takes). ${notCounted(id)}`,
  ]
  if (candidates.length === 0) return ['Nothing that we know of waits for it.', ...besides]
  const rows = candidates.map(({ what, id, status, score, reasons, next }) => {
    return [what, id, status, String(score), reasons.join(', '), next]
  })
  const isStranger = candidates.every(({ what }) => what === 'stranger')
  const after = isStranger ? besides : [notCounted(id)]
  return [...table(['may be', 'id', 'status', 'score', 'why', 'then'], rows), '', ...after]
}

const notCounted = (id: string) =>
  `If it is not clear, ask the bank first. A line that the bank shows twice, or does not count, is dismissed by two people: vezne line dismiss ${id}`
