import type { NO_REFUNDS } from '../../kernel/refusals/books.ts'
import type { FactsOf } from '../../kernel/refusals/catalogue.ts'
import { readMoney } from '../../kernel/money.ts'
import type { Sentence, Shown } from './sentence.ts'
import { entryKind } from './entry-kinds.ts'

type Step = FactsOf<(typeof NO_REFUNDS)['entry_to_propose']>

/** What two people propose to explain a line. */
export const ENTRY_TO_PROPOSE: Sentence<Step> = {
  en: (step) => (writesOff(step) ? WRITE_OFF.en : `${step.isNext ? 'Then propose' : 'Propose'} ${inEnglish(step)}.`),
  tr: (step) => (writesOff(step) ? WRITE_OFF.tr : `${step.isNext ? 'Sonra ' : ''}${inTurkish(step)} önerin.`),
  cli: ({ kind, lines, restOf, settles, asksSettles, withdrawal, charge, rest }) =>
    [
      `vezne journal propose ${kind}`,
      ...lines.map((id) => `--line ${id}`),
      ...(restOf === null ? [] : [`--rest-of ${restOf}`]),
      ...(settles === null ? [] : [`--settles ${settles}`]),
      ...(asksSettles ? ['--settles ENTRY'] : []),
      ...(withdrawal === null ? [] : [`--withdrawal ${withdrawal}`]),
      ...(charge === null ? [] : [`--charge ${kurus(charge)}`]),
      ...(rest === null ? [] : [`--rest ${kurus(rest)}`]),
    ].join(' '),
}

const WRITE_OFF = {
  en: 'Ask the bank. Propose what will not come back as a bank charge.',
  tr: 'Bankaya sorun. Geri gelmeyecek tutarı banka masrafı olarak önerin.',
}

/** Nothing of it came back yet. */
const writesOff = ({ kind, settles, lines }: Shown<Step>) => kind === 'bank_charge' && settles !== null && !lines[0]

function inEnglish(step: Shown<Step>): string {
  const { kind, lines, restOf, settles, asksSettles, withdrawal, charge, rest } = step
  const what =
    restOf === null ? `${lines.length > 1 ? 'lines' : 'line'} ${lines.join(' and ')}` : `the rest of entry ${restOf}`
  const left = rest === null ? '' : `; ${rest} of it stays in suspense`
  const owed = `what the bank owes${settles === null ? '' : ` (entry ${settles})`}`
  const doesSettle = settles !== null || asksSettles
  if (kind === 'payout_return') {
    const more = charge === null ? '' : `, with ${charge} of a bank charge given back`
    return `${what} as the return of payout ${withdrawal}${doesSettle ? `, which also settles ${owed}` : more}${left}`
  }
  if (withdrawal !== null)
    return `${what} as the debit of payout ${withdrawal}, and the excess as ${entryKind('en', kind)}`
  return kind === 'receivable' && doesSettle
    ? `that ${what} settles ${owed}${left}`
    : `${what} as ${entryKind('en', kind)}`
}

function inTurkish(step: Shown<Step>): string {
  const { kind, lines, restOf, settles, asksSettles, withdrawal, charge, rest } = step
  const what =
    restOf === null
      ? `${lines.join(' ve ')} ${lines.length > 1 ? 'satırlarını' : 'satırını'}`
      : `${restOf} kaydının kalanını`
  const left = rest === null ? [] : [`${rest} askıda kalır`]
  const owed = settles === null ? [] : [`alacak kaydı: ${settles}`]
  const notes = (...all: string[]) => (all.length > 0 ? ` (${all.join('; ')})` : '')
  const doesSettle = settles !== null || asksSettles
  if (kind === 'payout_return') {
    const more = charge === null ? [] : [`${charge} tutarı masrafın geri dönüşüdür`]
    const also = doesSettle ? ['bankadan alacağı da kapatır', ...owed] : more
    return `${what} ${withdrawal} çekiminin iadesi olarak${notes(...also, ...left)}`
  }
  if (withdrawal !== null)
    return `${what} ${withdrawal} çekiminin borcu, çekimi aşan tutarı ${entryKind('tr', kind)} olarak`
  return kind === 'receivable' && doesSettle
    ? `${what} bankadan alacağı kapatan tutar olarak${notes(...owed, ...left)}`
    : `${what} ${entryKind('tr', kind)} olarak`
}

/** 12,50 TL as the options of commands take it: 1250. */
const kurus = (amount: string) => String(readMoney(amount.replace(/ [A-Z]+$/, '')) ?? amount)
