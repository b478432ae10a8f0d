import type { LayoutProblem, LayoutProblems } from './layout-problems.ts'

export type Json = Record<string, unknown>

const MAX_TEXT = 100
const MAX_TEXTS = 50
const MAX_COUNT = 20

const asJson = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value))
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT

/** Each returns a value that fits and notes what did not. */
export function checks(problems: LayoutProblem[]) {
  const problem = <Code extends keyof LayoutProblems>(code: Code, facts: LayoutProblems[Code]) =>
    void problems.push({ code, facts } as LayoutProblem)
  return {
    problem,
    text(at: string, value: unknown): string {
      if (isText(value)) return value
      problem('layout_text_wrong', { at, most: MAX_TEXT })
      return ''
    },
    object(at: string, value: unknown, known: readonly string[]): Json {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        problem('layout_not_object', { at })
        return {}
      }
      for (const key of Object.keys(value))
        if (!known.includes(key)) problem('layout_key_unknown', { at, key: key.slice(0, 40), known })
      return value as Json
    },
    texts(at: string, value: unknown): string[] {
      const list: unknown[] = Array.isArray(value) ? value : [value]
      if (list.length > 0 && list.length <= MAX_TEXTS && list.every(isText)) return list
      problem('layout_texts_wrong', { at, most: MAX_TEXTS })
      return []
    },
    oneOf<T>(at: string, value: unknown, known: readonly T[]): T {
      if (!known.includes(value as T)) problem('layout_choice_wrong', { at, known: asJson(known) })
      return value as T
    },
    someOf<T>(at: string, value: unknown, known: readonly T[], least = 1): T[] {
      if (Array.isArray(value) && value.length >= least && value.every((one) => known.includes(one as T)))
        return value as T[]
      problem('layout_choices_wrong', { at, known: asJson(known) })
      return []
    },
    count(at: string, value: unknown): number {
      return wholeNumber(at, value, 0, MAX_COUNT)
    },
    wholeNumber,
    currency(value: unknown): string {
      if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value))
        problem('layout_form_wrong', { at: 'currency', example: 'TRY' })
      return String(value)
    },
  }

  function wholeNumber(at: string, value: unknown, least: number, most: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    problem('layout_number_wrong', { at, least, most })
    return least
  }
}
