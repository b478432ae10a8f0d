import type { AmountLayout } from './bank-profile.ts'

type None = Readonly<Record<string, never>>

/** What can be wrong with a saved layout. `at`: the setting, such as `columns.date` or `sender[0].parts`; empty for the whole layout. */
export type LayoutProblems = {
  layout_not_json: None
  layout_not_object: { at: string }
  layout_not_list: { at: string; most: number | null }
  layout_key_unknown: { at: string; key: string; known: readonly string[] }
  layout_text_wrong: { at: string; most: number }
  layout_texts_wrong: { at: string; most: number }
  /** `known` are written as JSON. */
  layout_choice_wrong: { at: string; known: readonly string[] }
  layout_choices_wrong: { at: string; known: readonly string[] }
  layout_number_wrong: { at: string; least: number; most: number }
  layout_form_wrong: { at: string; example: string }
  /** `amounts`: the layout of amounts that needs the column; null if every table does. */
  layout_column_missing: { at: string; amounts: AmountLayout | null }
  layout_column_twice: { column: string }
  /** Of an order file: it would change or hide what is paid. */
  layout_label_wrong: { at: string; most: number }
  layout_pad_wrong: { at: string }
  layout_comma_wrong: { at: string }
  layout_digits_many: { at: string; most: number }
  layout_codes_wrong: { at: string }
}

export type LayoutProblem = {
  [Code in keyof LayoutProblems]: { code: Code; facts: LayoutProblems[Code] }
}[keyof LayoutProblems]

/** A layout that cannot be used, with everything that is wrong with it. */
class LayoutError extends Error {
  readonly problems: LayoutProblem[]

  constructor(problems: LayoutProblem[]) {
    super(problems.map(({ code, facts }) => `${code} ${JSON.stringify(facts)}`).join('; '))
    this.problems = problems
  }
}

/** Of the columns of a bank's tables. */
export class MappingError extends LayoutError {}

/** Of order files. */
export class OrdersProfileError extends LayoutError {}
