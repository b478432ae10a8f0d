import type { Command } from 'commander'
import type { KindName, ProposalOutcome, ResultOf, TermsOf } from '../../../domain/proposals/index.ts'
import { makeProposal } from '../../../domain/proposals/index.ts'
import type { CliApp } from './context.ts'
import { decider } from './decider.ts'
import { print } from './output.ts'

/** Of a setting that two people change in live. In a sandbox it is changed at once, where one person is enough. */
export function askProposal<Name extends KindName>(
  app: CliApp,
  { as, why }: { as?: string; why?: string },
  kind: Name,
  terms: TermsOf<Name>,
): Promise<ProposalOutcome<ResultOf<Name>>> {
  return makeProposal(app, decider(app, as), kind, terms, { reason: why, atOnce: true })
}

/** Prints what to do next, unless it was changed; then `changed` prints it. */
export function printAsked<Result>(
  command: Command,
  asked: ProposalOutcome<Result>,
  changed: (result: Result) => void,
): void {
  if (asked.state === 'applied') changed(asked.result)
  else print(command, asked, wordsOf(asked))
}

export function wordsOf(asked: Exclude<ProposalOutcome<unknown>, { state: 'applied' }>): string[] {
  if (asked.state === 'unchanged') return ['Nothing to change: it is so already.']
  const { id } = asked.proposal
  return [
    `Proposed as ${id}. Nothing is changed until another person approves it, within seven days:`,
    `  vezne proposal show ${id}`,
  ]
}
