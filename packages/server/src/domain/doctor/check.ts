import type { Said } from '../../platform/refusal.ts'
import { MINUTE_MS } from '../../platform/time/clock.ts'

/** Every check of a deployment that runs; `{}` is what it is about. */
export const CHECK_KINDS = [
  ...([
    'database',
    'durability',
    'database role',
    'reading role',
    'rights',
    'writing',
    'primary',
    'replication',
  ] as const),
  ...([
    'statement timeout',
    'archiving',
    'disk',
    'migrations',
    'clock',
    'API',
    'workers',
    'sending record',
    'callbacks',
  ] as const),
  ...(['bank {}', 'connection {}', 'sources of record', 'refused files of {}', 'statements of {}'] as const),
  ...(['master key', 'ledger', 'restored', 'payouts without a debit', 'returned payouts without a credit'] as const),
  ...(['debits without a payout', 'incoming money that needs review', 'money in suspense', 'statements'] as const),
  ...([
    'unread lines',
    'unexplained lines',
    'unconfirmed lines',
    'lines of files',
    'imports of files',
    'order files',
    'rows set aside',
  ] as const),
  ...(['books of {}'] as const),
  ...(['closed days', 'audit', 'payouts and their withdrawals', 'events'] as const),
  ...(['marks', 'people without a login'] as const),
  // Groups, if one is not done in time.
  ...(['service', 'money', 'books', 'rows', 'people'] as const),
] as const
export type CheckKind = (typeof CHECK_KINDS)[number]
type Filled<Kind> = Kind extends `${infer Before}{}` ? `${Before}${string}` : Kind
export type CheckName = Filled<CheckKind>

/** Only on the command line: before a deployment takes real money. */
type CommandCheck =
  | ('mode' | 'own database' | 'least privilege' | 'bank connection' | 'audit heads' | 'ops port' | 'WAL archiving')
  | ('two operators' | 'two admins' | 'merchants' | 'payout rules' | 'collecting accounts')

/** A check that is ok but has a `todo` is a warning. */
export type Check = { check: CheckName | CommandCheck; ok: boolean; found: Said; todo?: Said }

export function judge(check: Check['check'], ok: boolean, found: Said, todo: Said): Check {
  return { check, ok, found, ...(!ok && { todo }) }
}

/** Never negative: after a sandbox clock is set back, rows written before that have later timestamps. */
export function minutesSince(then: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - then.getTime()) / MINUTE_MS))
}

/** Needs attention but is not a failure. */
export function warn(check: Check['check'], fine: boolean, found: Said, todo: Said): Check {
  return { check, ok: true, found, ...(!fine && { todo }) }
}
