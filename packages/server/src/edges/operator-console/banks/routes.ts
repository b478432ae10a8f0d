import { accountsInForce, eftOpen, fastCapOn, listBanks, switchBank } from '../../../domain/banks/index.ts'
import {
  checkConnection,
  disableConnection,
  enableConnection,
  selectConnections,
} from '../../../domain/connections/index.ts'
import { statementReads } from '../../../domain/overview/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Shown } from '../../web/console/routes.ts'
import { ask } from '../proposals/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { countOf, moneyOf } from '../setting-form.ts'
import { banksPage } from './page.ts'
import { testPage } from './test-page.ts'
import { WORDS } from './words.ts'

const back = '/banks'

export const BANKS: Section = {
  views: [{ path: back, show: banks }],
  forms: [
    { path: '/banks/limits', action: 'bank.limits', back, decide: limits },
    { path: '/banks/on', action: 'bank.switch', back, decide: (app, asked) => switchTo(app, asked, true) },
    { path: '/banks/off', action: 'bank.switch', back, decide: (app, asked) => switchTo(app, asked, false) },
    { path: '/banks/connections/test', action: 'connection.test', back, decide: test },
    { path: '/banks/connections/on', action: 'connection.switch', back, decide: enable },
    { path: '/banks/connections/off', action: 'connection.switch', back, decide: disable },
    { path: '/banks/accounts/open', action: 'account.open', back, decide: openAccount },
    { path: '/banks/accounts/limits', action: 'account.limits', back, decide: accountLimits },
    { path: '/banks/accounts/connect', action: 'account.connect', back, decide: connect },
  ],
  said: { tr: outcomes('tr'), en: outcomes('en') },
}

function outcomes(language: 'tr' | 'en') {
  const { bankSwitched, connectionSwitched } = WORDS[language]
  return { bankSwitched, connectionSwitched }
}

async function banks(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const connections = await selectConnections(app.db.pages)
  const names = connections.map(({ name }) => name)
  const reads = new Map((await statementReads(app.db, names)).map(({ source, readAt }) => [source, readAt]))
  const accounts = await accountsInForce({ db: app.db.pages, marks: app.marks })
  const now = istanbul(app.clock.now())
  const facts = {
    ...{ connections, reads, currencies: app.currencies },
    ...{ accounts, chosenAccount: accounts.find(({ id }) => id === query['account']) },
    banks: await listBanks({ db: app.db.pages, marks: app.marks }),
    chosen: typeof query['bank'] === 'string' ? query['bank'] : null,
    fastCap: fastCapOn(now.day, await app.banks.fastCaps()),
    eftIsOpen: eftOpen(now, await app.banks.holidays()),
  }
  return { page: banksPage(viewer, facts) }
}

function limits(app: OperatorDeps, asked: Asked): Promise<string> {
  const { fields } = asked
  const [minAmount, maxAmount] = [moneyOf(fields, 'least') ?? 0n, moneyOf(fields, 'most') ?? 0n]
  const terms = { bank: fields.get('bank') ?? '', currency: 'TRY', minAmount, maxAmount }
  return ask(app, asked, 'bank.limits', terms)
}

async function switchTo(app: OperatorDeps, { actor, fields }: Asked, on: boolean): Promise<string> {
  await switchBank(app, actor, fields.get('bank') ?? '', on)
  return 'bankSwitched'
}

async function test(app: OperatorDeps, { viewer, fields }: Asked): Promise<Shown> {
  const name = fields.get('connection') ?? ''
  return { page: testPage(viewer, name, await checkConnection(app, name)) }
}

async function enable(app: OperatorDeps, { actor, fields }: Asked): Promise<string> {
  await enableConnection(app, actor, fields.get('connection') ?? '')
  return 'connectionSwitched'
}

async function disable(app: OperatorDeps, { actor, fields }: Asked): Promise<string> {
  const why = fields.get('why') ?? ''
  mustGiveReason('why', why)
  await disableConnection(app, actor, fields.get('connection') ?? '', why)
  return 'connectionSwitched'
}

function openAccount(app: OperatorDeps, asked: Asked): Promise<string> {
  const { fields } = asked
  const text = (name: string) => fields.get(name) ?? ''
  const connection = text('connection')
  const facts = { iban: text('iban'), title: text('title'), currency: text('currency') || 'TRY' }
  return ask(app, asked, 'account.open', { ...facts, ...(connection !== '' && { connection }) })
}

function accountLimits(app: OperatorDeps, asked: Asked): Promise<string> {
  const { fields } = asked
  const terms = {
    account: fields.get('account') ?? '',
    amount: moneyOf(fields, 'amount'),
    count: countOf(fields, 'count'),
  }
  return ask(app, asked, 'account.limits', terms)
}

function connect(app: OperatorDeps, asked: Asked): Promise<string> {
  const { fields } = asked
  const terms = { accounts: [fields.get('account') ?? ''], connection: fields.get('connection') ?? '' }
  return ask(app, asked, 'account.connect', terms)
}
