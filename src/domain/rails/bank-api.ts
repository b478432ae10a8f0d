import type { BankLine } from '../statements/index.ts'
import type { Rail, StatementPage } from './rail.ts'

const PAGE = 500
/** A bank that takes longer is asked again at the next turn. */
const PATIENCE_MS = 10_000

type WireLine = {
  account: string
  reference: string | null
  amount: number
  direction: 'credit' | 'debit'
  valueDate: string
  bookedAt: string
  senderName: string
  senderIban: string | null
  narrative: string
}

/** A bank that offers its statement over HTTP. The sandbox's simulated bank is reached through this and nothing else. */
export function bankApiRail({ baseUrl, key }: { baseUrl: string; key: string }): Rail {
  return {
    name: 'bank-api',
    async statement(cursor): Promise<StatementPage> {
      try {
        const url = `${baseUrl}/api/statement?since=${encodeURIComponent(cursor ?? '0')}&limit=${PAGE}`
        const response = await fetch(url, {
          headers: { authorization: `Bearer ${key}` },
          signal: AbortSignal.timeout(PATIENCE_MS),
          redirect: 'error',
        })
        if (!response.ok) return { outcome: 'unreachable', why: `HTTP ${response.status}` }
        const page = (await response.json()) as { lines: WireLine[]; cursor: string; more: boolean }
        return { outcome: 'read', lines: page.lines.flatMap(readLine), cursor: page.cursor, more: page.more }
      } catch (error) {
        return { outcome: 'unreachable', why: (error as Error).message }
      }
    },
  }
}

/** Zero amounts stand in real statements as remarks; they move nothing. */
function readLine({ account, reference, amount, bookedAt, ...line }: WireLine): BankLine[] {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new Error(`the bank sent an amount of ${amount}`)
  if (amount === 0) return []
  if (Number.isNaN(Date.parse(bookedAt)) || !/^\d{4}-\d{2}-\d{2}$/.test(line.valueDate)) {
    throw new Error(`the bank sent a line of ${account} without a proper date`)
  }
  const known = { accountIban: account, bankReference: reference, amount: BigInt(amount), bookedAt: new Date(bookedAt) }
  return [{ ...line, ...known }]
}
