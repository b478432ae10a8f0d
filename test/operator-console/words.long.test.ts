import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideDoubt, dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { SECTIONS as MERCHANT_SECTIONS } from '../../packages/server/src/edges/merchant-console/routes.ts'
import { SECTIONS } from '../../packages/server/src/edges/operator-console/routes.ts'
import type { Codes } from '../../packages/server/src/edges/web/console/codes/codes.ts'
import { tr } from '../../packages/server/src/edges/web/console/codes/tr.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { EVENT_TYPES } from '@vezne/contract'
import { approve } from '../harness/approvals.ts'
import { consoleSubjects, merchantPaths } from '../harness/console-subjects.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { cheap, merchantUser, PASSWORD as MERCHANT_PASSWORD } from '../harness/logins.ts'
import { addPerson, giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { ingest, lineFor, matchAll, someDeposits, unknownPayment } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'

// A day with something of everything; then every page of both consoles is read.
const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(9_000_000n, { name: 'Mürekkep Kitabevi' })
const journal = await openJournal(app)
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await giveLogin(service, name)

const ID = '[0-9a-f]{24}'
const ids: string[] = []
const withdraw = async (body = {}) => {
  const id = accepted(await shop.post('/v1/withdraw', withdrawBody(body)), 201).transactionId as string
  ids.push(id)
  return id
}

async function live(): Promise<void> {
  const deposits = await someDeposits(app, shop.merchantId, 6, 84_000n)
  ids.push(...deposits.map(({ id }) => id))
  const [paid, short, other, over, code] = deposits
  if (!paid || !short || !other || !over || !code) return assert.fail('no deposits')
  const lines = [
    await lineFor(app, paid),
    await lineFor(app, paid, { bankReference: 'second' }),
    await lineFor(app, short, { amount: 50_000n }),
    await lineFor(app, over, { amount: 99_000n }),
    await lineFor(app, other, { senderName: 'Zeynep Kaya', bankReference: 'other' }),
    await lineFor(app, code, { narrative: 'kira' }),
    await unknownPayment(app),
  ]
  await ingest(app, lines)
  await matchAll(app)
  await withdraw({ amount: 25_000 })
  await service.work()
  await service.call('PUT', 'faults', { kinds: ['error_before'], delayMs: 5 })
  const unknown = await withdraw({ amount: 33_000 })
  await service.work()
  await service.call('DELETE', 'faults')
  await decideDoubt(app, AYSE, unknown, { verdict: 'found', evidence: '1042007731' })
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 500_000n })
  const waiting = await withdraw({ amount: 750_000 })
  await withdraw({ amount: 760_000 })
  await dispatchWithdrawals(app)
  await approve(app, MEHMET, waiting, 'telefonla soruldu')
  const fee = await journal.arrives('debit', 1_250n, { narrative: 'EFT UCRETI' })
  await journal.propose('bank_charge', { lineIds: [fee] })
}

await live()
const subject = await consoleSubjects(app, ids[0] ?? '', undefined, ['mehmet.kaya'])
const ofMerchant = await merchantPaths(app, shop.merchantId)

async function operatorPaths(): Promise<string[]> {
  const lines = (
    await Promise.all((['suspense', 'needs_review', 'matched'] as const).map((state) => listLines(app.db, state, 20)))
  ).flat()
  assert.ok(lines.length >= 6)
  const views = SECTIONS.flatMap(({ views: some }) => some.map(({ path }) => path))
  return [
    ...views.filter((path) => !/^\/(matching|transactions)\/:/.test(path)).map((path) => subject(ofMerchant(path))),
    ...lines.flatMap(({ id }) => [`/matching/${id}`, `/matching/${id}?entry=refund_unexplained`]),
    ...ids.map((id) => `/transactions/${id}`),
    ...['kind=deposit', 'kind=withdrawal'].map(
      (kind) => `/transactions?${kind}&columns=name,amount,status,notes,merchant`,
    ),
    ...['ayse yilmaz', '840', 'ayse 840', ids[0] ?? ''].map((text) => `/search?q=${encodeURIComponent(text)}`),
  ]
}

/** Codes of the lists that are no word of the page's language, with the list that each is of. */
function codesOf(isForeign: (code: string, words: string) => boolean): Map<string, string> {
  const words = Object.values(tr)
    .flatMap((list: Codes[keyof Codes]) => Object.values(list))
    .join(' ')
    .toLocaleLowerCase('tr')
  const all = Object.entries(tr).flatMap(([list, codes]) =>
    Object.keys(codes).map((code): [string, string] => [code, list]),
  )
  // The name of an event is what merchants get.
  const events: ReadonlySet<string> = new Set(EVENT_TYPES)
  return new Map(all.filter(([code]) => isForeign(code, words) && !events.has(code)))
}

/** As a word of its own: not a part of an id, an address or a name of the API, such as deposit.completed. */
const isIn = (text: string, code: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}_./:@-])${code.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}_/:@-]|\\.\\p{L})`, 'u').test(text)

async function codesOn(person: ReturnType<typeof visitor>, paths: string[], codes: Map<string, string>) {
  const found: string[] = []
  for (const path of paths) {
    const { status, text, location } = await person.request(path)
    assert.ok(status === 200 || (status === 303 && location !== null), `${path}: ${status}`)
    const shown = visibleText(text)
    for (const [code, list] of codes)
      if (isIn(shown, code)) found.push(`${path.replace(new RegExp(ID), ':id')}: ${code} (${list})`)
    if (/\bvezne (?:line|journal|withdrawal|payout|batch|statement|doctor|work|migrate|audit)\b/.test(shown))
      found.push(`${path}: a command`)
    if (shown.includes('000000000000000000000000')) found.push(`${path}: the id of the house`)
    if (/\bsee \w+_\w+/.test(shown)) found.push(`${path}: the name of a table`)
  }
  return [...new Set(found)]
}

/** Every code that is no Turkish word itself, such as havale. */
const foreign = codesOf((code, words) => !words.includes(code.toLocaleLowerCase('tr')))
/** An English word may be a code, too; one with an underscore or a dot is none. */
const internal = codesOf((code) => /[_.]/.test(code))

test('no page of the operator console shows a code, a command or a table: Turkish', async () => {
  assert.ok(foreign.size > 200, `${foreign.size} codes`)
  const person = visitor(service)
  await person.logIn('mehmet.kaya')
  assert.deepEqual(await codesOn(person, await operatorPaths(), foreign), [])
})

test('no page of the operator console shows a code, a command or a table: English', async () => {
  const person = visitor(service)
  await person.logIn('mehmet.kaya')
  await person.request('?lang=en')
  assert.deepEqual(await codesOn(person, await operatorPaths(), internal), [])
})

/** Merchants name their own transactions so, and fill in the columns of a file. */
const OF_THE_API = new Set(['processId', 'amount'])

test('no page of the merchant console shows a code: both languages', async () => {
  await merchantUser(cheap(app), shop.merchantId, 'sahip@murekkep.example')
  const person = visitor(service, 'merchant')
  await person.logIn('sahip@murekkep.example', MERCHANT_PASSWORD)
  const views = MERCHANT_SECTIONS.flatMap(({ views: some }) => some.map(({ path }) => path))
  const paths = [
    ...views.filter((path) => !path.includes(':') && !path.endsWith('/export')),
    ...['ayse yilmaz', '840', '1296'].map((text) => `/search?q=${encodeURIComponent(text)}`),
    ...ids.map((id) => `/transactions/${id}`),
  ]
  const codes = new Map([...foreign].filter(([code]) => !OF_THE_API.has(code)))
  assert.deepEqual(await codesOn(person, paths, codes), [])
  await person.request('?lang=en')
  assert.deepEqual(await codesOn(person, paths, internal), [])
})

test('the audit shows what people wrote, though it keeps only where', async () => {
  await addPerson(service, 'deniz.su', ['auditor'])
  const person = visitor(service)
  await person.logIn('deniz.su')
  const text = visibleText((await person.request('/audit')).text)
  for (const written of ['1042007731', 'telefonla soruldu', 'Belirsiz ödeme için görüş bildirdi'])
    assert.ok(text.includes(written), written)
})
