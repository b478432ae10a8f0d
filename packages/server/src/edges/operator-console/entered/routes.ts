import { listAccounts } from '../../../domain/banks/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import type { EnteredFacts } from '../../../domain/statements/index.ts'
import {
  confirmEntered,
  countWaitingEntered,
  enterLine,
  findEntered,
  forgedEntered,
  listEntered,
  previewEntered,
  rejectEntered,
  replacedBy,
  selectLinesById,
  unconfirmedEntered,
  waitingWithFacts,
} from '../../../domain/statements/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { DecidedBefore } from '../decided-before.ts'
import { orTellWho } from '../decided-before.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import type { Why } from '../lapsed-mark.ts'
import { reveal } from '../reveal/form.ts'
import type { WaitingLine } from './cards.ts'
import { enterPage } from './form-page.ts'
import type { TypedLine } from './read-line.ts'
import { ENTER_PATH, readLine, valuesFrom } from './read-line.ts'
import { ENTERED_WORDS } from './words.ts'

const NEWEST = 20

/** Lines that wait are shown on the page of approvals. */
export const ENTERED: Section = {
  views: [{ path: ENTER_PATH, show: form }],
  forms: [
    {
      ...{ path: `${ENTER_PATH}/preview`, action: 'line.enter', back: ENTER_PATH, decide: preview },
      needsProof: false,
    },
    { path: ENTER_PATH, action: 'line.enter', back: ENTER_PATH, decide: enter },
    { path: '/entered/:id/approve', action: 'line.confirm', back: '/approvals', decide: approve },
    { path: '/entered/:id/reject', action: 'line.refuse', back: '/approvals', decide: reject },
    { path: '/entered/:id/withdraw', action: 'line.refuse', back: '/approvals', decide: withdraw },
    { path: '/entered/:id/reveal', action: 'data.reveal', back: '/approvals', decide: revealEntered },
  ],
  said: { tr: ENTERED_WORDS.tr.said, en: ENTERED_WORDS.en.said },
}

/** Those that wait, oldest first, and which of them can only be rejected. */
export async function waitingLines(app: OperatorDeps, limit: number) {
  const { pages } = app.db
  const waiting: WaitingLine[] = await waitingWithFacts(pages, limit)
  const may = await whoMay(app, pages)
  const lapsed = waiting.filter(({ entered }) => !may(entered.proposedBy, 'line.enter'))
  const forged = await forgedEntered({ ...app, db: pages }, limit)
  return {
    waiting,
    count: await countWaitingEntered(pages),
    ended: (await listEntered(pages, NEWEST)).filter(({ state }) => state !== 'proposed'),
    lapsed: [
      ...lapsed.map(({ entered }): [string, Why] => [entered.id, 'noLongerMay']),
      ...forged.map((id): [string, Why] => [id, 'noMark']),
    ],
  }
}

async function form(app: OperatorDeps, asked: Asked): Promise<Shown> {
  return { page: await pageOf(app, asked, await tried(app, asked)) }
}

type Previewed = { line: TypedLine; preview: EnteredFacts }

async function pageOf(app: OperatorDeps, asked: Asked, previewed: Previewed | null) {
  const { pages } = app.db
  const [accounts, newest] = [await listAccounts(pages), await listEntered(pages, NEWEST)]
  const unconfirmed = await unconfirmedEntered(pages)
  const { line = null, preview: facts = null } = previewed ?? {}
  const lineIds = newest.flatMap(({ lineId }) => lineId ?? [])
  const bankLines = await replacedBy(pages, lineIds)
  const lines = await selectLinesById(pages, lineIds)
  return enterPage(asked.viewer, {
    values: valuesFrom(asked),
    line,
    preview: facts,
    accounts,
    newest,
    bankLines,
    dismissed: new Set(lines.filter(({ state }) => state === 'dismissed').map(({ id }) => id)),
    unconfirmed,
  })
}

async function previewOf({ clock, db }: OperatorDeps, asked: Asked): Promise<Previewed> {
  const line = readLine(asked)
  return { line, preview: await previewEntered({ clock, db: db.pages }, line) }
}

/** The page after a refusal: with the preview, unless that is what was refused. */
async function tried(app: OperatorDeps, asked: Asked): Promise<Previewed | null> {
  if (!asked.fields.has('account')) return null
  try {
    return await previewOf(app, asked)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return null
  }
}

async function preview(app: OperatorDeps, asked: Asked): Promise<Shown> {
  return { page: await pageOf(app, asked, await previewOf(app, asked)) }
}

async function enter(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { actor, fields } = asked
  const line = { ...readLine(asked), besides: fields.getAll('besides'), reason: (fields.get('why') ?? '').trim() }
  await enterLine(app, actor, line, fields.get('seen') ?? '')
  return { redirect: '/approvals?said=lineEntered' }
}

async function decided({ db }: OperatorDeps, id: string): Promise<DecidedBefore | null> {
  const entered = await findEntered(db, id)
  if (!entered?.decidedBy || !entered.decidedAt || entered.state === 'proposed') return null
  const { state, decidedBy: who, decidedAt: at } = entered
  return { who, what: state === 'booked' ? 'approved' : state, at }
}

async function approve(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => confirmEntered(app, actor, id, fields.get('seen') ?? '')
  await orTellWho(viewer, () => decided(app, id), decide)
  return 'lineConfirmed'
}

async function refuse(app: OperatorDeps, { viewer, actor, id, fields }: Asked, state: 'rejected' | 'withdrawn') {
  const decide = () => rejectEntered(app, actor, id, { state, why: fields.get('why') ?? '' })
  await orTellWho(viewer, () => decided(app, id), decide)
}

async function reject(app: OperatorDeps, asked: Asked): Promise<string> {
  await refuse(app, asked, 'rejected')
  return 'enteredRejected'
}

async function withdraw(app: OperatorDeps, asked: Asked): Promise<string> {
  await refuse(app, asked, 'withdrawn')
  return 'enteredWithdrawn'
}

async function revealEntered(app: OperatorDeps, asked: Asked): Promise<string | null> {
  return reveal(app, asked, (await findEntered(app.db, asked.id)) ? `entered:${asked.id}` : null)
}
