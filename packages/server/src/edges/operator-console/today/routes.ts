import { isPolled } from '../../../domain/connections/index.ts'
import { MAX_SEARCH_TEXT, searchAll, statementReads, todaysMoney, todaysWork } from '../../../domain/overview/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import { merchantNames } from '../names.ts'
import { said } from '../said.ts'
import { homePage } from './home-page.ts'
import { searchPage } from './search-page.ts'

const MAX_FOUND = 50

export const TODAY: Section = {
  views: [
    { path: '/', show: home },
    { path: '/search', show: search },
  ],
  forms: [],
  said: said(),
}

async function home(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  const sources = app.connections.filter(isPolled).map(({ name }) => name)
  const [work, money, reads] = [await todaysWork(app), await todaysMoney(app), await statementReads(app.db, sources)]
  return { page: homePage(viewer, { work, money, reads }) }
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
