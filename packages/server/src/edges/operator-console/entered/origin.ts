import type { LineOrigin, UnconfirmedLine } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { minute } from '../../web/console/parts.ts'
import type { Language } from '../../web/console/site.ts'
import type { Viewer } from '../page.ts'
import { dayText } from './similar.ts'

const tr = {
  entered: 'elle girildi',
  by: (who: string, approver: string) => `giren ${who}, onaylayan ${approver}`,
  bankLine: 'Bankanın satırı',
  notYet: 'henüz yok',
  withoutNumber: 'numarasız',
  mark: (who: string, approver: string, day: string) =>
    `Kesinleşmedi: elle girildi (${who}, onaylayan ${approver}, ${day}), bankanın gün sonu ekstresinde yok. Bu para gönderilemez.`,
  interim: (day: string) =>
    `Kesinleşmedi: gün içi bildirimden. Bu para, ${day} gününün ekstresi satırı içerince gönderilebilir.`,
  lacked: (day: string) =>
    `Kesinleşmedi: ${day} gününün ekstresinde yok. Bu para gönderilemez. Bankaya sorun; böyle bir hareket bilmiyorsa satır geçersizdir.`,
}

const en: typeof tr = {
  entered: 'entered by hand',
  by: (who, approver) => `by ${who}, approved by ${approver}`,
  bankLine: 'The bank’s line',
  notYet: 'not yet',
  withoutNumber: 'without a number',
  mark: (who, approver, day) =>
    `Not confirmed: entered by hand (${who}, approved by ${approver}, ${day}), and in no final statement of the bank. This money cannot be sent.`,
  interim: (day) =>
    `Not confirmed: from a report during the day. This money can be sent once the statement of ${day} contains the line.`,
  lacked: (day) =>
    `Not confirmed: the statement of ${day} does not contain it. This money cannot be sent. Ask the bank; if it does not know the booking, the line is not valid.`,
}

const WORDS: Record<Language, typeof tr> = { tr, en }

/** In red, wherever someone decides about money of such a line. */
export function unconfirmedMarks({ language }: Viewer, lines: UnconfirmedLine[]): Html[] {
  const words = WORDS[language]
  const textOf = ({ entered, lackedBy, bookedAt }: UnconfirmedLine) => {
    const day = dayText(istanbul(bookedAt).day)
    if (lackedBy !== null) return words.lacked(day)
    if (!entered) return words.interim(day)
    const { proposedBy, decidedBy, decidedAt } = entered
    return words.mark(proposedBy, decidedBy, dayText(istanbul(decidedAt).day))
  }
  return lines.map((one) => html`<p class="say bad">${textOf(one)}</p>`)
}

/** Where a line is from: who entered it and the bank's line, or its file. Null: only its connection is known. */
export function originText({ language, root }: Viewer, origin: LineOrigin | null): Html | null {
  const words = WORDS[language]
  if (origin?.file) return html`<a href="${root}/statements/${origin.file.id}">${plainName(origin.file.name)}</a>`
  if (!origin?.entered) return null
  const { shownBy, entered } = origin
  const { proposedBy, decidedBy, decidedAt, reason } = entered
  const number = shownBy && (plainName(shownBy.bankReference ?? '') || words.withoutNumber)
  const bank = shownBy ? html`<a href="${root}/matching/${shownBy.id}">${number}</a>` : html`${words.notYet}`
  return html`${words.entered} – ${words.by(proposedBy, decidedBy)}, ${minute(decidedAt)}: ${plainName(reason)} ·
  ${words.bankLine}: ${bank}`
}
