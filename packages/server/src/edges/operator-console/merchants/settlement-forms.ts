import type { Schedule } from '../../../domain/merchants/index.ts'
import { setSettlementSchedule } from '../../../domain/merchants/index.ts'
import { requestSettlement } from '../../../domain/withdrawals/index.ts'
import { readTyped } from '../../../kernel/money.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { seenIn } from '../../web/console/settlement/settlement-parts.ts'
import type { Asked, Form, OperatorDeps } from '../kind.ts'
import { EVERY, SETTLEMENT_CARD_WORDS } from './settlement-card.ts'

const back = '/merchants/:id'

/** One person may: the account that the money goes to was registered by two. */
export const SETTLEMENT: readonly Form[] = [
  { path: '/merchants/:id/settlement-schedule', action: 'settlement.schedule', back, decide: schedule },
  { path: '/merchants/:id/settle', action: 'settlement.request', back, decide: settle },
]

async function schedule(app: OperatorDeps, asked: Asked): Promise<string> {
  const seen = asked.fields.get('seen') ?? ''
  await setSettlementSchedule(app, asked.actor, asked.id, scheduleFrom(asked), seen === '' ? null : new Date(seen))
  return 'scheduleSet'
}

async function settle(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await requestSettlement(app, actor, id, seenIn(fields))
  return 'settlementSent'
}

function scheduleFrom({ viewer, fields }: Asked): Schedule {
  const words = SETTLEMENT_CARD_WORDS[viewer.language]
  const every = EVERY.find((one) => one === fields.get('every'))
  const [weekday] = /^[1-7]$/.exec(fields.get('weekday') ?? '') ?? []
  if (!every || (every === 'week' && weekday === undefined))
    throw new Refusal('INVALID_STATE', viewer.words.changedSince)
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec((fields.get('at') ?? '').trim()) ?? []
  if (hours === undefined) throw invalidField(words.at, words.wrongTime)
  const minimum = readTyped(fields.get('minimum') ?? '')
  if (minimum === null || minimum < 1n) throw invalidField(words.minimum, words.wrongAmount)
  return {
    ...{ every, minute: Number(hours) * 60 + Number(minutes), minimum },
    weekday: every === 'week' ? Number(weekday) : null,
  }
}
