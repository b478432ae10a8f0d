import type { AuditFilter } from '../../../domain/audit/index.ts'
import type { OwnAct } from '../../../domain/identity/index.ts'
import { OWN_ACTS } from '../../../domain/identity/index.ts'
import type { Action } from '../../../domain/people/index.ts'
import { RIGHTS } from '../../../domain/people/index.ts'
import { addDays, isDay, startOfDay } from '../../../kernel/istanbul.ts'

export const ACTIONS = [...(Object.keys(RIGHTS) as Action[]), ...OWN_ACTS] satisfies (Action | OwnAct)[]

/** As the address and the form have it; '' if a part is not given. */
export type AuditWanted = { actor: string; action: string; subject: string; from: string; to: string; before: string }

const MAX_TEXT = 120

export function wantedFrom(given: (name: string) => unknown): AuditWanted {
  const text = (name: string) => {
    const value = given(name)
    return typeof value === 'string' ? value.trim().slice(0, MAX_TEXT).replaceAll('\0', '') : ''
  }
  const day = (name: string) => (isDay(text(name)) ? text(name) : '')
  return {
    actor: text('actor'),
    action: ACTIONS.find((one) => one === text('action')) ?? '',
    subject: text('subject'),
    from: day('from'),
    to: day('to'),
    before: /^[1-9][0-9]{0,8}$/.test(text('before')) ? text('before') : '',
  }
}

/** Days are those of Istanbul, the last one included. */
export function filterOf({ actor, action, subject, from, to, before }: AuditWanted): AuditFilter {
  return {
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(subject !== '' && { subject }),
    ...(from !== '' && { since: startOfDay(from) }),
    ...(to !== '' && { until: startOfDay(addDays(to, 1)) }),
    ...(before !== '' && { before: Number(before) }),
  }
}

export function addressOf(wanted: Partial<AuditWanted>): string {
  const given = Object.entries(wanted).filter(([, value]) => value !== '')
  return `?${new URLSearchParams(Object.fromEntries(given)).toString()}`
}
