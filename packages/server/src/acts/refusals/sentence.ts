import type { FactsOf } from '../../kernel/refusals/catalogue.ts'
import type { MoneyFact, Said } from '../../platform/refusal.ts'

/** Amounts and sentences inside a sentence are text by then, in its language. */
type ShownFact<F> = F extends MoneyFact | Said ? string : F extends readonly (infer Item)[] ? ShownFact<Item>[] : F
export type Shown<Facts> = { readonly [Name in keyof Facts]: ShownFact<Facts[Name]> }

export type Text<Facts> = string | ((facts: Shown<Facts>) => string)

/**
 * A sentence in both languages, for pages and the API. `cli` are the commands and `api` the requests that help: only the command line
 * and the API add them.
 */
export type Sentence<Facts> = { en: Text<Facts>; tr: Text<Facts>; cli?: Text<Facts>; api?: Text<Facts> }

/** One for each entry of a catalogue. */
export type Sentences<Catalogue> = { [Why in keyof Catalogue]: Sentence<FactsOf<Catalogue[Why]>> }
