import type { FastifyInstance } from 'fastify'
import type { Deposit } from '../../domain/deposits/index.ts'
import { findByCheckoutToken } from '../../domain/deposits/index.ts'
import type { Queryable } from '../../platform/db.ts'
import { formatMoney } from '../../platform/money.ts'
import type { Vault } from '../../platform/vault.ts'

const WORDS = {
  tr: {
    title: 'Ödeme durumu',
    amount: 'Tutar',
    deadline: 'Son ödeme zamanı',
    pending: 'Ödemeniz bekleniyor.',
    processing: 'Ödemeniz inceleniyor.',
    completed: 'Ödemeniz alındı.',
    failed: 'Ödeme tamamlanamadı.',
    expired: 'Ödeme süresi doldu. Gönderdiyseniz tekrar göndermeyin; paranız kaybolmaz.',
    cancelled: 'Ödeme iptal edildi.',
    unknown: 'Bu ödeme bağlantısı geçerli değil.',
  },
  en: {
    title: 'Payment status',
    amount: 'Amount',
    deadline: 'Pay until',
    pending: 'Waiting for your payment.',
    processing: 'Your payment is being reviewed.',
    completed: 'Your payment has arrived.',
    failed: 'The payment could not be completed.',
    expired: 'The time to pay is over. If you have sent it, do not send it again; your money is not lost.',
    cancelled: 'The payment was cancelled.',
    unknown: 'This payment link is not valid.',
  },
} as const

const STYLE =
  'body{margin:0;background:#f6f5f1;color:#1b1f23;font:16px/24px system-ui,sans-serif}' +
  'main{max-width:30rem;margin:12vh auto 0;padding:24px;background:#fff;border:1px solid #d9d6cc;border-radius:10px}' +
  'h1{margin:0 0 8px;font-size:20px;line-height:28px}dl{margin:16px 0 0}dt{color:#5a6169}dd{margin:0 0 8px;font-size:20px}' +
  '@media(prefers-color-scheme:dark){body{background:#12161a;color:#edf0f2}main{background:#1a2026;border-color:#333c45}dt{color:#a7b0b8}}'

/** A customer's answer must not be cached, framed, or named to the next site; and nothing in it may run. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

export function mountStatusPage(app: FastifyInstance, needs: { db: Queryable; vault: Vault }): void {
  app.get('/checkout/style.css', async (_request, reply) => {
    void reply.headers({ 'content-type': 'text/css', 'cache-control': 'public, max-age=3600' })
    return STYLE
  })
  app.get<{ Querystring: { token?: unknown } }>('/checkout', async ({ query }, reply) => {
    // One answer for every wrong token, whatever is wrong with it.
    const deposit = typeof query.token === 'string' ? await findByCheckoutToken(needs, query.token) : null
    void reply.code(deposit ? 200 : 404).headers(HEADERS)
    return page(deposit)
  })
}

function page(deposit: Deposit | null): string {
  const language = deposit?.language ?? 'tr'
  const words = WORDS[language]
  const facts = deposit
    ? `<dl><dt>${words.amount}</dt><dd>${formatMoney(deposit.amount, deposit.currency)}</dd>` +
      `<dt>${words.deadline}</dt><dd>${istanbul(deposit.expiresAt)}</dd></dl>`
    : ''
  return (
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${words.title}</title><link rel="stylesheet" href="/checkout/style.css">` +
    `<main><h1>${words.title}</h1><p>${words[deposit?.status ?? 'unknown']}</p>${facts}</main></html>`
  )
}

function istanbul(date: Date): string {
  return date.toLocaleString('tr-TR', { timeZone: 'Europe/Istanbul', dateStyle: 'short', timeStyle: 'short' })
}
