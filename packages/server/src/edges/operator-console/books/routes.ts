import { listDays, reportDay, selectChecks, withoutBalance } from '../../../domain/books/index.ts'
import { openProposalAbout, makeProposal } from '../../../domain/proposals/index.ts'
import { daySubject } from '../../../domain/people/index.ts'
import { addDays, isDay } from '../../../kernel/istanbul.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { html } from '../../web/html.ts'
import type { Shown } from '../../web/console/routes.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import type { DecidedBefore } from '../decided-before.ts'
import { orTellWho } from '../decided-before.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { merchantNames } from '../names.ts'
import { waitingFiles } from '../statements/uploads.ts'
import { dayPage } from './day-page.ts'
import { download, exportForm, wantedFrom } from './exports.ts'
import { journal, journalEntry } from './journal-routes.ts'
import { booksPage } from './list-page.ts'
import { SAID } from './said.ts'
import { waitingLines } from './waiting-lines.ts'
import { WORDS } from './words.ts'

const DAYS_PER_PAGE = 14

export const BOOKS: Section = {
  views: [
    { path: '/books', show: books },
    { path: '/books/exports', show: exports },
    { path: '/books/journal', show: journal },
    { path: '/books/journal/:id', show: journalEntry },
    { path: '/books/:day', show: day },
  ],
  forms: [
    { path: '/books/:day/close', action: 'day.close', back: '/books/:day', decide: close },
    { path: '/books/:day/reopen', action: 'day.reopen', back: '/books/:day', decide: reopen },
  ],
  said: SAID,
}

/** A day is proven from all its lines and entries: that takes longer than a page of a list. */
const patient = (app: OperatorDeps) => ({ ...app, db: app.db.withStatementLimit(30_000) })

async function books(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const wanted = String(query['day'])
  if (isDay(wanted)) return { redirect: `/books/${wanted}` }
  const before = String(query['before'])
  const days = await listDays(app, DAYS_PER_PAGE, isDay(before) ? addDays(before, -1) : undefined)
  const checks = await selectChecks(app.db.pages)
  const [checked] = checks
    .map((one) => one.day)
    .toSorted()
    .toReversed()
  const its = checks.filter((one) => one.day === checked)
  const amount = its.reduce((sum, one) => sum + one.unexplained, 0n)
  const at = new Date(Math.min(...its.map(({ checkedAt }) => checkedAt.getTime())))
  const unexplained =
    checked === undefined ? null : { day: checked, at, amount, ...withoutBalance(its.map(({ proof }) => proof)) }
  const form = exportForm(viewer, wantedFrom({}, viewer.now), await merchantNames(app))
  return { page: booksPage(viewer, { ...days, unexplained }, form) }
}

async function day(app: OperatorDeps, { viewer, params }: Asked): Promise<Shown> {
  const wanted = params['day'] ?? ''
  const report = await reportDay(patient(app), wanted)
  const { days, next, last } = await listDays(app, 1, wanted)
  const [bookDay = { day: wanted, state: 'open' as const, events: [], isChanged: false, closedWith: null }] = days
  const waiting = report.closed ? [] : await waitingFiles(app)
  const proposal = await openProposalAbout({ ...app, db: app.db.pages }, daySubject(wanted))
  const institution = (await app.banks.accounts()).find(({ state }) => state === 'active')?.title ?? ''
  const lines = await waitingLines(app, report.closed ? [] : report.accounts, report.day)
  return { page: dayPage(viewer, { report, bookDay, next, last, waiting, lines, institution, proposal }) }
}

async function exports(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const words = WORDS[viewer.language]
  const wanted = wantedFrom(query, viewer.now)
  const shown = async (why: string | null): Promise<Shown> => {
    const main = html`<h1>${words.exportsTitle}</h1>
      <p class="lead">${words.exportsLead}</p>
      ${why !== null && html`<p class="say bad" role="alert">${viewer.words.refused(why)}</p>`}
      ${exportForm(viewer, wanted, await merchantNames(app))}`
    return { page: { title: words.exportsTitle, section: 'books', main }, ...(why !== null && { status: 409 }) }
  }
  if (query['kind'] === undefined) return shown(null)
  try {
    return await download(app, viewer, wanted)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return shown(refusalText(viewer.language, error))
  }
}

/** Who closed the day. */
async function closedDay(app: OperatorDeps, day: string): Promise<DecidedBefore | null> {
  const [newest] = (await listDays(app, 1, day)).days[0]?.events ?? []
  return newest?.action === 'close' ? { who: newest.operator, what: 'closed', at: newest.decidedAt } : null
}

/** Only the figures that the person saw. */
async function close(app: OperatorDeps, { viewer, actor, params, fields }: Asked): Promise<string> {
  const [day, figures] = [params['day'] ?? '', fields.get('seen') ?? '']
  const decide = () => makeProposal(patient(app), actor, 'day.close', { day, figures }, { reason: fields.get('why') })
  const { state } = await orTellWho(viewer, () => closedDay(app, day), decide)
  return state === 'applied' ? 'dayClosed' : 'dayProposed'
}

async function reopen(app: OperatorDeps, { actor, params, fields }: Asked): Promise<string> {
  const terms = { day: params['day'] ?? '' }
  const { state } = await makeProposal(app, actor, 'day.reopen', terms, { reason: fields.get('why') })
  return state === 'applied' ? 'dayReopened' : 'reopenProposed'
}
