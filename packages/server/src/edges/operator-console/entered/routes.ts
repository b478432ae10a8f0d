import { listAccounts } from '../../../domain/banks/index.ts'
import { proposedAlike } from '../../../domain/proposals/index.ts'
import type { Proposal } from '../../../domain/proposals/index.ts'
import type { EnteredFacts } from '../../../domain/statements/index.ts'
import {
  listEntered,
  previewEntered,
  replacedBy,
  selectLinesById,
  unconfirmedEntered,
} from '../../../domain/statements/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import { ask } from '../proposals/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { enterPage } from './form-page.ts'
import type { TypedLine } from './read-line.ts'
import { ENTER_PATH, readLine, valuesFrom } from './read-line.ts'

const NEWEST = 20

/** Proposals are shown on the page of approvals. */
export const ENTERED: Section = {
  views: [{ path: ENTER_PATH, show: form }],
  forms: [
    {
      ...{ path: `${ENTER_PATH}/preview`, action: 'line.enter', back: ENTER_PATH, decide: preview },
      needsProof: false,
    },
    { path: ENTER_PATH, action: 'line.enter', back: ENTER_PATH, decide: enter },
  ],
  said: { tr: {}, en: {} },
}

async function form(app: OperatorDeps, asked: Asked): Promise<Shown> {
  return { page: await pageOf(app, asked, await tried(app, asked)) }
}

type Previewed = { line: TypedLine; preview: EnteredFacts; proposed: Proposal[] }

async function pageOf(app: OperatorDeps, asked: Asked, previewed: Previewed | null) {
  const { pages } = app.db
  const [accounts, newest] = [await listAccounts(pages), await listEntered(pages, NEWEST)]
  const unconfirmed = await unconfirmedEntered(pages)
  const lineIds = newest.map(({ lineId }) => lineId)
  const bankLines = await replacedBy(pages, lineIds)
  const lines = await selectLinesById(pages, lineIds)
  return enterPage(asked.viewer, {
    ...(previewed ?? { line: null, preview: null, proposed: [] }),
    values: valuesFrom(asked),
    accounts,
    newest,
    bankLines,
    dismissed: new Set(lines.filter(({ state }) => state === 'dismissed').map(({ id }) => id)),
    unconfirmed,
  })
}

async function previewOf({ clock, db }: OperatorDeps, asked: Asked): Promise<Previewed> {
  const line = readLine(asked)
  const pages = { clock, db: db.pages }
  return { line, preview: await previewEntered(pages, line), proposed: await proposedAlike(pages, line) }
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

/** Only what the person saw is proposed. */
async function enter(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, fields } = asked
  const line = readLine(asked)
  if ((await previewEntered(app, line)).hash !== fields.get('seen'))
    throw new Refusal('INVALID_STATE', viewer.words.changedSince)
  const said = await ask(app, asked, 'line.enter', { ...line, besides: fields.getAll('besides') })
  return { redirect: `/approvals?said=${said}` }
}
