import type { Moment } from '../../../domain/overview/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { html, plainName } from '../../web/html.ts'
import { outcomeText } from '../../web/console/callbacks/deliveries.ts'
import { deciderName, lineReason, reasonWord, worded } from '../../web/console/codes/codes.ts'
import type { Told } from '../../web/console/transaction-parts.ts'
import { refundTold } from '../../web/console/transaction-parts.ts'
import { originText } from '../entered/origin.ts'
import { accountKindWords } from '../matching/proposal-preview.ts'
import { entryLink } from '../names.ts'
import { bankResponse } from '../payouts/bank-response.ts'
import type { Viewer } from '../page.ts'
import type { PersonalData } from '../reveal/personal-data.ts'
import { WORDS } from './words.ts'

/** What the lines of a timeline have in common. `neverPaid`: its return is that of money which never left; `byHand`: no bank is called. */
type Subject = { merchantId: string; data: PersonalData; neverPaid: boolean; byHand: boolean; moments: Moment[] }

/** Tells the moments of one timeline. */
export function teller(viewer: Viewer, subject: Subject): (moment: Moment) => Told {
  const lines = subject.moments.flatMap((moment) => (moment.kind === 'line' ? [moment.line] : []))
  const numbers = new Set(lines.flatMap(({ bankReference }) => bankReference ?? []))
  return (moment) => told(viewer, moment, subject, numbers)
}

function told(viewer: Viewer, moment: Moment, subject: Subject, numbers: ReadonlySet<string>): Told {
  const { words } = viewer
  const { neverPaid, data } = subject
  const { moments } = words
  switch (moment.kind) {
    case 'created':
    case 'claimed':
    case 'account_changed':
      return { title: moments[moment.kind], detail: null }
    case 'status':
      if (neverPaid && moment.reason === 'returned')
        return { title: WORDS[viewer.language].neverPaidStatus, detail: null }
      if (moment.from === moment.to) return { title: reasonWord(words.codes, moment.reason ?? moment.to), detail: null }
      return {
        title: moments.status(statusWord(viewer, moment.from), statusWord(viewer, moment.to)),
        // No bank has it yet.
        detail:
          subject.byHand && moment.reason === 'sending'
            ? null
            : moment.reason && reasonWord(words.codes, moment.reason),
      }
    case 'refund':
      return refundTold(viewer, moment.refund, data.text(moment.refund.refundReason ?? '', []))
    case 'line':
      return lineTold(viewer, moment, data, numbers)
    case 'decision':
      return decisionTold(viewer, moment)
    case 'booked':
      return bookedTold(viewer, moment, neverPaid)
    case 'journal':
      return journalTold(viewer, moment)
    case 'callback':
      return callbackTold(viewer, moment, subject.merchantId)
    case 'approval':
      return { title: `${moments.approval[moment.decision]} ${moment.person}`, detail: moment.note, look: 'people' }
    case 'stop':
      return { title: `${moments.stop[moment.what]} ${moment.person}`, detail: moment.reason, look: 'people' }
    case 'call':
      return callTold(viewer, moment, subject.byHand)
    case 'statement':
      return statementTold(viewer, moment)
    case 'hidden_statement':
      return { title: moments.hiddenStatement, detail: null, look: 'people' }
    case 'unmarked':
      return { title: moments.unmarked(moment.person), detail: moments.unmarkedHelp, look: 'people' }
  }
}

function statusWord({ words }: Viewer, status: string): string {
  return worded(words.codes.statuses, status)
}

type LineMoment = Extract<Moment, { kind: 'line' }>

function lineTold(viewer: Viewer, moment: LineMoment, data: PersonalData, numbers: ReadonlySet<string>): Told {
  const { words, root } = viewer
  const { line } = moment
  const origin = originText(viewer, moment.origin)
  const sign = line.direction === 'debit' ? -1n : 1n
  const sender = [data.name(line.senderName), line.senderIban === null ? '' : data.iban(line.senderIban)]
  const text = data.text(line.narrative, [line.senderName], numbers)
  const facts = [...sender, text, line.bankReference ?? ''].filter((text) => text !== '')
  return {
    title: `${words.moments.line} ${formatMoney(sign * line.amount, line.currency)}`,
    detail: html`${facts.join(' · ')} ·
      <a class="id" href="${root}/matching/${line.id}">${line.id}</a>${origin && html`<br />${origin}`}`,
    look: 'money',
  }
}

function decisionTold({ words }: Viewer, { person, verdict, why }: Extract<Moment, { kind: 'decision' }>): Told {
  return {
    title: `${words.moments.decision}: ${worded(words.codes.verdicts, verdict)}`,
    detail: `${deciderName(words.codes, person)}: ${lineReason(words.codes, why)}`,
  }
}

function bookedTold(viewer: Viewer, { entry }: Extract<Moment, { kind: 'booked' }>, neverPaid: boolean): Told {
  const money = formatMoney(entry.amount, entry.currency)
  const { words } = viewer
  const from = accountKindWords(viewer, entry.from, entry.fromMerchant)
  const to = accountKindWords(viewer, entry.to, entry.toMerchant)
  const isNeverPaid = neverPaid && entry.kind === 'withdrawal_return'
  const kind = isNeverPaid ? WORDS[viewer.language].neverPaidEntry : worded(words.codes.entries, entry.kind)
  return {
    title: `${words.moments.booked} ${money}`,
    detail: `${kind}: ${from} → ${to}`,
    look: 'money',
  }
}

function journalTold(viewer: Viewer, moment: Extract<Moment, { kind: 'journal' }>): Told {
  const { words, root } = viewer
  const { entry, state, person, refund } = moment
  const why = state === 'proposed' ? entry.reason : ''
  const told = [deciderName(words.codes, person), plainName(why)].filter((text) => text !== '').join(': ')
  const link = refund !== null && html` · <a class="id" href="${root}/transactions/${refund}">${refund}</a>`
  return {
    title: `${words.moments.journal[state]}: ${words.codes.journal[entry.kind]}`,
    detail: html`${told} · ${entryLink(viewer, entry.id)}${link}`,
    look: 'people',
  }
}

function callbackTold(
  { words, root, language }: Viewer,
  { event }: Extract<Moment, { kind: 'callback' }>,
  merchantId: string,
): Told {
  const sent = event.deliveries.map(({ state, tries, lastOutcome, lastStatus }) => {
    const outcome = state === 'delivered' || lastOutcome === null ? '' : outcomeText(language, lastOutcome, lastStatus)
    return [words[state], words.tries(tries), outcome].filter((text) => text !== '').join(', ')
  })
  const detail = html`<a href="${root}/callbacks/${merchantId}/events/${event.id}"
    >${sent.join('; ') || words.noEndpoint}</a
  >`
  return { title: `${words.moments.callback} ${event.type}`, detail }
}

function callTold(viewer: Viewer, { call }: Extract<Moment, { kind: 'call' }>, byHand: boolean): Told {
  if (byHand && call.kind === 'submit') return { title: WORDS[viewer.language].sendByHand, detail: null, look: 'money' }
  const { codes } = viewer.words
  return {
    title: `${codes.callKinds[call.kind]}: ${worded(codes.callOutcomes, call.outcome)}`,
    detail: call.detail && bankResponse(viewer, call.detail),
    look: call.kind === 'person' ? 'people' : 'money',
  }
}

function statementTold({ words }: Viewer, { person, verdict, evidence }: Extract<Moment, { kind: 'statement' }>): Told {
  return {
    title: `${words.moments.statement} ${person}: ${words.codes.callOutcomes[verdict]}`,
    detail: evidence,
    look: 'people',
  }
}
