import { isManual } from '../../../domain/connections/index.ts'
import { MAX_SEARCH_TEXT, searchAll, statementReads, todaysMoney, todaysWork } from '../../../domain/overview/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import { liveView } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, OperatorKind, Section } from '../kind.ts'
import { merchantNames } from '../names.ts'
import { said } from '../said.ts'
import type { HomeFacts } from './home-page.ts'
import { homePage } from './home-page.ts'
import { searchPage } from './search-page.ts'

const MAX_FOUND = 50

export const TODAY: Section = {
  views: [liveView<OperatorKind, HomeFacts>('/', 'home', readHome, home), { path: '/search', show: search }],
  forms: [],
  said: said(),
}

async function readHome(app: OperatorDeps): Promise<HomeFacts> {
  return { work: await todaysWork(app), money: await todaysMoney(app), feeds: await feedsOf(app) }
}

/** Banks of the collecting accounts with the connections that give their lines. What people enter has no lag. */
async function feedsOf({ db, banks, connections }: OperatorDeps): Promise<HomeFacts['feeds']> {
  const sources = connections.map(({ name }) => name).filter((name) => !isManual(name))
  const reads = sources.length === 0 ? [] : await statementReads(db, sources)
  const accounts = await banks.accounts()
  return reads.flatMap(({ source, readAt }) => {
    const read = new Set(accounts.filter(({ connection }) => connection === source).map(({ bankName }) => bankName))
    return (read.size === 0 ? [null] : [...read]).map((bank) => ({ bank, source, readAt: readAt && toMinute(readAt) }))
  })
}

/** As the page shows it. */
const toMinute = (at: Date) => new Date(Math.floor(at.getTime() / 60_000) * 60_000)

function home(_app: OperatorDeps, { viewer }: Asked, facts: HomeFacts): Promise<Shown> {
  return Promise.resolve({ page: homePage(viewer, facts) })
}

/** A text that names exactly one transaction opens it. */
async function search(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const text = (typeof query['q'] === 'string' ? query['q'] : '').trim().slice(0, MAX_SEARCH_TEXT)
  if (text === '') return { page: searchPage(viewer, { text, found: [], more: false }, new Map()) }
  const result = await searchAll(app.db, text, MAX_FOUND)
  const [only, another] = result.found.filter(({ kind }) => kind === 'deposit' || kind === 'withdrawal')
  if (only && !another && /^(transaction id|code |processId)/.test(only.matched))
    return { redirect: `/transactions/${only.id}` }
  return { page: searchPage(viewer, { text, ...result }, await merchantNames(app)) }
}
