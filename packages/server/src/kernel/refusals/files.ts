import type { FileProblem, FileProblems, LayoutProblem, LayoutProblems } from '@vezne/bank-formats'
import type { OrderFacts, OrderProblem, OrderProblems, OrdersDifference } from '@vezne/bank-formats'
import type { Fact, Said } from '../../platform/refusal.ts'
import type { Notice } from './catalogue.ts'

/** What the readers and writers of bank files find is named in their own package. */
type Problems = FileProblems & LayoutProblems & OrderProblems & OrderFacts
type Problem = FileProblem | LayoutProblem | OrderProblem | OrdersDifference

/** A problem inside another one is a sentence inside another one. */
type FactHere<F> = F extends FileProblem ? Said : F extends Fact ? F : never
type FactsHere<F> = { readonly [Name in keyof F]: FactHere<F[Name]> }

/** Their codes are notices here, each with the facts that it has there. `file_place` says where in the file a problem is. */
export type FileNotices = { readonly [Code in keyof Problems]: Notice<FactsHere<Problems[Code]>> } & {
  readonly file_place: Notice<{ sheet: string | null; line: number; column: number | null; problem: Said }>
}

/** A problem of a file, to be stored or to stand inside a refusal. */
export function fileNote(problem: Problem): Said {
  const entries = Object.entries<Found>(problem.facts).map(([name, fact]) => [name, factOf(fact)] as const)
  const said: Said = { why: problem.code, facts: Object.fromEntries(entries) }
  if (!('position' in problem) || problem.position === null) return said
  const { sheet = null, line, column = null } = problem.position
  return { why: 'file_place', facts: { sheet, line, column, problem: said } }
}

type Found = Fact | FileProblem

const factOf = (fact: Found): Fact =>
  typeof fact === 'object' && fact !== null && 'code' in fact ? fileNote(fact) : fact
