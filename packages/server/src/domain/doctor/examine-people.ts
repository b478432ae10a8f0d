import type { ForgedKind } from '../../kernel/refusals/checks.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import { forgedChanges } from '../changes/index.ts'
import { forgedLogins, forgedSessions, listStaff, withoutLogin } from '../identity/index.ts'
import { listWithoutDebit } from '../matching/index.ts'
import type { Payout } from '../payouts/index.ts'
import { forgedOpinions, listPayouts } from '../payouts/index.ts'
import { forgedNetworks } from '../merchants/index.ts'
import { forgedOperators } from '../people/index.ts'
import { forgedFiles } from '../statements/index.ts'
import { forgedWithdrawals } from '../withdrawals/index.ts'
import type { Check, CheckName } from './check.ts'
import { judge, minutesSince, warn } from './check.ts'
import type { DoctorApp } from './doctor-deps.ts'

/** More than ever wait at once. */
const LIMIT = 1000
const SHOWN = 10

/** Rows that would give a person power. Those without a mark count for nothing, but someone has written them. */
export async function examinePeople(app: DoctorApp): Promise<Check[]> {
  const operators = (await forgedOperators(app)).map((name) => ({ what: 'operator' as const, id: name }))
  const people = [...operators, ...(await forgedLogins(app)), ...(await forgedSessions(app))]
  return [
    checkOf('people and logins', people, note('check_people_genuine')),
    await withoutLogins(app),
    checkOf('proposals and approvals', await forgedWords(app), note('check_proposals_genuine')),
  ]
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

type Forged = { what: ForgedKind; id: string }

function checkOf(name: CheckName, found: Forged[], fine: Said): Check {
  const rows = found.slice(0, SHOWN).map((one) => note('check_row_forged', one))
  return judge(
    name,
    rows.length === 0,
    rows.length === 0 ? fine : note('check_rows_forged', { rows }),
    note('todo_rows_forged'),
  )
}

async function forgedWords(app: DoctorApp): Promise<Forged[]> {
  const named = (what: ForgedKind, ids: string[]) => ids.map((id) => ({ what, id }))
  return [
    ...named('change_request', await forgedChanges(app, LIMIT)),
    ...named('statement_file', await forgedFiles(app, LIMIT)),
    ...named('withdrawal', await forgedWithdrawals(app, LIMIT)),
    ...named('finding', await forgedOpinions(app, await withoutEnd(app))),
    ...named('private_network', await forgedNetworks(app)),
  ]
}

/** Payouts about which people may still say something. */
async function withoutEnd(app: DoctorApp): Promise<Payout[]> {
  return [...(await listPayouts(app.db, 'unknown', LIMIT)), ...(await listWithoutDebit(app, LIMIT))]
}
