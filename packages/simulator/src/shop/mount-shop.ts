import { readFileSync } from 'node:fs'
import type { CallbackEvent, DepositRequest, Vezne } from '@vezne/sdk'
import { verifyCallback, VezneError } from '@vezne/sdk'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Now } from '../time.ts'
import type { Language } from '../web/language.ts'
import { languageOf } from '../web/language.ts'
import { notFound, preparePages } from '../web/pages-scope.ts'
import { readBasket, totalOf } from './basket.ts'
import type { BasketForm } from './basket-page.ts'
import { basketPage } from './basket-page.ts'
import type { News, Order, Orders } from './orders.ts'
import { depositStatus } from './orders.ts'
import { orderPage, refusedPage } from './order-page.ts'

const SCRIPT = readFileSync(new URL('order-status.js', import.meta.url), 'utf8')

export type Shop = {
  orders: Orders
  /** Null while the shop is not connected to a payment service. */
  vezne: Vezne | null
  /** Where the checkout page may lie: browsers hold a form's redirect to the form's own policy. */
  checkoutOrigins: string[]
  callbackSecret: string | null
  /** The name that the basket begins with. */
  customerName: string
  origin: () => string
  now: Now
}

/** A merchant that is as small as a merchant can be. */
export function mountShop(app: FastifyInstance, shop: Shop): void {
  preparePages(app, 'shop', { scripts: true, formTargets: shop.checkoutOrigins })
  app.get('/shop.js', (_request, reply) => reply.header('content-type', 'text/javascript; charset=utf-8').send(SCRIPT))
  app.get('/shop', async ({ query }) => {
    const parameters = query as Record<string, unknown>
    return basketPage(
      readForm((name) => parameters[name], shop),
      languageOf(query),
    )
  })
  app.post('/shop/checkout', async ({ body, query }, reply) => {
    const fields = body instanceof URLSearchParams ? body : new URLSearchParams()
    return checkout(
      shop,
      readForm((name) => fields.get(name), shop),
      languageOf(query),
      reply,
    )
  })
  app.get<{ Params: { id: string } }>('/shop/orders/:id', async ({ params, query }) => {
    const { order, error } = await refreshed(shop, params.id)
    return orderPage(order, languageOf(query), error)
  })
  // What the callbacks have said: an open page turns when one arrives, and nobody asks Vezne again and again.
  app.get<{ Params: { id: string } }>('/shop/orders/:id/status', async ({ params }, reply) => {
    const order = shop.callbackSecret === null ? (await refreshed(shop, params.id)).order : shop.orders.find(params.id)
    if (!order) throw notFound()
    return reply.header('content-type', 'application/json; charset=utf-8').send({ status: order.status })
  })
}

/** Where Vezne tells the shop what has become of an order. */
export function mountCallbacks(app: FastifyInstance, { orders, callbackSecret, now }: Shop): void {
  app.removeAllContentTypeParsers()
  // The signature is over the bytes as they came.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post('/shop/callbacks', async ({ headers, body }, reply) => {
    if (callbackSecret === null) return reply.code(503).send({ error: 'no_callback_secret' })
    const bytes = body instanceof Buffer ? body : Buffer.alloc(0)
    let event: CallbackEvent
    try {
      event = verifyCallback(headers, bytes, callbackSecret, { now })
    } catch (error) {
      if (!(error instanceof VezneError)) throw error
      return reply.code(401).send({ error: error.code, details: error.details })
    }
    // A withdrawal may have the same processId as the deposit of an order.
    const deposit = 'type' in event.data && event.data.type === 'deposit' ? event.data : null
    const order = deposit && orders.findByProcessId(deposit.processId)
    const news = deposit && newsOf(deposit)
    if (order && news) orders.hear(order, { ...news, toldAt: now().toISOString() })
    // Somebody else's transaction on the same account is no reason to have it sent again.
    return { received: true, known: order !== null }
  })
}

function readForm(get: (name: string) => unknown, shop: Shop): BasketForm {
  const name = get('name')
  const typed = typeof name === 'string' ? name.replace(/[\p{Cc}\s]+/gu, ' ').trim() : shop.customerName
  return { basket: readBasket(get), customerName: typed.slice(0, 140) }
}

async function checkout(shop: Shop, form: BasketForm, language: Language, reply: FastifyReply): Promise<FastifyReply> {
  const amount = totalOf(form.basket)
  if (amount === 0n) return reply.code(422).send(basketPage(form, language, 'emptyBasket'))
  if (form.customerName === '') return reply.code(422).send(basketPage(form, language, 'noName'))
  if (!shop.vezne) return reply.code(503).send(refusedPage(null, language))
  // Written down before it is asked for: an answer that gets lost leaves an order that can be looked up.
  const order = shop.orders.place({ ...form, amount })
  try {
    const deposit = await shop.vezne.deposits.create(depositFor(order, language, shop.origin()))
    const url = webAddress(deposit.checkoutUrl)
    if (url === null) throw new VezneError('UNREADABLE_ANSWER', 'The answer carries no checkoutUrl.')
    shop.orders.hear(order, {
      ...newsOf(deposit),
      status: depositStatus(deposit.status) ?? 'pending',
      checkoutUrl: url,
    })
    return reply.redirect(url, 303)
  } catch (error) {
    if (!(error instanceof VezneError)) throw error
    // Only a refusal says that there is no deposit; after any other failure there may be one, which the order's page looks up.
    if (error.status !== null && error.status >= 400 && error.status < 500)
      shop.orders.hear(order, { status: 'refused' })
    return reply.code(502).send(refusedPage(error, language))
  }
}

function depositFor(
  { id, processId, amount, customerName }: Order,
  language: Language,
  origin: string,
): DepositRequest {
  const username = customerName.toLocaleLowerCase('tr').replaceAll(' ', '.').slice(0, 100)
  const suffix = language === 'en' ? '?lang=en' : ''
  return {
    processId,
    amount: Number(amount),
    customer: { id: username, name: customerName, username },
    metadata: { order: id },
    returnUrl: `${origin}/shop/orders/${id}${suffix}`,
    language,
  }
}

/** The order as Vezne knows it now, or as the shop last knew it when Vezne cannot be asked. */
async function refreshed(shop: Shop, id: string): Promise<{ order: Order; error: VezneError | null }> {
  const order = shop.orders.find(id)
  if (!order) throw notFound()
  if (!shop.vezne) return { order, error: null }
  try {
    const deposit = await shop.vezne.deposits.find(order.processId)
    const news = deposit && newsOf(deposit)
    return { order: news ? shop.orders.hear(order, news) : order, error: null }
  } catch (error) {
    if (!(error instanceof VezneError)) throw error
    return { order, error }
  }
}

function newsOf({ status, sequence, checkoutUrl, receivedAmount }: Record<string, unknown>): News | null {
  const known = depositStatus(status)
  if (!known) return null
  const url = webAddress(checkoutUrl)
  return {
    status: known,
    ...(typeof sequence === 'number' && { sequence }),
    ...(url !== null && { checkoutUrl: url }),
    ...(Number.isSafeInteger(receivedAmount) && { receivedAmount: BigInt(receivedAmount as number) }),
  }
}

/** A link that is followed must be one that a browser opens, not one that it runs. */
function webAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null
}
