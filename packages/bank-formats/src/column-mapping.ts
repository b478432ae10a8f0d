import { COMMON } from './bank-profile.ts'
import type { AmountLayout, BankProfile, ColumnRole, MetadataField, SenderRule } from './bank-profile.ts'
import { BANK_PROFILES } from './bank-profiles.ts'
import { foldLabel } from './fold-text.ts'
import { MappingError } from './layout-problems.ts'
import type { LayoutProblem } from './layout-problems.ts'
import { checks } from './mapping-checks.ts'
import type { Json } from './mapping-checks.ts'

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
  const problems: LayoutProblem[] = []
  const check = checks(problems)
  const given = fromText(json, problems)
  if (typeof given === 'object' && given !== null && 'bank' in given) return builtIn(given, problems)
  const mapping = check.object('', given, KEYS.split(' '))
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

function builtIn(given: object, problems: LayoutProblem[]): BankProfile {
  const check = checks(problems)
  const { bank } = check.object('', given, ['bank'])
  check.oneOf('bank', bank, Object.keys(BANK_PROFILES))
  const profile = Object.values(BANK_PROFILES).find(({ id }) => id === bank)
  if (!profile || problems.length > 0) throw new MappingError(problems)
  return profile
}

function fromText(json: unknown, problems: LayoutProblem[]): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch {
    problems.push({ code: 'layout_not_json', facts: {} })
    return {}
  }
}

function readColumns(check: Checks, mapping: Json): BankProfile['columns'] {
  const given = check.object('columns', mapping['columns'], Object.keys(ROLES))
  const columns: BankProfile['columns'] = {}
  for (const role of Object.keys(ROLES) as ColumnRole[])
    if (given[role] !== undefined) columns[role] = check.texts(`columns.${role}`, given[role])
  for (const role of ['date', 'description'] as const)
    if (!columns[role]) check.problem('layout_column_missing', { at: `columns.${role}`, amounts: null })
  const names = Object.values(columns).flatMap((aliases) => [...new Set(aliases.map(foldLabel))])
  const doubled = names.find((name, index) => names.indexOf(name) !== index)
  if (doubled !== undefined) check.problem('layout_column_twice', { column: doubled })
  return columns
}

function readLayouts(check: Checks, mapping: Json, columns: BankProfile['columns']): AmountLayout[] {
  const layouts = Object.keys(LAYOUTS) as AmountLayout[]
  const given = typeof mapping['amounts'] === 'string' ? [mapping['amounts']] : mapping['amounts']
  const amounts = check.someOf('amounts', given, layouts)
  for (const layout of amounts)
    for (const role of LAYOUTS[layout])
      if (!columns[role]) check.problem('layout_column_missing', { at: `columns.${role}`, amounts: layout })
  return amounts
}

function readSenderRules(check: Checks, given: unknown): SenderRule[] {
  if (!Array.isArray(given)) {
    check.problem('layout_not_list', { at: 'sender', most: null })
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
