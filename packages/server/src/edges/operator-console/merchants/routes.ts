import { merchantMonth } from '../../../domain/books/index.ts'
import { disableLogin, giveUserCode, inviteMerchantUser, listLogins } from '../../../domain/identity/index.ts'
import { balancesOf, merchantAccount } from '../../../domain/ledger/index.ts'
import {
  countMerchants,
  createMerchant,
  listMerchants,
  newestChange,
  pageOfMerchants,
  revokeKey,
  revokeOldSecret,
  rotateKey,
} from '../../../domain/merchants/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { html } from '../../web/html.ts'
import { codePage } from '../../web/console/logins/code-page.ts'
import { invitedPage } from '../../web/console/logins/invited-page.ts'
import { LOGIN_WORDS } from '../../web/console/logins/words.ts'
import { monthWanted } from '../../web/console/merchant-month/month.ts'
import type { Shown } from '../../web/console/routes.ts'
import { SETTLEMENT_WORDS } from '../../web/console/settlement/words.ts'
import type { ShownOnce } from '../../web/console/shown-once.ts'
import { shownOnce } from '../../web/console/shown-once.ts'
import type { Language } from '../../web/console/site.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import type { Page, Viewer } from '../page.ts'
import { bpsOf, countOf, listOf } from '../setting-form.ts'
import { merchantFacts } from './facts.ts'
import { MERCHANTS_PER_PAGE, merchantsPage } from './list-page.ts'
import { MATCHING_WORDS } from './matching-card.ts'
import { merchantPage } from './merchant-page.ts'
import { movementsPage } from './movements-page.ts'
import { SETTINGS } from './settings.ts'
import { SETTLEMENT_CARD_WORDS } from './settlement-card.ts'
import { SETTLEMENT } from './settlement-forms.ts'
import { WORDS } from './words.ts'

const back = '/merchants/:id'
const ID = /^[0-9a-f]{24}$/

export const MERCHANTS: Section = {
  views: [
    { path: '/merchants', show: list },
    { path: back, show: one },
    { path: '/merchants/:id/movements', show: movements },
  ],
  forms: [
    { path: '/merchants/create', action: 'merchant.create', back: '/merchants', decide: create },
    { path: '/merchants/:id/rotate-key', action: 'key.rotate', back, decide: rotate },
    { path: '/merchants/:id/revoke-key', action: 'key.revoke', back, decide: revoke },
    { path: '/merchants/:id/revoke-old-secret', action: 'key.revoke', back, decide: revokeOld },
    { path: '/merchants/:id/invite', action: 'merchant.invite', back, decide: invite },
    { path: '/merchants/:id/code', action: 'merchant.code', back, decide: giveCode },
    { path: '/merchants/:id/disable-user', action: 'login.disable', back, decide: disable },
    ...SETTINGS,
    ...SETTLEMENT,
  ],
  said: {
    tr: outcomes('tr'),
    en: outcomes('en'),
  },
}

function outcomes(language: Language): Record<string, string> {
  const { keyRevoked, oldRevoked, userDisabled } = WORDS[language]
  return {
    ...{ keyRevoked, oldRevoked, userDisabled },
    ...MATCHING_WORDS[language].said,
    ...SETTLEMENT_CARD_WORDS[language].said,
    ...SETTLEMENT_WORDS[language].said,
  }
}

async function list(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const { pages } = app.db
  const [currency = 'TRY'] = app.currencies
  const before = ID.test(String(query['before'])) ? String(query['before']) : undefined
  const found = await pageOfMerchants(pages, { before, limit: MERCHANTS_PER_PAGE + 1 })
  const kinds = ['merchant_available', 'merchant_held'] as const
  const accounts = found.flatMap(({ id }) => kinds.map((kind) => merchantAccount(kind, id, currency)))
  const amounts = await balancesOf(pages, accounts)
  const merchants = found.map((merchant, at) => ({
    ...merchant,
    balance: { available: amounts[2 * at] ?? 0n, held: amounts[2 * at + 1] ?? 0n },
  }))
  return { page: merchantsPage(viewer, { merchants, count: await countMerchants(pages), currency }) }
}

async function one(app: OperatorDeps, { viewer, actor, id }: Asked): Promise<Shown> {
  const isKnown = (await listMerchants(app.db.pages)).some((merchant) => merchant.id === id)
  return isKnown ? { page: merchantPage(viewer, await merchantFacts(app, actor, id)) } : noMerchant(viewer)
}

async function movements(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const merchant = (await listMerchants(app.db.pages)).find((one) => one.id === id)
  if (!merchant) return noMerchant(viewer)
  const wanted = monthWanted(asked)
  const found = await merchantMonth(app, id, wanted)
  return { page: movementsPage(viewer, { merchant, month: wanted.month, day: wanted.day, found }) }
}

function noMerchant({ words: { notFoundTitle: title, notFoundText } }: Viewer): Shown {
  return {
    page: {
      title,
      section: 'merchants',
      main: html`<h1>${title}</h1>
        <p>${notFoundText}</p>`,
    },
    status: 404,
  }
}

/** Sent twice, or from a page that is not current: refused. */
function mustBeCurrent({ viewer, fields }: Asked, count: number): void {
  if (fields.get('seen') !== String(count)) throw new Refusal('INVALID_STATE', viewer.words.changedSince)
}

async function create(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, actor, fields } = asked
  mustBeCurrent(asked, await countMerchants(app.db))
  const created = await createMerchant(app, actor, {
    name: fields.get('name') ?? '',
    callbackUrl: fields.get('callbackUrl') || null,
    allowedNetworks: listOf(fields, 'networks'),
    depositFee: { bps: bpsOf(fields, 'depositBps') },
    withdrawFee: { bps: bpsOf(fields, 'withdrawBps') },
  })
  const { createdTitle: title, onceLead: lead } = WORDS[viewer.language]
  const values = (['merchantId', 'apiKey', 'apiSecret', 'callbackSecret'] as const).map((name): [string, string] => [
    name,
    created[name],
  ])
  return { page: secretsPage(viewer, created.merchantId, { title, lead, values }) }
}

async function rotate(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, actor, id, fields } = asked
  mustBeCurrent(asked, await newestChange(app.db, id))
  const words = WORDS[viewer.language]
  const { apiKey, apiSecret, previousEndsAt } = await rotateKey(app, actor, id, {
    overlapHours: countOf(fields, 'hours') ?? 24,
  })
  const until: [string, Date][] = previousEndsAt ? [[words.oldUntil, previousEndsAt]] : []
  const values: [string, string | Date][] = [['apiKey', apiKey], ['apiSecret', apiSecret], ...until]
  return { page: secretsPage(viewer, id, { title: words.rotatedTitle, lead: words.onceLead, values }) }
}

async function revoke(app: OperatorDeps, asked: Asked): Promise<string> {
  mustBeCurrent(asked, await newestChange(app.db, asked.id))
  await revokeKey(app, asked.actor, asked.id)
  return 'keyRevoked'
}

async function revokeOld(app: OperatorDeps, asked: Asked): Promise<string> {
  mustBeCurrent(asked, await newestChange(app.db, asked.id))
  await revokeOldSecret(app, asked.actor, asked.id)
  return 'oldRevoked'
}

const toMerchant = ({ language }: Viewer, id: string) => ({
  ...{ href: `/merchants/${id}`, label: WORDS[language].backToMerchant, section: 'merchants' as const },
})

const secretsPage = (viewer: Viewer, id: string, secrets: ShownOnce): Page => {
  const there = toMerchant(viewer, id)
  return { ...shownOnce(viewer, there, secrets), section: there.section }
}

async function invite(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<Shown> {
  const [email, role] = [fields.get('email') ?? '', fields.get('role') ?? '']
  const { name, path, needsCode } = await inviteMerchantUser(app, actor, id, { email, role })
  const { alsoCode, codeOfStaff } = LOGIN_WORDS[viewer.language]
  const codeHint = needsCode && `${alsoCode} ${codeOfStaff}`
  return { page: invitedPage(viewer, toMerchant(viewer, id), { name, url: app.publicUrl() + path, codeHint }) }
}

async function giveCode(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<Shown> {
  return {
    page: codePage(viewer, toMerchant(viewer, id), await giveUserCode(app, actor, id, fields.get('email') ?? '')),
  }
}

async function disable(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string | null> {
  const users = await listLogins(app.db, { audience: 'merchant', merchantId: id })
  const login = users.find((user) => user.id === fields.get('login'))
  if (!login) return null
  await disableLogin(app, actor, login.id)
  return 'userDisabled'
}
