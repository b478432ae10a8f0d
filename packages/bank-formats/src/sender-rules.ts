import type { LabelRule, PartsRule, SenderRule } from './bank-profile.ts'
import { foldLabel } from './fold-text.ts'
import { readIban } from './read-cells.ts'

type Sender = { name: string | null; iban: string | null }

/** Who paid, where a rule says how the bank writes it. Without a rule that fits nothing is guessed. */
export function findSender(description: string, rules: SenderRule[]): Sender {
  const sender: Sender = { name: null, iban: null }
  const begins = new Map<string, string>()
  const upper = turkishUpper(description)
  for (const rule of rules) {
    const found = 'begins' in rule ? byParts(description, rule, begins) : byLabel(description, upper, rule)
    sender.name ??= found.name
    sender.iban ??= found.iban
  }
  return sender
}

const NONE: Sender = { name: null, iban: null }

/** `begins` has the folded first part for each separator, because many rules share one. */
function byParts(description: string, rule: PartsRule, begins: Map<string, string>): Sender {
  let first = begins.get(rule.separator)
  if (first === undefined)
    begins.set(rule.separator, (first = foldLabel(description.split(rule.separator, 1)[0] ?? '')))
  if (first !== foldedRules(rule)[0]) return NONE
  const parts = description.split(rule.separator).map((part) => part.trim())
  if (parts.length < rule.parts) return NONE
  return { name: asName(parts[rule.name]), iban: rule.iban === undefined ? null : readIban(parts[rule.iban] ?? '') }
}

function byLabel(description: string, upper: string, rule: LabelRule): Sender {
  const [label = '', ...ends] = foldedRules(rule)
  const at = upper.indexOf(label)
  if (at < 0) return NONE
  const from = at + label.length
  const places = ends.map((end) => upper.indexOf(end, from)).filter((end) => end >= 0)
  const found = description.slice(from, Math.min(description.length, ...places)).trim()
  return rule.gives === 'name' ? { name: asName(found), iban: null } : { name: null, iban: readIban(found) }
}

/** What to compare with, made once for each rule. */
function foldedRules(rule: SenderRule): string[] {
  let folded = foldedOnce.get(rule)
  if (!folded) {
    folded = 'begins' in rule ? [foldLabel(rule.begins)] : [rule.label, ...rule.ends].map(turkishUpper)
    foldedOnce.set(rule, folded)
  }
  return folded
}

const foldedOnce = new WeakMap<SenderRule, string[]>()

/** Letter by letter, so that places stay the same: İ, I, ı and i are one letter here. */
function turkishUpper(text: string): string {
  const upper = text.toUpperCase().replaceAll('İ', 'I')
  if (upper.length === text.length) return upper
  return text.replaceAll(/[^]/gu, (letter) => {
    const one = letter.toUpperCase().replaceAll('İ', 'I')
    return one.length === letter.length ? one : letter
  })
}

/** Digits are a number of the bank or a reference, not a name. */
function asName(text: string | undefined): string | null {
  return text !== undefined && /^[^\d]{3,140}$/.test(text) && /\p{L}{2}/u.test(text) ? text : null
}
