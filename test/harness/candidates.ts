import { findCandidates } from '../../packages/server/src/domain/books/index.ts'
import { inWords } from '../../packages/server/src/edges/cli/operator/next-step.ts'

/** Candidates with reasons and commands as the command line writes them. */
export async function candidatesInWords(...asked: Parameters<typeof findCandidates>) {
  return (await findCandidates(...asked)).map(inWords)
}
