import type { Command } from 'commander'
import { findCandidates } from '../../../domain/books/index.ts'
import { findLine } from '../../../domain/statements/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { inWords } from './next-step.ts'

export function addCandidatesCommand(line: Command, context: CliContext): void {
  line
    .command('candidates <line>')
    .description(
      'What the line may be: all of its amount within 48 hours, the payout that it names, own transfers, what is owed.',
    )
    .addHelpText('after', '\nExample:\n  $ npx vezne line candidates 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (id: string, _options: object, command: Command) => {
      const { line, candidates } = await withApp(context, async (app) => {
        const found = await findLine(app.db, id)
        if (!found) throw new Refusal('NOT_FOUND', `There is no bank line ${id}.`)
        return { line: found, candidates: (await findCandidates(app, found)).map(inWords) }
      })
      const isOpen = line.state === 'suspense' || line.state === 'needs_review'
      const words = isOpen
        ? candidatesTable(candidates)
        : `The line is ${line.state}: nothing is to be decided about it.`
      print(command, { lineId: id, candidates }, words)
    })
}

export function candidatesTable(candidates: ReturnType<typeof inWords>[]): string[] {
  if (candidates.length === 0) return ['Nothing of its amount within 48 hours.']
  const rows = candidates.map(({ what, id, status, score, reasons, next }) => {
    return [what, id, status, String(score), reasons.join(', '), next]
  })
  return table(['may be', 'id', 'status', 'score', 'why', 'then'], rows)
}
