import type { AccountProof } from '../../../domain/books/index.ts'
import { dismissedOfDay, unconfirmedEntered, unconfirmedOfDay } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney, sumOf } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { DAY_WORDS } from './day-words.ts'

/** A line by which bank and books differ. `amount`: what the bank has more because of it. */
export type Cause = { id: string; why: 'entered' | 'unconfirmed' | 'dismissed'; amount: bigint }

/** Entered lines up to this day and lines of it that no final statement contains, and those that two people dismissed. */
export async function causesOf(db: Queryable, { collectingAccountId }: AccountProof, day: string): Promise<Cause[]> {
  const isIts = (one: { collectingAccountId: string }) => one.collectingAccountId === collectingAccountId
  const entered = (await unconfirmedEntered(db)).filter((one) => isIts(one) && istanbul(one.bookedAt).day <= day)
  const lacked = (await unconfirmedOfDay(db, day)).filter((one) => isIts(one) && one.entered === null)
  const dismissed = await dismissedOfDay(db, collectingAccountId, day)
  return [
    ...[...entered, ...lacked].map(({ id, direction, amount, entered: by }): Cause => {
      return { id, why: by ? 'entered' : 'unconfirmed', amount: direction === 'credit' ? -amount : amount }
    }),
    ...dismissed.map(({ id, amount }): Cause => ({ id, why: 'dismissed', amount })),
  ]
}

/** Those that make exactly this difference: one, all of a kind, or all. */
export function causesMaking(difference: bigint, causes: Cause[]): Cause[] {
  const sets = [...causes.map((one) => [one]), ...Object.values(Object.groupBy(causes, ({ why }) => why)), causes]
  return difference === 0n ? [] : (sets.find((its) => sumOf(its) === difference) ?? [])
}

export function causeLinks({ language, root }: Viewer, causes: Cause[], currency: string): Html[] {
  const words = DAY_WORDS[language].causes
  return causes.map(({ id, why, amount }) => {
    const money = formatMoney(amount < 0n ? -amount : amount, currency)
    return html`<a class="line" href="${root}/matching/${id}">${words[why]} (${money})</a> `
  })
}
