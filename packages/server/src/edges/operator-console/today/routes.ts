import type { CollectingAccount } from '../../../domain/banks/index.ts'
import { isManual } from '../../../domain/connections/index.ts'
import { namedTransaction, searchAll, statementReads, todaysMoney, todaysWork } from '../../../domain/overview/index.ts'
import { receivedOn } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { Found } from '../../../kernel/search.ts'
import { readSearch } from '../../../kernel/search.ts'
import type { Shown } from '../../web/console/routes.ts'
import { liveView } from '../../web/console/routes.ts'
import { MAX_FOUND, searchText } from '../../web/console/search.ts'
import type { Asked, OperatorDeps, OperatorKind, Section } from '../kind.ts'
import { merchantNames } from '../names.ts'
import { said } from '../said.ts'
import { openGate } from '../../../platform/concurrency/gate.ts'
import type { HomeFacts } from './home-page.ts'
import { homePage } from './home-page.ts'
import { accountAddress, searchPage } from './search-page.ts'

export const TODAY: Section = {
  views: [liveView<OperatorKind, HomeFacts>('/', 'home', readHome, home), { path: '/search', show: search }],
  forms: [],
  said: said(),
}

async function readHome(app: OperatorDeps): Promise<HomeFacts> {
  return { work: await todaysWork(app), money: await todaysMoney(app), feeds: await feedsOf(app) }
}

/** Banks of the collecting accounts with the connections that give their lines. What people enter has no lag. */
async function feedsOf({ db, banks, connections, clock }: OperatorDeps): Promise<HomeFacts['feeds']> {
  const sources = connections.map(({ name }) => name).filter((name) => !isManual(name))
  const reads = sources.length === 0 ? [] : await statementReads(db, sources)
  const accounts = await banks.accounts()
  const received = await receivedOn(db.report, istanbul(clock.now()).day)
  const paid = new Set(received.map(({ collectingAccountId }) => collectingAccountId))
  return reads.flatMap(({ source, readAt }) => {
    const read = Map.groupBy(
      accounts.filter(({ connection }) => connection === source),
      ({ bankName }) => bankName,
    )
    const at = { source, readAt: readAt && toMinute(readAt) }
    const banksRead: [string | null, typeof accounts][] = read.size === 0 ? [[null, []]] : [...read]
    return banksRead.map(([bank, its]) => ({ bank, ...at, hasLines: its.some(({ id }) => paid.has(id)) }))
  })
}

/** As the page shows it. */
const toMinute = (at: Date) => new Date(Math.floor(at.getTime() / 60_000) * 60_000)

function home(_app: OperatorDeps, { viewer }: Asked, facts: HomeFacts): Promise<Shown> {
  return Promise.resolve({ page: homePage(viewer, facts) })
}

/** For each person, so that many searches of one do not take the connections of the others. */
const oneAtATime = openGate(1)

/** A text that names exactly one transaction, bank line or account of ours opens it. */
async function search(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const text = searchText(query)
  if (text === '') return { page: searchPage(viewer, { text, accounts: [], found: [], more: false }, new Map()) }
  const result = await oneAtATime(viewer.name, () => searchAll(app.db.search, text, MAX_FOUND))
  const named = namedTransaction(result.found)
  if (named !== undefined) return { redirect: `/transactions/${named}` }
  const accounts = await ownAccounts(app, text)
  const [first, second] = [...accounts.map(accountAddress), ...result.found.flatMap(lineAddress)]
  if (first !== undefined && second === undefined && accounts.length + result.found.length === 1)
    return { redirect: first }
  return { page: searchPage(viewer, { text, accounts, ...result }, await merchantNames(app)) }
}

const lineAddress = ({ kind, id, matched }: Found) =>
  kind === 'line' && /^(line id|number )/.test(matched) ? [`/matching/${id}`] : []

/** By the whole IBAN or its end. */
async function ownAccounts({ banks }: OperatorDeps, text: string): Promise<CollectingAccount[]> {
  const { iban } = readSearch(text)
  if (iban === null) return []
  return (await banks.accounts()).filter((one) => one.iban.split('').toReversed().join('').startsWith(iban.from))
}
