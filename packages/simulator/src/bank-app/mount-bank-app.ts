import type { FastifyInstance } from 'fastify'
import type { Bank } from '../bank/bank.ts'
import type { Outcome } from '../bank/ledger.ts'
import { languageOf, localPath } from '../web/language.ts'
import { notFound, preparePages } from '../web/pages-scope.ts'
import { paymentOf, readOrderForm } from './order-form.ts'
import { receiptPage } from './receipt-page.ts'
import { sendPage } from './send-page.ts'

/** Web app in which a developer acts as a customer of the bank. */
export function mountBankApp(app: FastifyInstance, { bank }: { bank: Bank }): void {
  preparePages(app, 'bank')
  // Sends a receipt only when the payment is on disk.
  app.addHook('onSend', async () => bank.written())

  app.get('/', async ({ query }) => {
    const parameters = query as Record<string, unknown>
    const form = readOrderForm((name) => parameters[name], bank)
    return sendPage(bank, languageOf(query), form)
  })

  app.post('/send', async ({ body, query }, reply) => {
    const fields = formOf(body)
    const form = readOrderForm((name) => fields.get(name), bank)
    const language = languageOf(query)
    const payment = paymentOf(form, fields.get('how'), bank, language)
    if (!('toIban' in payment)) return reply.code(422).send(sendPage(bank, language, form, payment))
    // Redirects, so that reloading the receipt does not pay again.
    const ref = bank.pay(payment).map(({ reference }) => reference)
    return reply.redirect(localPath('/receipts', language, { ref, back: form.back }), 303)
  })

  app.post('/release', async ({ body, query }, reply) => {
    const released = bank.release(formOf(body).get('reference') ?? '')
    if (!released) throw notFound()
    return reply.redirect(localPath('/receipts', languageOf(query), { ref: released.reference }), 303)
  })

  app.get<{ Querystring: { ref?: string | string[]; back?: unknown } }>('/receipts', async ({ query }) => {
    const payments = [query.ref ?? []].flat().map((reference) => bank.payment(reference))
    if (payments.length === 0 || payments.includes(null)) throw notFound()
    return receiptPage(payments as Outcome[], languageOf(query), webAddress(query.back))
  })
}

/** Anything else, such as javascript:, must not become a link. */
function webAddress(text: unknown): string | null {
  return typeof text === 'string' && /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text) ? text : null
}

function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
