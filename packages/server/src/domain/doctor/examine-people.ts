import { note } from '../../kernel/refusals/note.ts'
import { listStaff, withoutLogin } from '../identity/index.ts'
import type { Check } from './check.ts'
import { minutesSince, warn } from './check.ts'
import type { DoctorApp } from './doctor-deps.ts'
import { examineMarks } from './examine-marks.ts'

const SHOWN = 10

export async function examinePeople(app: DoctorApp): Promise<Check[]> {
  return [await examineMarks(app), await withoutLogins(app)]
}

/** In live: whoever makes the login of a person who may decide, decides. */
async function withoutLogins(app: DoctorApp): Promise<Check> {
  const waiting = app.sandbox ? [] : withoutLogin(await listStaff(app))
  const people = waiting
    .slice(0, SHOWN)
    .map(({ name, since }) => note('check_person_since', { name, minutes: minutesSince(since, app.clock.now()) }))
  return warn(
    'people without a login',
    waiting.length === 0,
    people.length === 0 ? note('check_logins_complete') : note('check_logins_missing', { people }),
    note('todo_logins'),
  )
}
