import type { App } from '../../packages/server/src/compose.ts'
import { openCollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import { manualConnection, setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import type { FileContent, ImportOptions } from '../../packages/server/src/domain/statements/index.ts'
import { importFile, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'

/** A booking as a bank knows it; each format shows what it has room for. */
export type Booking = {
  number?: string
  amount: number
  debit?: true
  sender?: string
  iban?: string
  text?: string
  day?: string
  time?: string
  status?: 'BOOK' | 'PDNG'
  currency?: string
  /** Details of a batch entry; shown only if `opened`. */
  details?: { amount: number; sender: string; text: string; number?: string }[]
  opened?: boolean
}

type Statement = { iban: string; day: string; opening?: number; closing?: number; bookings: Booking[]; id?: string }

const decimal = (kurus: number) => (Math.abs(kurus) / 100).toFixed(2)
const mark = (kurus: number) => (kurus < 0 ? 'DBIT' : 'CRDT')
const change = ({ amount, debit, status }: Booking) => (status === 'PDNG' ? 0 : debit ? -amount : amount)

/** The closing balance that the bookings give. */
function closingOf({ opening = 0, bookings }: Pick<Statement, 'opening' | 'bookings'>): number {
  return bookings.reduce((sum, booking) => sum + change(booking), opening)
}

const CAMT = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const

export function camt(format: keyof typeof CAMT, ...statements: Statement[]): string {
  const [message, element] = CAMT[format]
  const all = statements.map((one) => {
    const account = `<Acct><Id><IBAN>${one.iban}</IBAN></Id><Ccy>TRY</Ccy></Acct>`
    const balances = format === '053' && one.opening !== undefined ? camtBalances(one) : ''
    const entries = one.bookings.map((booking) => camtEntry(booking, one.day)).join('\n')
    return `<${element}><Id>${one.id ?? 'S1'}</Id>${account}${balances}\n${entries}</${element}>`
  })
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.${format}.001.02`
  const head = `<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-31T08:00:00+03:00</CreDtTm></GrpHdr>`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}"><${message}>${head}${all.join('\n')}</${message}></Document>`
}

function camtBalances(one: Statement): string {
  const closing = one.closing ?? closingOf(one)
  return [
    ['OPBD', one.opening ?? 0],
    ['CLBD', closing],
  ]
    .map(([type, amount]) => {
      const kurus = amount as number
      const what = `<Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="TRY">${decimal(kurus)}</Amt>`
      return `<Bal>${what}<CdtDbtInd>${mark(kurus)}</CdtDbtInd><Dt><Dt>${one.day}</Dt></Dt></Bal>`
    })
    .join('')
}

function camtEntry(booking: Booking, statementDay: string): string {
  const { number, amount, debit, time, status = 'BOOK', currency = 'TRY', day = statementDay } = booking
  const booked = time ? `<DtTm>${day}T${time}+03:00</DtTm>` : `<Dt>${day}</Dt>`
  const reference = number ? `<AcctSvcrRef>${number}</AcctSvcrRef>` : ''
  const head = `<Amt Ccy="${currency}">${decimal(amount)}</Amt><CdtDbtInd>${debit ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>${status}</Sts>`
  const dates = `<BookgDt>${booked}</BookgDt><ValDt><Dt>${day}</Dt></ValDt>${reference}`
  return `<Ntry>${head}${dates}${camtDetails(booking)}</Ntry>`
}

function camtDetails({ debit, sender, iban, text, details, opened, amount }: Booking): string {
  if (details && !opened) return `<AddtlNtryInf>TOPLU</AddtlNtryInf>`
  const one = (each: { amount: number; sender?: string; text?: string; number?: string; iban?: string }) => {
    const role = debit ? 'Cdtr' : 'Dbtr'
    const party = each.sender ? `<${role}><Nm>${each.sender}</Nm></${role}>` : ''
    const account = each.iban ? `<${role}Acct><Id><IBAN>${each.iban}</IBAN></Id></${role}Acct>` : ''
    const refs = each.number ? `<Refs><AcctSvcrRef>${each.number}</AcctSvcrRef></Refs>` : ''
    const sum = details ? `<AmtDtls><TxAmt><Amt Ccy="TRY">${decimal(each.amount)}</Amt></TxAmt></AmtDtls>` : ''
    const parties = party || account ? `<RltdPties>${party}${account}</RltdPties>` : ''
    return `<TxDtls>${refs}${sum}${parties}<RmtInf><Ustrd>${each.text ?? ''}</Ustrd></RmtInf></TxDtls>`
  }
  const all = details ?? [
    { amount, ...(sender ? { sender } : {}), ...(iban ? { iban } : {}), ...(text ? { text } : {}) },
  ]
  return `<NtryDtls>${all.map(one).join('')}</NtryDtls>`
}

const short = (day: string) => day.slice(2).replaceAll('-', '')
const comma = (kurus: number) => decimal(kurus).replace('.', ',')

export function mt(type: '940' | '942', { iban, day, opening = 0, closing, bookings, id = '1/1' }: Statement): string {
  const lines = bookings.flatMap((booking) => {
    const sign = `${booking.status === 'PDNG' ? 'E' : ''}${booking.debit ? 'D' : 'C'}`
    const on = booking.day ?? day
    const reference = booking.number ? `//${booking.number}` : ''
    return [
      `:61:${short(on)}${short(on).slice(2)}${sign}${comma(booking.amount)}NTRFNONREF${reference}`,
      `:86:?20${booking.text ?? ''}?32${booking.sender ?? ''}${booking.iban ? `?38${booking.iban}` : ''}`,
    ]
  })
  const balance = (tag: string, kurus: number) => `:${tag}:${kurus < 0 ? 'D' : 'C'}${short(day)}TRY${comma(kurus)}`
  const head = [':20:1', `:25:${iban}`, `:28C:${id}`]
  const end = closing ?? closingOf({ opening, bookings })
  const all =
    type === '940'
      ? [...head, balance('60F', opening), ...lines, balance('62F', end)]
      : [...head, ':34F:TRY0,', `:13D:${short(day)}1200+0300`, ...lines]
  return `${all.join('\r\n')}\r\n`
}

/** A file in memory, given in small pieces. */
export function contentOf(name: string, text: string): FileContent {
  const bytes = Buffer.from(text)
  return {
    name,
    async *open() {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
    },
  }
}

let accounts = 0

/** A new account whose statements come as files: its lines, and imports for it. */
export async function openFileAccount(app: App) {
  const iban = makeIban('0046', String(8_810_000 + ++accounts))
  const { id } = await openCollectingAccount(app, UNATTRIBUTED, { iban, title: 'Hesap A.Ş.', currency: 'TRY' })
  const connections = [manualConnection]
  await setSourceOfRecord({ ...app, connections }, UNATTRIBUTED, [iban], manualConnection.name)
  const lines = async () =>
    (await listLines(app.db, undefined, 5000)).filter((line) => line.collectingAccountId === id).toReversed()
  const take = (text: string, { name = 'file', ...options }: Partial<ImportOptions> & { name?: string } = {}) =>
    importFile(app, UNATTRIBUTED, contentOf(name, text), { ...PLAIN, ...options })
  return { id, iban, lines, take }
}

export const PLAIN = { connection: null, account: null, profile: null, acceptProblems: null }
