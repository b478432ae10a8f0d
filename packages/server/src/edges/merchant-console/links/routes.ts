import { checkoutUrl, findLink, listLinks, makeLink } from '../../../domain/deposits/index.ts'
import { readTyped } from '../../../kernel/money.ts'
import { invalidField } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { currencyFrom, field, idFrom, own } from '../kind.ts'
import { noSuchPage } from '../pages/transaction.ts'
import { linkPage, LINKS_PER_PAGE, linksPage } from './links.ts'
import { LINK_WORDS } from './words.ts'

export const LINKS: Section = {
  views: [
    { path: '/links', show: list },
    { path: '/links/:id', show: link },
  ],
  forms: [{ path: '/links', action: 'link.make', back: '/links', decide: make }],
  said: { tr: LINK_WORDS.tr.said, en: LINK_WORDS.en.said },
}

async function list(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, query } = asked
  const links = await listLinks(app.db.pages, own(asked), {
    before: idFrom(query['before']),
    limit: LINKS_PER_PAGE + 1,
  })
  const facts = {
    links,
    formId: app.ids.next(),
    currencies: app.currencies,
    given: (name: string) => field(asked, name),
  }
  return { page: linksPage(viewer, facts) }
}

async function link(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const found = await findLink(app.db.pages, own(asked), asked.id)
  if (!found) return { page: noSuchPage(asked.viewer), status: 404 }
  const url = found.deposit && checkoutUrl(app.publicUrl(), app.checkoutKeys, found.deposit)
  return { page: linkPage(asked.viewer, found, url) }
}

async function make(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const amount = readTyped(field(asked, 'amount'))
  const words = LINK_WORDS[asked.viewer.language]
  if (amount === null) throw invalidField(asked.viewer.words.amount, words.wrongAmount)
  const currency = currencyFrom(app, asked)
  const id = field(asked, 'id')
  const customer = { name: field(asked, 'name'), id: field(asked, 'customer') }
  await makeLink(app, asked.actor, own(asked), { id, amount, currency, customer, note: field(asked, 'note') })
  return { redirect: `/links/${id}?said=link_made` }
}
