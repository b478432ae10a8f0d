import type { CallbackEvent, DepositRequest, Vezne } from '@vezne/sdk'
import { verifyCallback, VezneError } from '@vezne/sdk'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Now } from '../time.ts'
import type { Language } from '../web/language.ts'
import { languageOf } from '../web/language.ts'
import { pageScript } from '../web/page-script.ts'
import { notFound, preparePages } from '../web/pages-scope.ts'
import { readBasket, totalOf } from './basket.ts'
import type { BasketForm } from './basket-page.ts'
import { basketPage } from './basket-page.ts'
import type { DepositUpdate, Order, Orders } from './orders.ts'
import { depositStatus, orderNumber } from './orders.ts'
import { orderPage, refusedPage } from './order-page.ts'

let script: string | undefined

export type Shop = {
  orders: Orders
  /** Null while the shop is not connected to a payment service. */
  vezne: Vezne | null
  /** Origins of the checkout page: browsers apply a form's policy to its redirects. */
  checkoutOrigins: string[]
  callbackSecret: string | null
  /** Initial customer name of the basket. */
  customerName: string
  origin: () => string
  now: Now
}

/** A minimal merchant. */
export function mountShop(app: FastifyInstance, shop: Shop): void {
  preparePages(app, 'shop', { scripts: true, formTargets: shop.checkoutOrigins })
  app.get('/shop.js', (_request, reply) => {
    // At its first use: removing the types takes 60 ms, which every start of the sandbox would spend.
    script ??= pageScript(new URL('order-status.client.ts', import.meta.url))
    return reply.header('content-type', 'text/javascript; charset=utf-8').send(script)
  })
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
    const { order, error } = await refreshOrder(shop, params.id)
    return orderPage(order, languageOf(query), error)
  })
  // Status from callbacks: an open page reloads when one arrives, without polling Vezne.
  app.get<{ Params: { id: string } }>('/shop/orders/:id/status', async ({ params }, reply) => {
    const order =
      shop.callbackSecret === null ? (await refreshOrder(shop, params.id)).order : shop.orders.find(params.id)
    if (!order) throw notFound()
    return reply.header('content-type', 'application/json; charset=utf-8').send({ status: order.status })
  })
}

/** Receives Vezne's callbacks about orders. */
export function mountCallbacks(app: FastifyInstance, { orders, callbackSecret, now }: Shop): void {
  app.removeAllContentTypeParsers()
  // The signature is over the raw bytes.
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
    const update = deposit && updateOf(deposit)
    if (order && update) orders.applyUpdate(order, { ...update, toldAt: now().toISOString() })
    // Another transaction of the same merchant is acknowledged too, so that it is not sent again.
    return { received: true, known: order !== null }
  })
}

function readForm(get: (name: string) => unknown, shop: Shop): BasketForm {
  const name = get('name')
  const entered = typeof name === 'string' ? name.replace(/[\p{Cc}\s]+/gu, ' ').trim() : shop.customerName
  return { basket: readBasket(get), customerName: entered.slice(0, 140) }
}

async function checkout(shop: Shop, form: BasketForm, language: Language, reply: FastifyReply): Promise<FastifyReply> {
  const amount = totalOf(form.basket)
  if (amount === 0n) return reply.code(422).send(basketPage(form, language, 'emptyBasket'))
  if (form.customerName === '') return reply.code(422).send(basketPage(form, language, 'noName'))
  if (!shop.vezne) return reply.code(503).send(refusedPage(null, language))
  // Stored before the request: if the response is lost, the order can still be looked up.
  const order = shop.orders.place({ ...form, amount })
  try {
    const deposit = await shop.vezne.deposits.create(depositFor(order, language, shop.origin()))
    const url = webAddress(deposit.checkoutUrl)
    if (url === null) throw new VezneError('UNREADABLE_ANSWER', 'The response has no checkoutUrl.')
    shop.orders.applyUpdate(order, {
      ...updateOf(deposit),
      status: depositStatus(deposit.status) ?? 'pending',
      checkoutUrl: url,
    })
    return reply.redirect(url, 303)
  } catch (error) {
    if (!(error instanceof VezneError)) throw error
    // Only a refusal says that there is no deposit; after any other failure there may be one, which the order's page looks up.
    if (error.status !== null && error.status >= 400 && error.status < 500)
      shop.orders.applyUpdate(order, { status: 'refused' })
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
    metadata: { order: orderNumber(id) },
    returnUrl: `${origin}/shop/orders/${id}${suffix}`,
    language,
  }
}

/** The order with its current state in Vezne, or its last known one if Vezne is not reachable. */
async function refreshOrder(shop: Shop, id: string): Promise<{ order: Order; error: VezneError | null }> {
  const order = shop.orders.find(id)
  if (!order) throw notFound()
  if (!shop.vezne) return { order, error: null }
  try {
    const deposit = await shop.vezne.deposits.find(order.processId)
    const update = deposit && updateOf(deposit)
    return { order: update ? shop.orders.applyUpdate(order, update) : order, error: null }
  } catch (error) {
    if (!(error instanceof VezneError)) throw error
    return { order, error }
  }
}

function updateOf({ status, sequence, checkoutUrl, receivedAmount }: Record<string, unknown>): DepositUpdate | null {
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

/** Accepts only http and https links, not ones that a browser would execute. */
function webAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : null
}
