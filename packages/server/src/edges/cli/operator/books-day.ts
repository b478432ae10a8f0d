import type { AccountProof, DayReport } from '../../../domain/books/index.ts'
import { DIFFERENCE_KINDS, isUsed, ledgerTotals, proofOf, withoutBalance } from '../../../domain/books/index.ts'
import type { LineTotal } from '../../../domain/statements/index.ts'
import { formatMoney, sumOf } from '../../../kernel/money.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import { facts, table } from '../core/output.ts'

/** The proof of a day, as text. */
export function describeDay(report: DayReport, now: Date): string[] {
  const { day, closed, accounts, hash } = report
  const used = accounts.filter(isUsed)
  return [
    `${day}, ${closed ? 'closed' : 'open'}. Figures ${report.closedWith?.hash ?? hash}`,
    ...describeSince(report),
    ...used.flatMap((account) => ['', ...describeAccount(account)]),
    '',
    ...describeBalances(report),
    '',
    ...waiting('In suspense now', report.open.suspense, now),
    ...waiting('Rests of entries in suspense now', report.open.rests, now),
    ...waiting('Credits that wait for a person now', report.open.credits, now),
    ...waiting('Debits that wait for a person now', report.open.debits, now),
    ...waiting('Owed to us now', report.open.receivables, now),
    ...waiting('Payouts with an unknown outcome now', report.open.unknownPayouts, now),
    ...describeUnconfirmed(report),
    ...verdict(accounts, report.open.debits),
  ]
}

/** What two people agreed to, where it is not what the day shows now. */
function describeSince({ closedWith, hash, accounts }: DayReport): string[] {
  if (!closedWith || closedWith.changed.length === 0) return []
  const { closedBy, at, changed, lines } = closedWith
  const shown = (name: string, value: string | null) => {
    const [whose = ''] = name.split(' ')
    const currency = accounts.find(({ iban }) => iban === whose)?.currency ?? whose
    return value === null || value === 'null' ? '-' : formatMoney(BigInt(value), currency)
  }
  return [
    `${closedBy} closed it ${at.toISOString()} with these figures. Since then they have changed to ${hash}, as shown below:`,
    ...table(
      ['  figure', 'at the close', 'now'],
      changed.map(({ name, before, now }) => [`  ${name}`, shown(name, before), shown(name, now)]),
    ),
    ...lines.map(
      ({ id, direction, amount, currency, createdAt }) =>
        `  read after the close, ${createdAt.toISOString()}: ${direction} ${formatMoney(amount, currency)}, line ${id}`,
    ),
  ]
}

/** The bank may not have this money: none of it leaves. */
function describeUnconfirmed({ unconfirmed }: DayReport): string[] {
  return unconfirmed.map(
    ({ id, direction, amount, currency, state, lackedBy }) =>
      `NOT CONFIRMED: ${direction} ${formatMoney(amount, currency)}, line ${id} (${state}). File ${lackedBy} does not contain it: ask the bank. See docs/statements.md, "Confirmed lines".`,
  )
}

const NO_BALANCE = 'the bank gave no balance'

function describeAccount(account: AccountProof): string[] {
  const { opening, closing, credits, debits, moved, missingLines, ledger, difference, currency, carried } = account
  const money = (amount: bigint | null) => (amount === null ? NO_BALANCE : formatMoney(amount, currency))
  const wrong = missingLines ? `  (opening and lines make ${money((closing ?? 0n) - missingLines)})` : ''
  const states = account.lines.map(({ state, count, credits, debits }) => [
    `  ${state.replaceAll('_', ' ')}`,
    String(count),
    money(credits),
    money(debits),
  ])
  return [
    `${account.bankName} ${account.iban}`,
    ...facts([
      ['  opening', money(opening)],
      ['  credits', money(credits)],
      ['  debits', money(-debits)],
      ...(moved === 0n
        ? []
        : [['  moved', `${money(moved)}  (lines that the bank counts on another day)`] as [string, string]]),
      ['  closing', money(closing) + wrong],
      ...(carried
        ? [
            [
              '  reckoned',
              `${money(carried.closing)}  (from the balance of ${carried.fromDay} and the lines between)`,
            ] as [string, string],
          ]
        : []),
      ['  ledger', money(ledger)],
      ['  difference', difference === null ? '-' : money(difference)],
    ]),
    ...(states.length > 0 ? table(['  lines', 'count', 'credits', 'debits'], states) : []),
    ...describeDifferences(account),
    ...describeAccepted(account),
  ]
}

function describeDifferences({ differences, currency }: AccountProof): string[] {
  if (differences.length === 0) return []
  const rows = differences.map(({ kind, amount, subject, otherDay }) => [
    `  ${formatMoney(amount, currency)}`,
    subject || '(no line, no entry)',
    DIFFERENCE_KINDS[kind] + (otherDay ? `; the other side is on ${otherDay}` : ''),
  ])
  return table(['  the bank has more', 'about', 'why'], rows)
}

/** What was accepted before and does not simply stand. */
function describeAccepted({ accepted, differences, currency }: AccountProof): string[] {
  if (!accepted || accepted.state === 'stands') return []
  const money = (amount: bigint) => formatMoney(amount, currency)
  const what = `  The accepted ${money(accepted.amount)} of ${accepted.day}`
  if (accepted.state === 'ended') return [`${what} has ended: the balances do not differ by it any more.`]
  const rest = sumOf(differences.filter(({ subject }) => subject === ''))
  return [`${what} may still be in it: then ${money(rest - accepted.amount)} is new, else ${money(rest)}.`]
}

const KINDS: Record<string, string> = {
  merchant_available: 'merchants, available',
  merchant_held: 'merchants, held for withdrawals',
}

const EXPLAINED_EARLY = '  (credits that were explained on this day; the bank books them on a later one)'

function describeBalances({ balances }: DayReport): string[] {
  return ledgerTotals(balances).flatMap(({ currency, owed, result, together, cash }) => [
    `Ledger at the end of the day, ${currency}`,
    ...facts([
      ...[...owed, ...result].map(({ kind, total }): [string, string] => [
        `  ${KINDS[kind] ?? kind.replaceAll('_', ' ')}`,
        formatMoney(total, currency) + (kind === 'suspense' && total < 0n ? EXPLAINED_EARLY : ''),
      ]),
      ['  together', formatMoney(together, currency)],
      ['  cash', formatMoney(cash, currency) + (cash === together ? '' : '  DIFFERS: see docs/operations.md')],
    ]),
  ])
}

function waiting(what: string, totals: LineTotal[], now: Date): string[] {
  return totals.map(({ count, amount, currency, oldest }) => {
    const days = Math.max(0, Math.floor((now.getTime() - oldest.getTime()) / DAY_MS))
    return `${what}: ${count} (${formatMoney(amount, currency)}), the oldest ${days} ${days === 1 ? 'day' : 'days'} old`
  })
}

/** Their booking makes bank and ledger agree, and says nothing about what they are. */
export function describeDebits(debits: LineTotal[]): string[] {
  return debits.map(({ count, amount, currency }) => {
    const are = count === 1 ? '1 debit (SUM) waits' : `${count} debits (SUM) wait`
    return `${are.replace('SUM', formatMoney(amount, currency))} for a person: npx vezne line list --state needs_review`
  })
}

function verdict(accounts: AccountProof[], debits: LineTotal[]): string[] {
  const open = accounts.filter(({ unexplained }) => unexplained !== 0n)
  const unproven = accounts.filter(({ proven }) => !proven)
  const { without, used } = withoutBalance(accounts.map(proofOf))
  if (open.length + unproven.length === 0 && without > 0)
    return [
      `Nothing is unexplained, but not proven: no balance for ${without} of ${used} accounts.`,
      ...describeDebits(debits),
    ]
  if (open.length + unproven.length === 0)
    return [
      debits.length === 0
        ? 'Everything is explained.'
        : `Everything is explained, but ${describeDebits(debits).join('; ')}`,
    ]
  return [
    ...open.map(
      ({ iban, unexplained, currency }) =>
        `NOT EXPLAINED on ${iban}: ${formatMoney(unexplained, currency)}. See docs/books.md, "Not explained".`,
    ),
    ...unproven.map(
      ({ iban }) => `NOT PROVEN on ${iban}: the bank gave no balance for this day. See docs/books.md, "Not proven".`,
    ),
  ]
}
