import type { StoredLine } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import { age, minute, minuteText } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { DESK_WORDS } from './desk-words.ts'

type Reader = Pick<Viewer, 'language' | 'now'> & { words: Pick<Viewer['words'], 'age'> }
type Booked = Pick<StoredLine, 'bookedAt' | 'wholeDay'>

const DAY_LENGTH = '15.11.2026'.length

/** The minute, or the day alone if the bank gave no time: midnight would be a time that nobody wrote. */
export function bookedTime({ language }: Pick<Viewer, 'language'>, { bookedAt, wholeDay }: Booked): Html {
  if (!wholeDay) return minute(bookedAt)
  const day = minuteText(bookedAt).slice(0, DAY_LENGTH)
  return html`<time datetime="${istanbul(bookedAt).day}">${day}, ${DESK_WORDS[language].noTime}</time>`
}

/** Without a time of the bank, in days. */
export function bookedAge({ language, now, words }: Reader, { bookedAt, wholeDay }: Booked): string {
  if (!wholeDay) return age(bookedAt, now, words.age)
  const days = Math.floor((now.getTime() - bookedAt.getTime()) / DAY_MS)
  return days < 1 ? DESK_WORDS[language].today : `${days} ${words.age.days}`
}
