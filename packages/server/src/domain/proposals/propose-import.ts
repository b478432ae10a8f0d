import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { FileContent, ImportOptions, StatementFile } from '../statements/index.ts'
import { mustBeAcceptable, previewFile, stoppedAt } from '../statements/index.ts'
import { authorize } from '../people/index.ts'
import { keepProposed } from '../uploads/index.ts'
import type { ProposalDeps } from './proposal-kind.ts'
import { kindOf } from './kinds.ts'
import type { ProposalOutcome } from './propose.ts'
import { makeProposal } from './propose.ts'
import { openProposalAbout } from './show.ts'
import type { ImportTerms } from './statement-import.ts'
import { targetOfFile, termsOfImport } from './statement-import.ts'

/** Proposes to import a file, or approves it, if another person has proposed the same bytes. */
export async function proposeImport(
  app: ProposalDeps,
  actor: Actor,
  content: FileContent,
  options: ImportOptions,
): Promise<ProposalOutcome<StatementFile>> {
  // Before the file is read and kept.
  await app.db.transaction((tx) => authorize(app, tx, actor, 'statement.import'))
  const preview = await previewFile(app, content, options)
  if (preview.already?.stoppedWhy) throw stoppedAt(preview.already.id, preview.already.stoppedWhy)
  mustBeAcceptable(preview, options.acceptProblems)
  const terms = termsOfImport(preview, options.account)
  const kept = await keepProposed(app, actorName(actor), { name: content.name, content: content.open() })
  if (kept.sha256 !== terms.sha256) throw refuse('file_changed_while_read', { file: content.name })
  const open = await openImport(app, terms)
  // The same file may have another name at the second person.
  const { name } = open ? (kindOf(open).terms as ImportTerms) : terms
  return makeProposal(app, actor, 'statement.import', { ...terms, name }, { reason: options.acceptProblems })
}

/** The proposal to import a file that waits, if there is one. */
export const openImport = (app: Pick<ProposalDeps, 'db' | 'clock'>, file: { sha256: string }) =>
  openProposalAbout(app, `statement.import ${targetOfFile(file)}`)
