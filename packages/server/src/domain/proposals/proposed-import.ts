import { refuse } from '../../kernel/refusals/refuse.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { FilePreview, StatementFile } from '../statements/index.ts'
import { findBySha } from '../statements/index.ts'
import type { ProposalDeps } from './proposal-kind.ts'
import { kindOf, notUnderstood } from './kinds.ts'
import type { ShownProposal } from './show.ts'
import { showProposal } from './show.ts'
import type { ImportTerms } from './statement-import.ts'
import { previewProposed } from './statement-import.ts'

/**
 * A proposal to import a file. Of an open one what the kept file would bring now, and whether that is what was proposed, or why
 * it cannot be read. `file`: the same content, if it is imported.
 */
export type ProposedImport = { proposal: ShownProposal; name: string; file: StatementFile | null } & (
  | { preview: FilePreview; isAsProposed: boolean }
  | { refused: Refusal }
  | { isDecided: true }
)

export async function proposedImport(app: ProposalDeps, id: string): Promise<ProposedImport> {
  const proposal = await showProposal(app, id)
  if (proposal.kind !== 'statement.import') throw refuse('proposal_unknown', { proposal: id })
  const terms = kindOf(proposal).terms as ImportTerms
  const { name = '', sha256 = '' } = terms as Partial<ImportTerms>
  const about = { proposal, name, file: (await findBySha(app.db, sha256)) ?? null }
  if (proposal.state !== 'open') return { ...about, isDecided: true }
  // What it shows of itself depends on nothing else: another version wrote it.
  if (proposal.isStale) return { ...about, refused: notUnderstood() }
  try {
    const { preview, isAsProposed } = await previewProposed(app, terms)
    return { ...about, preview, isAsProposed }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return { ...about, refused: error }
  }
}
