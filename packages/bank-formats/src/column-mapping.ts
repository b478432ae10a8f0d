import { COMMON } from './bank-profile.ts'
import type { AmountLayout, BankProfile, ColumnRole, MetadataField, SenderRule } from './bank-profile.ts'
import { BANK_PROFILES } from './bank-profiles.ts'
import { foldLabel } from './fold-text.ts'
import { checks } from './mapping-checks.ts'
import type { Json } from './mapping-checks.ts'

/** A column mapping that cannot be used, with everything that is wrong with it. */
export class MappingError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`the column mapping is wrong: ${problems.join('; ')}`)
    this.problems = problems
  }
}

const ROLES: Record<ColumnRole, true> = {
  date: true,
  valueDate: true,
  description: true,
  amount: true,
  debit: true,
  credit: true,
  mark: true,
  balance: true,
  reference: true,
  account: true,
  iban: true,
  currency: true,
  counterpartyName: true,
  counterpartyIban: true,
  senderName: true,
  senderIban: true,
}
const LAYOUTS: Record<AmountLayout, ColumnRole[]> = {
  signed: ['amount'],
  split: ['debit', 'credit'],
  marked: ['amount', 'mark'],
}
const FIELDS = Object.keys(COMMON.metadata) as MetadataField[]
const KEYS =
  'id name currency decimals dates separator amounts alwaysSigned columns optional marks metadata footer carriedForward sender'

type Checks = ReturnType<typeof checks>

/**
 * A saved column mapping as a profile. `id`, `name`, `columns` and `amounts` are needed; the rest is as with Turkish banks.
 * A file must have every column that is named, unless it is in `optional`. `{"bank": "ziraat"}` is the profile of a built-in bank.
 */
export function readMapping(json: unknown): BankProfile {
  const problems: string[] = []
  const check = checks(problems)
  const given = fromText(json, problems)
  if (typeof given === 'object' && given !== null && 'bank' in given) return builtIn(given, problems)
  const mapping = check.object('the mapping', given, KEYS.split(' '))
  const columns = readColumns(check, mapping)
  const amounts = readLayouts(check, mapping, columns)
  const marks = check.object('marks', mapping['marks'] ?? {}, ['debit', 'credit'])
  const metadata = check.object('metadata', mapping['metadata'] ?? {}, FIELDS)
  const profile: BankProfile = {
    id: check.text('id', mapping['id']),
    name: check.text('name', mapping['name']),
    currency: check.currency(mapping['currency'] ?? COMMON.currency),
    decimals: check.oneOf('decimals', mapping['decimals'] ?? COMMON.decimals, ['turkish', 'point']),
    dates: check.someOf('dates', mapping['dates'] ?? COMMON.dates, COMMON.dates),
    separator: check.oneOf('separator', mapping['separator'] ?? null, [null, ';', ',', '\t']),
    amounts,
    alwaysSigned: check.oneOf('alwaysSigned', mapping['alwaysSigned'] ?? true, [true, false]),
    columns,
    optional: check.someOf('optional', mapping['optional'] ?? [], Object.keys(ROLES) as ColumnRole[], 0),
    marks: {
      debit: check.texts('marks.debit', marks['debit'] ?? COMMON.marks.debit),
      credit: check.texts('marks.credit', marks['credit'] ?? COMMON.marks.credit),
    },
    metadata: Object.fromEntries(
      FIELDS.map((field) => [field, check.texts(`metadata.${field}`, metadata[field] ?? COMMON.metadata[field])]),
    ),
    footer: check.texts('footer', mapping['footer'] ?? COMMON.footer),
    carriedForward: check.texts('carriedForward', mapping['carriedForward'] ?? COMMON.carriedForward),
    sender: readSenderRules(check, mapping['sender'] ?? []),
    recognise: { bankCodes: [], names: [], headers: [] },
  }
  if (problems.length > 0) throw new MappingError(problems)
  return profile
}

function builtIn(given: object, problems: string[]): BankProfile {
  const { bank } = checks(problems).object('the mapping', given, ['bank'])
  const profile = Object.values(BANK_PROFILES).find(({ id }) => id === bank)
  if (!profile) problems.push(`bank must be one of: ${Object.keys(BANK_PROFILES).join(', ')}`)
  if (!profile || problems.length > 0) throw new MappingError(problems)
  return profile
}

function fromText(json: unknown, problems: string[]): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch {
    problems.push('it is not JSON')
    return {}
  }
}

function readColumns(check: Checks, mapping: Json): BankProfile['columns'] {
  const given = check.object('columns', mapping['columns'], Object.keys(ROLES))
  const columns: BankProfile['columns'] = {}
  for (const role of Object.keys(ROLES) as ColumnRole[])
    if (given[role] !== undefined) columns[role] = check.texts(`columns.${role}`, given[role])
  for (const role of ['date', 'description'] as const)
    if (!columns[role]) check.problem(`columns.${role} is missing: give the header of that column`)
  const names = Object.values(columns).flatMap((aliases) => [...new Set(aliases.map(foldLabel))])
  const doubled = names.find((name, index) => names.indexOf(name) !== index)
  if (doubled !== undefined) check.problem(`the header ${JSON.stringify(doubled)} is given for two columns`)
  return columns
}

function readLayouts(check: Checks, mapping: Json, columns: BankProfile['columns']): AmountLayout[] {
  const layouts = Object.keys(LAYOUTS) as AmountLayout[]
  const given = typeof mapping['amounts'] === 'string' ? [mapping['amounts']] : mapping['amounts']
  const amounts = check.someOf('amounts', given, layouts)
  for (const layout of amounts)
    for (const role of LAYOUTS[layout])
      if (!columns[role]) check.problem(`columns.${role} is missing: amounts are ${layout}`)
  return amounts
}

function readSenderRules(check: Checks, given: unknown): SenderRule[] {
  if (!Array.isArray(given)) {
    check.problem('sender must be a list of rules')
    return []
  }
  return given.map((one: unknown, index): SenderRule => {
    const at = `sender[${index}]`
    if (typeof one === 'object' && one !== null && 'label' in one) {
      const rule = check.object(at, one, ['label', 'gives', 'ends'])
      const gives = check.oneOf(`${at}.gives`, rule['gives'] ?? 'name', ['name', 'iban'] as const)
      return { label: check.text(`${at}.label`, rule['label']), gives, ends: check.texts(`${at}.ends`, rule['ends']) }
    }
    const rule = check.object(at, one, ['begins', 'separator', 'parts', 'name', 'iban'])
    const [begins, separator] = [
      check.text(`${at}.begins`, rule['begins']),
      check.text(`${at}.separator`, rule['separator']),
    ]
    const [parts, name] = [check.count(`${at}.parts`, rule['parts']), check.count(`${at}.name`, rule['name'])]
    const plain = { begins, separator, parts, name }
    return rule['iban'] === undefined ? plain : { ...plain, iban: check.count(`${at}.iban`, rule['iban']) }
  })
}
