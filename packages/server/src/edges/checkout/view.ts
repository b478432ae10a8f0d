import type { Marks } from '../../platform/crypto/marks.ts'
import type { BankDirectory, BankOption, CollectingAccount, RailNote } from '../../domain/banks/index.ts'
import { FAST, railNote } from '../../domain/banks/index.ts'
import type { Deposit } from '../../domain/deposits/index.ts'
import { historyOf, payableUntil } from '../../domain/deposits/index.ts'
import type { Brand, MatchingPolicy } from '../../domain/merchants/index.ts'
import { isShowable, merchantsInForce } from '../../domain/merchants/index.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { plainName } from '../web/html.ts'
import type { Screen } from './screen.ts'
import { screenOf } from './screen.ts'
import { en } from './words-en.ts'
import type { Words } from './words-tr.ts'
import { tr } from './words-tr.ts'

const LANGUAGES = { tr, en }
export type Language = keyof typeof LANGUAGES

/** Query parameters: the language, and the bank that just had no free account. */
export type Asked = { lang?: unknown; full?: unknown }

/** Everything needed to render a screen. */
export type View = {
  deposit: Deposit
  /** When it was paid; a refund or a second payment does not change it. */
  paidAt: Date
  screen: Screen
  language: Language
  words: Words
  brand: Brand
  /** As the merchant named it in the metadata. */
  order: { number: string | null; description: string | null }
  nameCheck: MatchingPolicy['nameCheck']
  options: BankOption[]
  /** The chosen bank; null if none. */
  bank: { id: string; name: string } | null
  /** Null if there is none, or if payments into it are no longer allowed. */
  account: CollectingAccount | null
  rail: RailNote | null
  full: BankOption | null
  now: Date
  /** URL path of the page, and its query if it differs from the default. */
  path: string
  query: string
  /** The page's whole address. */
  pageUrl: string
  sandbox: boolean
  bankAppUrl: string | null
}

export type ViewNeeds = {
  db: Db
  clock: Clock
  marks: Marks
  banks: BankDirectory
  sandbox: boolean
  publicUrl: () => string
  bankAppUrl?: (() => string | null) | undefined
}

export async function viewOf(app: ViewNeeds, deposit: Deposit, root: string, asked: Asked): Promise<View> {
  const { merchantId, bankId, collectingAccountId, currency } = deposit
  const [merchants, options, account, bank, holidays, paidAt] = await Promise.all([
    merchantsInForce(app, [merchantId]),
    app.banks.optionsFor(merchantId, currency),
    collectingAccountId === null ? undefined : app.banks.account(collectingAccountId),
    bankId === null ? undefined : app.banks.bank(bankId),
    app.banks.holidays(),
    paidAtOf(app, deposit),
  ])
  const merchant = merchants.get(merchantId)
  if (!merchant) throw new Error(`Deposit ${deposit.id} has no merchant.`)
  const now = app.clock.now()
  const language = languageOf(asked.lang, deposit)
  const path = `${root}/${deposit.id}`
  const query = queryOf(asked.lang, deposit)
  const fast = options.find(({ id }) => id === FAST)
  return {
    deposit,
    paidAt,
    screen: screenOf(deposit, now),
    language,
    words: LANGUAGES[language],
    brand: { ...merchant.brand, displayName: plainName(merchant.brand.displayName) },
    order: { number: textOf(deposit, 'order', 40), description: textOf(deposit, 'description', 120) },
    nameCheck: merchant.matching.nameCheck,
    options,
    bank: bank ?? null,
    account: account && account.state !== 'blocked' ? account : null,
    rail: fast ? railNote(deposit.amount, fast.maxAmount, now, holidays) : null,
    full: options.find(({ id }) => id === (asked.full ?? bankId)) ?? null,
    now,
    path,
    query,
    pageUrl: new URL(path + query, app.publicUrl()).href,
    sandbox: app.sandbox,
    bankAppUrl: app.sandbox ? (app.bankAppUrl?.() ?? null) : null,
  }
}

/** Metadata may hold anything: only a short text or a number is shown, and nothing that looks like an account to pay to. */
function textOf({ metadata }: Deposit, name: string, max: number): string | null {
  const value: unknown = (metadata as Record<string, unknown> | null)?.[name]
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = plainName(String(value))
  if (!isShowable(text)) return null
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}

async function paidAtOf({ db }: ViewNeeds, deposit: Deposit): Promise<Date> {
  if (deposit.status !== 'completed') return deposit.updatedAt
  const steps = await historyOf(db, deposit)
  return steps.findLast(({ from, to }) => to === 'completed' && from !== to)?.at ?? deposit.updatedAt
}

function languageOf(asked: unknown, { language }: Pick<Deposit, 'language'>): Language {
  return asked === 'tr' || asked === 'en' ? asked : language
}

/** The language is in the URL only if it differs from the one the merchant requested. */
export function queryOf(asked: unknown, deposit: Pick<Deposit, 'language'>): string {
  const language = languageOf(asked, deposit)
  return language === deposit.language ? '' : `?lang=${language}`
}

export function secondsLeft({ deposit, now }: Pick<View, 'deposit' | 'now'>): number {
  return Math.max(0, Math.ceil((payableUntil(deposit).getTime() - now.getTime()) / 1000))
}
