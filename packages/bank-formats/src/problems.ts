import { fileProblem } from './file-problems.ts'
import type { FileProblem } from './file-problems.ts'

/** So many tell a person what is wrong; bounds memory where every balance of a long file is wrong. */
const MAX_PROBLEMS = 100

/** What a statement contradicts itself in, in the order in which it was found. */
export type Problems = { first: FileProblem[]; more: number }

export function noProblems(): Problems {
  return { first: [], more: 0 }
}

export function addProblems(problems: Problems, ...found: FileProblem[]): void {
  for (const problem of found)
    if (problems.first.length < MAX_PROBLEMS) problems.first.push(problem)
    else problems.more += 1
}

export function listOf({ first, more }: Problems): FileProblem[] {
  return more === 0 ? first : [...first, fileProblem(null, 'problems_more', { count: more })]
}
