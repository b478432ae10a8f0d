import { rereadLine } from '../../../domain/connections/index.ts'
import {
  closeUnread,
  listUnread,
  listUnreadAndClosed,
  reimportUnread,
  reopenUnread,
} from '../../../domain/statements/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { namesByIban, unreadPage } from './page.ts'
import { UNREAD_WORDS } from './words.ts'

const UNREAD_PATH = '/unread'

export const UNREAD: Section = {
  views: [{ path: UNREAD_PATH, show: unread }],
  forms: [
    { path: '/unread/retry', action: 'unread.reimport', back: UNREAD_PATH, decide: retry },
    { path: '/unread/close', action: 'unread.close', back: UNREAD_PATH, decide: close },
    { path: '/unread/reopen', action: 'unread.reopen', back: UNREAD_PATH, decide: reopen },
  ],
  said: { tr: UNREAD_WORDS.tr.said, en: UNREAD_WORDS.en.said },
}

async function unread({ db, banks }: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  const waiting = await listUnread(db.pages)
  const closed = (await listUnreadAndClosed({ db: db.pages })).filter(({ closedBy }) => closedBy !== null)
  return { page: unreadPage(viewer, { waiting, closed, ours: namesByIban(await banks.accounts()) }) }
}

async function retry(app: OperatorDeps, { actor }: Asked): Promise<string> {
  return (await reimportUnread(app, actor, rereadLine)) > 0 ? 'unreadTaken' : 'unreadNotTaken'
}

/** A whole hash, not the beginning that the command line takes. */
const lineOf = ({ fields }: Asked) => {
  const line = fields.get('line') ?? ''
  return /^[\w-]{43}$/.test(line) ? line : null
}

async function close(app: OperatorDeps, asked: Asked): Promise<string | null> {
  const line = lineOf(asked)
  if (line === null) return null
  await closeUnread(app, asked.actor, line, (asked.fields.get('why') ?? '').slice(0, 200))
  return 'unreadClosed'
}

async function reopen(app: OperatorDeps, asked: Asked): Promise<string | null> {
  const line = lineOf(asked)
  if (line === null) return null
  await reopenUnread(app, asked.actor, line)
  return 'unreadReopened'
}
