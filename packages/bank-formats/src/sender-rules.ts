import type { LabelRule, PartsRule, SenderRule } from './bank-profile.ts'
import { foldLabel } from './fold-text.ts'
import { readIban } from './read-cells.ts'

type Sender = { name: string | null; iban: string | null }

/** Who paid, where a rule says how the bank writes it. Without a rule that fits nothing is guessed. */
export function findSender(description: string, rules: SenderRule[]): Sender {
  const sender: Sender = { name: null, iban: null }
  for (const rule of rules) {
    const found = 'begins' in rule ? byParts(description, rule) : byLabel(description, rule)
    sender.name ??= found.name
    sender.iban ??= found.iban
  }
  return sender
}

function byParts(description: string, rule: PartsRule): Sender {
  const parts = description.split(rule.separator).map((part) => part.trim())
  const fits = parts.length >= rule.parts && foldLabel(parts[0] ?? '') === foldLabel(rule.begins)
  if (!fits) return { name: null, iban: null }
  return { name: asName(parts[rule.name]), iban: rule.iban === undefined ? null : readIban(parts[rule.iban] ?? '') }
}

function byLabel(description: string, rule: LabelRule): Sender {
  const text = turkishUpper(description)
  const label = turkishUpper(rule.label)
  const at = text.indexOf(label)
  if (at < 0) return { name: null, iban: null }
  const from = at + label.length
  const ends = rule.ends.map((end) => text.indexOf(turkishUpper(end), from)).filter((end) => end >= 0)
  const found = description.slice(from, Math.min(description.length, ...ends)).trim()
  return rule.gives === 'name' ? { name: asName(found), iban: null } : { name: null, iban: readIban(found) }
}

/** Letter by letter, so that places stay the same: İ, I, ı and i are one letter here. */
function turkishUpper(text: string): string {
  return text.replaceAll(/\p{L}/gu, (letter) => {
    const upper = letter === 'ı' || letter === 'İ' ? 'I' : letter.toUpperCase()
    return upper.length === letter.length ? upper : letter
  })
}

/** Digits are a number of the bank or a reference, not a name. */
function asName(text: string | undefined): string | null {
  return text !== undefined && /^[^\d]{3,140}$/.test(text) && /\p{L}{2}/u.test(text) ? text : null
}
