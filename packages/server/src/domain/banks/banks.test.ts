import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../kernel/actor.ts'
import { startService } from '../../../../../test/harness/service.ts'
import { bankCodeOf, ibanProblem, makeIban } from '../../kernel/iban.ts'
import { sql } from '../../platform/postgres/sql.ts'
import {
  bankLogo,
  monograms,
  FAST,
  fits,
  listBanks,
  openBankDirectory,
  openCollectingAccount,
  seedBanks,
  seedSandboxAccounts,
  setBankLimits,
  switchBank,
} from './index.ts'
import { listAccounts } from './store.ts'
import { TURKISH_BANKS } from './turkish-banks.ts'

const { app, merchant } = await startService()
const { merchantId } = await merchant()

/** Opens a new directory, so that no cached list is used. */
const options = (id = merchantId, currency = 'TRY') => openBankDirectory(app).optionsFor(id, currency)
const codesFor = async (id = merchantId) => (await options(id)).map(({ code }) => code)

test('the list of banks: four-digit codes, each once', () => {
  const codes = TURKISH_BANKS.map(([code]) => code)
  assert.equal(new Set(codes).size, codes.length)
  for (const code of codes) assert.match(code, /^\d{4}$/)
})

test('a merchant sees FAST first, then the retail banks in the Turkish alphabet', async () => {
  const [fast, ...banks] = await options()
  assert.deepEqual({ ...fast }, { id: 'FAST', code: 'FAST', name: 'FAST', minAmount: 100n, maxAmount: 10_000_000n })
  const names = banks.map(({ name }) => name)
  assert.deepEqual(names, names.toSorted(new Intl.Collator('tr').compare))
  assert.deepEqual(
    banks.map(({ code }) => code).toSorted(),
    TURKISH_BANKS.filter(([, , , , , retail]) => retail)
      .map(([code]) => code)
      .toSorted(),
  )
  for (const { id } of banks) assert.match(id, /^[0-9a-f]{24}$/)
})

test('limits include both ends', () => {
  const limits = { minAmount: 100n, maxAmount: 200n }
  assert.deepEqual(
    [99n, 100n, 200n, 201n].map((amount) => fits(amount, limits)),
    [false, true, true, false],
  )
})

test('a bank switched off for one merchant is off for that one only; for everyone, for all', async () => {
  const other = await merchant()
  await switchBank(app, UNATTRIBUTED, '0062', false, merchantId)
  assert.ok(!(await codesFor()).includes('0062'))
  assert.ok((await codesFor(other.merchantId)).includes('0062'))
  await switchBank(app, UNATTRIBUTED, '0062', true, merchantId)
  assert.ok((await codesFor()).includes('0062'))
  await switchBank(app, UNATTRIBUTED, '0062', false)
  assert.ok(!(await codesFor()).includes('0062'))
  assert.ok(!(await codesFor(other.merchantId)).includes('0062'))
  await switchBank(app, UNATTRIBUTED, '0062', true)
  assert.ok((await codesFor()).includes('0062'))
})

test('FAST carries TRY only: in another currency it is neither offered nor given an account', async () => {
  const iban = makeIban('0062', '4711')
  await openCollectingAccount(app, UNATTRIBUTED, { iban, title: 'Vezne Deneme', currency: 'USD' })
  await setBankLimits(app, UNATTRIBUTED, '0062', 'USD', { minAmount: 1n, maxAmount: 1000n })
  await assert.rejects(setBankLimits(app, UNATTRIBUTED, FAST, 'USD', { minAmount: 1n, maxAmount: 1000n }), {
    code: 'VALIDATION_ERROR',
  })
  // As in a database of an earlier version.
  await app.db.query(
    sql`insert into bank_limits (bank_id, currency, min_amount, max_amount) values ('FAST', 'USD', 1, 1000)`,
  )
  assert.deepEqual(
    (await options(merchantId, 'USD')).map(({ code }) => code),
    ['0062'],
  )
  assert.deepEqual(await openBankDirectory(app).accountsFor(FAST, 'USD'), [])
})

test('limits are set per currency; a currency without limits or accounts has no banks', async () => {
  await setBankLimits(app, UNATTRIBUTED, '0046', 'TRY', { minAmount: 500n, maxAmount: 600n })
  const akbank = (await options()).find(({ code }) => code === '0046')
  assert.deepEqual([akbank?.minAmount, akbank?.maxAmount], [500n, 600n])
  assert.deepEqual(await options(merchantId, 'EUR'), [])
  for (const limits of [
    { minAmount: 0n, maxAmount: 5n },
    { minAmount: 6n, maxAmount: 5n },
    { minAmount: 1n, maxAmount: 9_007_199_254_740_992n },
  ]) {
    await assert.rejects(setBankLimits(app, UNATTRIBUTED, '0046', 'TRY', limits), { code: 'VALIDATION_ERROR' })
  }
  await assert.rejects(setBankLimits(app, UNATTRIBUTED, '9999', 'TRY', { minAmount: 1n, maxAmount: 2n }), {
    code: 'NOT_FOUND',
  })
})

test('a bank without an account to pay into is not offered; with one it is', async () => {
  await switchBank(app, UNATTRIBUTED, '0129', true)
  assert.ok(!(await codesFor()).includes('0129'))
  const account = await openCollectingAccount(app, UNATTRIBUTED, {
    iban: makeIban('0129', '77').replace(/.{4}/g, '$& ').toLowerCase(),
    title: '  Deneme A.Ş. ',
    currency: 'TRY',
  })
  assert.equal(account.iban, makeIban('0129', '77'))
  assert.equal(account.title, 'Deneme A.Ş.')
  assert.ok((await codesFor()).includes('0129'))
  const directory = openBankDirectory(app)
  assert.deepEqual(
    (await directory.accountsFor(account.bankId, 'TRY')).map(({ id }) => id),
    [account.id],
  )
  assert.ok((await directory.accountsFor('FAST', 'TRY')).some(({ id }) => id === account.id))
  assert.equal((await directory.account(account.id))?.bankName, 'Bank of America')
})

test('a collecting account needs a valid IBAN of a known bank and a name; the same IBAN twice is refused in words', async () => {
  const open = (iban: string, title = 'Deneme A.Ş.') =>
    openCollectingAccount(app, UNATTRIBUTED, { iban, title, currency: 'TRY' })
  await assert.rejects(open('TR000004600000000000000026'), { code: 'INVALID_IBAN' })
  await assert.rejects(open(makeIban('9999', '1')), { code: 'NOT_FOUND' })
  await assert.rejects(open(makeIban('0046', '5'), ' x '), { code: 'VALIDATION_ERROR' })
  await assert.rejects(open(makeIban('0046', '5'), 'x'.repeat(141)), { code: 'VALIDATION_ERROR' })
  await open(makeIban('0046', '5'))
  await assert.rejects(open(makeIban('0046', '5')), { name: 'Refusal' })
})

test('seeding again changes nothing that the operator has changed', async () => {
  await switchBank(app, UNATTRIBUTED, '0067', false)
  const before = await listBanks(app)
  await Promise.all([seedBanks(app), seedBanks(app), seedSandboxAccounts(app), seedSandboxAccounts(app)])
  assert.deepEqual(await listBanks(app), before)
  await switchBank(app, UNATTRIBUTED, '0067', true)
})

test('the sandbox accounts have valid IBANs that name their own bank, each once', async () => {
  const accounts = await listAccounts(app.db)
  const banks = new Map((await listBanks(app)).map(({ id, code }) => [id, code]))
  assert.equal(new Set(accounts.map(({ iban }) => iban)).size, accounts.length)
  for (const { iban, bankId } of accounts) {
    assert.equal(ibanProblem(iban), null)
    assert.equal(bankCodeOf(iban), banks.get(bankId))
  }
})

test('monograms of a list are distinct, whatever the names', () => {
  const names = ['Akbank', 'Aktif Bank', 'Alternatif Bank', 'Albaraka Türk', 'Anadolubank', 'A&T Bank', 'QNB', 'QNB']
  const list = names.map((name, index) => ({ code: `000${index}`, name }))
  assert.deepEqual(monograms(list), ['Ak', 'AkB', 'AlB', 'AlT', 'An', 'ATB', '0006', '0007'])
  const all = TURKISH_BANKS.map(([code, name]) => ({ code, name }))
  assert.equal(new Set(monograms(all)).size, all.length)
})

test('a logo shows the monogram of its bank and lets no name become markup', () => {
  const letters = (name: string) => />([^<]*)<\/text>/.exec(bankLogo('0001', name))?.[1]
  assert.equal(letters('QNB'), 'QNB')
  assert.equal(letters('iş bankası'), 'İB')
  assert.equal(letters('Akbank'), 'Ak')
  assert.equal(letters(''), '?')
  const hostile = bankLogo('0001', `"><script>alert('1')</script>&`)
  assert.ok(!/<script|alert\('|"><s/.test(hostile), hostile)
  assert.equal(bankLogo('0001', 'A'), bankLogo('0001', 'A'))
  assert.notEqual(bankLogo('0001', 'A'), bankLogo('0002', 'A'))
})
