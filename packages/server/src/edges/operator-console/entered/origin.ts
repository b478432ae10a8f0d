import type { LineOrigin, UnprovenLine } from '../../../domain/statements/index.ts'
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
    `Elle girildi (${who}, onaylayan ${approver}, ${day}); banka henüz göstermedi.`,
}

const en: typeof tr = {
  entered: 'entered by hand',
  by: (who, approver) => `by ${who}, approved by ${approver}`,
  bankLine: 'The bank’s line',
  notYet: 'not yet',
  withoutNumber: 'without a number',
  mark: (who, approver, day) =>
    `Entered by hand (${who}, approved by ${approver}, ${day}); the bank has not shown it yet.`,
}

const WORDS: Record<Language, typeof tr> = { tr, en }

type Approved = { proposedBy: string; decidedBy: string | null; decidedAt: Date | null }

/** In red, wherever someone decides about money of such a line. */
export function unprovenMarks({ language }: Viewer, lines: UnprovenLine[]): Html[] {
  const day = ({ decidedAt }: Approved) => (decidedAt ? dayText(istanbul(decidedAt).day) : '–')
  return lines.map(
    (one) => html`<p class="say bad">${WORDS[language].mark(one.proposedBy, one.decidedBy ?? '–', day(one))}</p>`,
  )
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
  return html`${words.entered} – ${words.by(proposedBy, decidedBy ?? '–')}, ${decidedAt && minute(decidedAt)}:
  ${plainName(reason)} · ${words.bankLine}: ${bank}`
}
