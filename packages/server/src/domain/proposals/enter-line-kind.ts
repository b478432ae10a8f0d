import { createHash } from 'node:crypto'
import { foldText } from '../../kernel/fold.ts'
import { formatMoney } from '../../kernel/money.ts'
import type { EnteredLine, LineToEnter, StoredLine } from '../statements/index.ts'
import { checkEntered, enterLine, lockImport, mustExplainEntry, normaliseEntered } from '../statements/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

export const targetOfEntered = ({ accountIban }: Pick<LineToEnter, 'accountIban'>) => `iban:${accountIban}`

/** A line that the bank cannot give now. The same booking is proposed once. */
export const LINE_ENTER: ProposalKind<LineToEnter, EnteredLine> = {
  action: 'line.enter',
  always: true,
  isForgotten: true,
  merchantOf: () => null,
  normalise: async (_app, line) => normaliseEntered(line),
  targetOf: targetOfEntered,
  subjectsOf: (line) => [subjectOf(line)],
  lock: lockImport,
  async describe(app, db, line) {
    const { account, facts } = await checkEntered(app, db, line)
    return { rows: rowsOf(line, account, facts), mustExplain: mustExplainEntry }
  },
  apply: (app, actor, line, why) => enterLine(app, actor, line, why ?? ''),
}

/** Without the name: it is in refusals and logs. */
function subjectOf({ accountIban, direction, amount, bookedOn, senderName }: LineToEnter): string {
  const booking = [accountIban, direction, String(amount), bookedOn, foldText(senderName)]
  return `entered:${createHash('sha256').update(JSON.stringify(booking)).digest('hex')}`
}

type Seen = { same: StoredLine[]; apart: StoredLine[] }

/** All that the second person compares. Other lines of the amount come all day, so they are not in it. */
function rowsOf(line: LineToEnter, { currency }: { currency: string }, { same, apart }: Seen): Difference[] {
  const { accountIban, direction, amount, bookedOn, senderName, senderIban, narrative } = line
  const row = (as: 'fact' | 'personal', field: string, after: string | null): Difference => {
    return { field, as, before: null, after }
  }
  return [
    row('fact', 'account', accountIban),
    row('fact', 'direction', direction),
    row('fact', 'amount', formatMoney(direction === 'debit' ? -amount : amount, currency)),
    row('fact', 'dayEntered', bookedOn),
    row('personal', 'otherParty', senderName),
    row('personal', 'otherIban', senderIban),
    row('personal', 'narrative', narrative || null),
    ...listed('besides', same),
    ...listed('apart', apart),
  ]
}

const listed = (field: string, lines: StoredLine[]): Difference[] =>
  lines.length > 0
    ? [{ field, as: 'list', before: [], after: lines.map(({ id, valueDate }) => `${valueDate}: ${id}`) }]
    : []
