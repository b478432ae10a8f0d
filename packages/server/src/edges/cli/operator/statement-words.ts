import type { LayoutProblem } from '@vezne/bank-formats'
import { noticeForTerminal, say } from '../../../acts/refusals/say.ts'
import type { FilePreview, FileResult, Finding, ShownFile, StatementFile } from '../../../domain/statements/index.ts'
import { takesTwo, tellUnread } from '../../../domain/statements/index.ts'
import type { Said } from '../../../platform/refusal.ts'
import { fileNote } from '../../../kernel/refusals/files.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { facts, table } from '../core/output.ts'

/** The page of the file shows more. */
const MAX_UNREAD = 50
const SEVERITY = { refused: 'REFUSED', problem: 'PROBLEM', note: 'note' } as const

/** As `--json` has them. */
export const checksInWords = (findings: Finding[]) =>
  findings.map(({ what, ...one }) => ({ ...one, what: say('en', what) }))

/** All that is wrong with a layout that a person wrote. */
export const layoutProblems = (problems: readonly LayoutProblem[]) =>
  problems.map((one) => say('en', fileNote(one))).join('; ')

function withCommands(before: string, what: Said): string[] {
  const [text = '', ...commands] = noticeForTerminal(what)
  return [before + text, ...commands]
}

function findingsOf(findings: Finding[]): string[] {
  return findings.length === 0
    ? ['checks: nothing found']
    : findings.flatMap(({ severity, what }) => withCommands(`${SEVERITY[severity]}: `, what))
}

const period = ({ fromDay, toDay }: { fromDay: string | null; toDay: string | null }) =>
  fromDay === toDay ? (fromDay ?? '') : `${fromDay} to ${toDay}`

export function describePreview({ already, ...preview }: FilePreview): string[] {
  if (already?.state === 'imported')
    return [
      `${preview.name} was imported on ${already.importedAt?.toISOString()} by ${already.createdBy}: file ${already.id}.`,
    ]
  const rows = preview.statements.map((one) => {
    const money = (amount: bigint | null) => (amount === null ? '' : formatMoney(amount, one.account?.currency))
    const sums = [String(one.lines), money(one.credits), money(one.debits), money(one.opening), money(one.closing)]
    return [one.account?.iban ?? 'not ours', period(one), ...sums]
  })
  const { counts } = preview
  return [
    ...facts([
      [
        'file',
        `${preview.name}, ${preview.size} bytes, ${preview.format}${preview.profile ? ` of ${preview.profile.name}` : ''}`,
      ],
      ['connection', preview.connection ?? 'none'],
      [
        'lines',
        `${counts.lines}: ${counts.new} new, of which ${counts.suspected} suspected corrections; ${counts.known} known, ${counts.unread} to be kept as unread, ${counts.pending} pending`,
      ],
    ]),
    '',
    ...table(['account', 'period', 'lines', 'credits', 'debits', 'opening', 'closing'], rows),
    '',
    ...findingsOf(preview.findings),
    ...preview.unreadLines.slice(0, MAX_UNREAD).map((one) => `unread: ${say('en', tellUnread(one))}`),
    ...(takesTwo({ ...preview, already })
      ? ['In live this takes two people: one imports it, another approves it or imports the same file.']
      : []),
  ]
}

export function describeResult(result: FileResult): string[] {
  const { file, before } = result
  if (before)
    return [`${file.name} was imported on ${file.importedAt?.toISOString()} by ${file.createdBy}: file ${file.id}.`]
  const review = result.suspected > 0 ? [`Suspected corrections: vezne line list --state needs_review`] : []
  const unread = result.unread > 0 ? ['Lines that could not be booked: vezne line unread --all'] : []
  return [
    `Imported as file ${file.id}: ${result.new} new, ${result.known} known, ${result.suspected} suspected corrections, ${result.unread} unread, ${result.pending} pending. ${result.toMatch} go to the matcher.`,
    ...file.checks.flatMap(({ atImport, what }) => (atImport ? withCommands('note: ', what) : [])),
    ...review,
    ...unread,
  ]
}

export function describeFile(file: ShownFile): string[] {
  const undone = file.undoneAt
    ? `undone on ${file.undoneAt.toISOString()} by ${file.undoneBy}: ${file.undoneWhy}`
    : stateOf(file)
  const statements = file.statements.map((one) => {
    const money = (amount: bigint | null) => (amount === null ? '' : formatMoney(amount))
    const sums = [String(one.lines), money(one.credits), money(one.debits), money(one.opening), money(one.closing)]
    return [one.collectingAccountId, period(one), ...sums]
  })
  const states = file.byState.map((one) => {
    return [one.state, one.reason ?? '', String(one.count), formatMoney(one.credits), formatMoney(one.debits)]
  })
  return [
    ...facts([
      ['file', `${file.name}, ${file.size} bytes, ${file.format}, sha256 ${file.sha256}`],
      ['connection', file.connection],
      ['state', undone],
      [
        'imported',
        `${file.importedAt?.toISOString() ?? 'not yet'} by ${file.createdBy}${file.isOfPerson ? '' : NO_RECORD}`,
      ],
      ['not booked', `${file.unread ?? 0} unread, ${file.pending ?? 0} pending`],
      ...(file.acceptedWhy === null ? [] : [['problems accepted', file.acceptedWhy] as [string, string]]),
    ]),
    '',
    ...findingsOf(file.checks),
    '',
    ...table(['account', 'period', 'lines', 'credits', 'debits', 'opening', 'closing'], statements),
    '',
    ...table(['state', 'why', 'lines', 'credits', 'debits'], states),
  ]
}

const NO_RECORD = ': Vezne has no record of it; run vezne doctor'

const stateOf = ({ state, stoppedWhy }: StatementFile) =>
  state === 'importing' && stoppedWhy !== null
    ? `stopped at a line that was not new when two people approved it: ${stoppedWhy}. Undo it and propose the file again`
    : state

export function filesTable(files: StatementFile[]): string[] {
  const rows = files.map((one) => {
    const at = (one.importedAt ?? one.createdAt).toISOString()
    return [
      one.id,
      one.name,
      one.format,
      one.connection,
      one.stoppedWhy === null ? one.state : 'stopped',
      String(one.lines ?? ''),
      at,
      one.createdBy,
    ]
  })
  return table(['file', 'name', 'format', 'connection', 'state', 'lines', 'at', 'by'], rows)
}
