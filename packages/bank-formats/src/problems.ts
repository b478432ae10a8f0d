import type { StatementProblem } from './statement.ts'

/** So many tell a person what is wrong; bounds memory where every balance of a long file is wrong. */
const MAX_PROBLEMS = 100

/** What a statement contradicts itself in, in the order in which it was found. */
export type Problems = { first: StatementProblem[]; more: number }

export function noProblems(): Problems {
  return { first: [], more: 0 }
}

export function addProblems(problems: Problems, ...found: StatementProblem[]): void {
  for (const problem of found)
    if (problems.first.length < MAX_PROBLEMS) problems.first.push(problem)
    else problems.more += 1
}

export function listOf({ first, more }: Problems): StatementProblem[] {
  return more === 0 ? first : [...first, { what: 'number of further problems', expected: '0', found: String(more) }]
}
