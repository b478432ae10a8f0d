import type { LayoutProblem, LayoutProblems, OrderProblem, OrderProblems } from '@vezne/bank-formats'
import type { Said } from '../../platform/refusal.ts'
import type { Notice } from './catalogue.ts'

/** What the readers and writers of bank files find is named in their own package. */
type Problems = LayoutProblems & OrderProblems
type Problem = LayoutProblem | OrderProblem

/** Their codes are notices here, each with the facts that it has there. */
export type FileNotices = { readonly [Code in keyof Problems]: Notice<Problems[Code]> }

/** A problem of a file, to be stored or to stand inside a refusal. */
export function fileNote({ code, facts }: Problem): Said {
  return { why: code, facts }
}
