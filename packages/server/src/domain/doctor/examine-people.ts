import { forgedDays, forgedEntries } from '../books/index.ts'
import { forgedChanges } from '../changes/index.ts'
import { forgedLogins, forgedSessions, listStaff, withoutLogin } from '../identity/index.ts'
import { forgedDismissals, listWithoutDebit } from '../matching/index.ts'
import type { Payout } from '../payouts/index.ts'
import { forgedOpinions, listPayouts } from '../payouts/index.ts'
import { forgedNetworks } from '../merchants/index.ts'
import { forgedOperators } from '../people/index.ts'
import { forgedEntered, forgedFiles } from '../statements/index.ts'
import { forgedApprovals, forgedInstructions } from '../withdrawals/index.ts'
import type { Check, CheckName } from './check.ts'
import { ageText, judge, minutesSince, warn } from './check.ts'
import type { DoctorApp } from './doctor-deps.ts'

/** More than ever wait at once. */
const LIMIT = 1000
const SHOWN = 10

/** Rows that would give a person power. Those without a mark count for nothing, but someone has written them. */
export async function examinePeople(app: DoctorApp): Promise<Check[]> {
  const operators = (await forgedOperators(app)).map((name) => `operator ${name}`)
  const people = [...operators, ...(await forgedLogins(app)), ...(await forgedSessions(app))]
  return [
    checkOf('people and logins', people, 'every one is as the service has written it'),
    await withoutLogins(app),
    checkOf('proposals and approvals', await forgedWords(app), 'all that wait are of people'),
  ]
}

/** In live: whoever makes the login of a person who may decide, decides. */
async function withoutLogins(app: DoctorApp): Promise<Check> {
  const waiting = app.sandbox ? [] : withoutLogin(await listStaff(app))
  const ages = waiting.map(({ name, since }) => `${name} (${ageText(minutesSince(since, app.clock.now()))})`)
  return warn(
    'people without a login',
    waiting.length === 0,
    ages.slice(0, SHOWN).join(', ') || 'everyone who may decide has a login',
    'Invite them, or disable who is not known: vezne operator disable NAME. Whoever makes that login decides.',
  )
}

function checkOf(name: CheckName, found: string[], fine: string): Check {
  const todo = 'Someone writes to the database. See docs/operations.md, "A row that the service did not write".'
  return judge(name, found.length === 0, found.slice(0, SHOWN).join(', ') || fine, todo)
}

async function forgedWords(app: DoctorApp): Promise<string[]> {
  const named = (what: string, ids: string[]) => ids.map((id) => `${what} ${id}`)
  return [
    ...named('change request', await forgedChanges(app, LIMIT)),
    ...named('journal entry', await forgedEntries(app, LIMIT)),
    ...named('entered line', await forgedEntered(app, LIMIT)),
    ...named('statement file', await forgedFiles(app, LIMIT)),
    ...named('instruction', await forgedInstructions(app, LIMIT)),
    ...named('approval of withdrawal', await forgedApprovals(app, LIMIT)),
    ...named('finding about withdrawal', await forgedOpinions(app, await withoutEnd(app))),
    ...named('dismissal of line', await forgedDismissals(app, LIMIT)),
    ...named('proposal about day', await forgedDays(app)),
    ...named('private network', await forgedNetworks(app)),
  ]
}

/** Payouts about which people may still say something. */
async function withoutEnd(app: DoctorApp): Promise<Payout[]> {
  return [...(await listPayouts(app.db, 'unknown', LIMIT)), ...(await listWithoutDebit(app, LIMIT))]
}
