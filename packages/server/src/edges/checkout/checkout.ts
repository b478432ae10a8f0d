import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import type { AccountPool, CheckoutKeys, Deposit, DepositViews, DepositWatch } from '../../domain/deposits/index.ts'
import {
  acknowledgeAccount,
  checkoutToken,
  chooseBank,
  claimPayment,
  findDeposit,
  forgetBank,
  makeHandover,
  takeBackClaim,
  useHandover,
} from '../../domain/deposits/index.ts'
import { findLogo } from '../../domain/merchants/index.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Random } from '../../platform/crypto/random.ts'
import { memoize } from '../../platform/concurrency/memoize.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import { packed } from '../web/assets.ts'
import { isFromOurPage } from '../web/browser-request.ts'
import { render } from '../web/html.ts'
import type { RequestLimits } from '../web/limit-requests.ts'
import { requestLimiter } from '../web/limit-requests.ts'
import { PAGE_HEADERS } from '../web/page-headers.ts'
import { openByCookie, openByToken, rememberToken, rootPath } from './access.ts'
import { linksAt, mountFiles } from './files.ts'
import { karekodOf } from './karekod.ts'
import { openStreams } from './live.ts'
import { crowdedPage, mainPart, page, troublePage, unknownPage } from './page.ts'
import type { Asked, ViewNeeds } from './view.ts'
import { queryOf, secondsLeft, viewOf } from './view.ts'

export type CheckoutDeps = ViewNeeds &
  RequestLimits & {
    ids: Ids
    random: Random
    views: DepositViews
    checkoutKeys: CheckoutKeys
    pool: AccountPool
    log: Log
    watch: DepositWatch
    publicUrl: () => string
  }

type Opened = { Params: { id: string }; Querystring: Asked & { version?: unknown; screen?: unknown } }
type Handler = (deposit: Deposit, request: FastifyRequest<Opened>, reply: FastifyReply) => unknown

/** A form only ever contains a bank id. */
const MAX_FORM_BYTES = 4096

const qrCode = (text: string) => renderSVG(text, { border: 2, pixelSize: 4 })

const crowdedPageAt = memoize((root) => crowdedPage(linksAt(root, null)))

/** The customer's pages. Register before the server listens. */
export function mountCheckout(server: FastifyInstance, app: CheckoutDeps): void {
  void server.register(async (scope) => mount(scope, app), { prefix: '/checkout' })
}

function mount(scope: FastifyInstance, app: CheckoutDeps): void {
  const secondsToWait = requestLimiter(app)
  scope.addHook('onRequest', (request, reply, done) => {
    void reply.headers(PAGE_HEADERS)
    const wait = secondsToWait(request)
    if (wait === 0) return done()
    void reply.code(429).header('retry-after', String(wait)).type('text/html; charset=utf-8')
    void reply.send(crowdedPageAt(rootPath(app)))
  })
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  scope.setNotFoundHandler((_request, reply) => sendUnknown(app, reply))
  scope.setErrorHandler((error, request, reply) => sendTrouble(app, error, request, reply))
  mountFiles(scope)
  scope.get<Entered>('/', async (request, reply) => {
    const { query } = request
    const deposit = query.code === undefined ? await openByToken(app, query.token) : await openByCode(app, request)
    if (!deposit) return sendUnknown(app, reply)
    rememberToken(app, request, reply, deposit.id, checkoutToken(app.checkoutKeys, deposit))
    return reply.redirect(`${rootPath(app)}/${deposit.id}${queryOf(query.lang, deposit)}`, 303)
  })
  mountPages(scope, app)
  mountForms(scope, app)
}

type Entered = { Querystring: { token?: unknown; code?: unknown; lang?: unknown } }

const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** A code works once: what a browser or a messenger fetches ahead must not use it up. */
async function openByCode(app: CheckoutDeps, { method, headers, query }: FastifyRequest<Entered>) {
  const isAhead = method !== 'GET' || AHEAD.some((name) => headers[name] !== undefined)
  if (isAhead || typeof query.code !== 'string') return null
  const deposit = await useHandover(app, query.code)
  return deposit && openByToken(app, checkoutToken(app.checkoutKeys, deposit))
}

/** Without the right cookie the response is the same whether or not the deposit exists. */
function opened(app: CheckoutDeps, handle: Handler) {
  return async (request: FastifyRequest<Opened>, reply: FastifyReply) => {
    const deposit = await openByCookie(app, request, request.params.id)
    return deposit ? handle(deposit, request, reply) : sendUnknown(app, reply)
  }
}

function mountPages(scope: FastifyInstance, app: CheckoutDeps): void {
  const stream = openStreams(scope, app.watch)
  const view = (deposit: Deposit, { query }: FastifyRequest<Opened>) => viewOf(app, deposit, rootPath(app), query)
  scope.get<Opened>(
    '/:id',
    opened(app, async (deposit, request, reply) => {
      const seen = await view(deposit, request)
      void reply.type('text/html; charset=utf-8')
      return reply.send(packed(request, reply, page(seen, linksAt(rootPath(app), seen.brand.accent))))
    }),
  )
  scope.get<Opened>(
    '/:id/status',
    opened(app, async (deposit, request) => {
      const seen = await view(deposit, request)
      const { version, screen } = request.query
      const known = version === String(deposit.version) && screen === seen.screen
      const news = known ? {} : { html: render(mainPart(seen)) }
      return { version: deposit.version, screen: seen.screen, left: secondsLeft(seen), ...news }
    }),
  )
  scope.get<Opened>(
    '/:id/events',
    opened(app, (deposit, _request, reply) => stream(deposit, reply)),
  )
  scope.get<Opened>(
    '/:id/qr.svg',
    opened(app, async (deposit, { query }, reply) => {
      const asked = queryOf(query.lang, deposit).replace('?', '&')
      const address = `${app.publicUrl()}/checkout?code=${await makeHandover(app, deposit)}${asked}`
      return reply.type('image/svg+xml').send(qrCode(address))
    }),
  )
  scope.get<Opened>(
    '/:id/karekod.svg',
    opened(app, async (deposit, _request, reply) => {
      const { collectingAccountId: id } = deposit
      const text = karekodOf(deposit, id === null ? undefined : await app.banks.account(id), app.clock.now())
      return text === null ? sendUnknown(app, reply) : reply.type('image/svg+xml').send(qrCode(text))
    }),
  )
  for (const theme of ['light', 'dark'] as const)
    scope.get<Opened>(
      `/:id/logo-${theme}.png`,
      opened(app, async (deposit, _request, reply) => {
        const logo = await findLogo(app.db, deposit.merchantId, theme)
        return logo ? reply.type('image/png').send(logo) : sendUnknown(app, reply)
      }),
    )
}

type Step = (app: CheckoutDeps, deposit: Deposit, fields: URLSearchParams) => Promise<unknown>

const STEPS: Record<string, Step> = {
  bank: (app, deposit, fields) => chooseBank(app, deposit, fields.get('bankId') ?? ''),
  change: (app, deposit) => forgetBank(app, deposit),
  claim: (app, deposit) => claimPayment(app, deposit),
  unclaim: (app, deposit) => takeBackClaim(app, deposit),
  seen: (app, deposit) => acknowledgeAccount(app, deposit),
}

/** Post/redirect/get: whatever the outcome, the next page shows the current state. */
function mountForms(scope: FastifyInstance, app: CheckoutDeps): void {
  for (const [name, step] of Object.entries(STEPS)) {
    scope.post<Opened>(
      `/:id/${name}`,
      { bodyLimit: MAX_FORM_BYTES },
      opened(app, async (deposit, request, reply) => {
        if (!isFromOurPage(request, app.publicUrl())) return sendUnknown(app, reply)
        const fields = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
        const code = await refusalOf(step(app, deposit, fields))
        const query = new URLSearchParams(queryOf(request.query.lang, deposit))
        const stillChoosing = code === 'SERVICE_UNAVAILABLE' && (await isChoosing(app, deposit))
        if (stillChoosing) query.set('full', fields.get('bankId') ?? '')
        const asked = query.size > 0 ? `?${query.toString()}` : ''
        return reply.redirect(`${rootPath(app)}/${deposit.id}${asked}`, 303)
      }),
    )
  }
}

/** A refusal is not an error here: the deposit changed while the customer was viewing an older page. */
async function refusalOf(step: Promise<unknown>): Promise<Refusal['code'] | null> {
  try {
    await step
    return null
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

async function isChoosing(app: CheckoutDeps, { merchantId, id }: Deposit): Promise<boolean> {
  return (await findDeposit(app.db, merchantId, id))?.collectingAccountId === null
}

function sendUnknown(app: CheckoutDeps, reply: FastifyReply): FastifyReply {
  void reply.headers(PAGE_HEADERS).code(404).type('text/html; charset=utf-8')
  return reply.send(unknownPage(linksAt(rootPath(app), null)))
}

function sendTrouble(app: CheckoutDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode = 500 } = error as { statusCode?: number }
  const away = error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE'
  const status = away ? 503 : statusCode >= 400 && statusCode < 500 ? statusCode : 500
  if (away) void reply.header('retry-after', '5')
  if (status === 500) app.log.error({ err: error, requestId: request.id }, 'checkout page failed')
  void reply.headers(PAGE_HEADERS).code(status).type('text/html; charset=utf-8')
  void reply.send(troublePage(linksAt(rootPath(app), null), request.id))
}
