import assert from 'node:assert/strict'
import { decideCorrection, amountOfMatch, matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import type { StoredLine } from '../../packages/server/src/domain/statements/index.ts'
import type { startBankDays } from './bank-days.ts'
import { AYSE } from './journal.ts'
import { matchAll } from './payments.ts'

type Days = Awaited<ReturnType<typeof startBankDays>>

/** What a person knows beyond the line: which payout came back, and for which deposits one transfer was. */
export type Known = {
  returnOf: (line: StoredLine) => string | undefined
  partsOf: (line: StoredLine) => { depositId: string; amount: bigint }[] | undefined
  merchantId: string
}

/** Two people explain every open line by what the bank writes. */
export function explainingPeople({ app, accounts, journal, linesOf, deposit }: Days, known: Known) {
  const counts: Record<string, number> = {}
  const post: typeof journal.post = (kind, terms, reverses) => {
    counts[kind] = (counts[kind] ?? 0) + 1
    return journal.post(kind, terms, reverses)
  }
  const byId = async (id: string | null) => (await linesOf()).find((line) => line.id === id) ?? assert.fail('no line')

  /** The deposit waits for its money again; the corrected line takes the place of the first. */
  async function replace(corrected: StoredLine): Promise<void> {
    const first = await byId(corrected.correctsLineId)
    if (first.depositId) await post('unmatch', { depositId: first.depositId, to: 'processing' })
    counts['correction'] = (counts['correction'] ?? 0) + 1
    await decideCorrection(app, AYSE, corrected.id, 'replaces')
    await matchAll(app)
  }

  async function explainDebit(line: StoredLine): Promise<unknown> {
    const { id, narrative: text } = line
    const all = await linesOf()
    const [, number] = /^STORNO (\d+)/.exec(text) ?? []
    if (number !== undefined) {
      const credit = all.find(
        (one) => one.bankReference === number && one.direction === 'credit' && one.state !== 'dismissed',
      )
      return post('storno', { lineIds: [id, credit?.id ?? ''] })
    }
    if (text.includes('BSMV')) return post('bank_tax', { lineIds: [id] })
    if (/MASRAF|ÜCRET/.test(text)) return post('bank_charge', { lineIds: [id] })
    const credit = all.find((one) => one.bankReference === line.bankReference && one.direction === 'credit')
    assert.ok(text.includes('VİRMAN') && credit, `a debit that no one can explain: ${text}`)
    return post('own_transfer', { lineIds: [id, credit.id] })
  }

  async function explainCredit(line: StoredLine): Promise<unknown> {
    const { id, narrative: text, reason } = line
    const lineIds = [id]
    if (line.correctsLineId !== null && line.state === 'needs_review') return replace(line)
    if (line.depositId !== null) {
      const { amount } = await amountOfMatch(app, id, line.depositId)
      counts['match'] = (counts['match'] ?? 0) + 1
      return matchByHand(app, AYSE, id, line.depositId, 'the customer confirmed it', amount)
    }
    if (text.includes('FAİZ')) return post('interest', { lineIds })
    const withdrawalId = known.returnOf(line)
    if (withdrawalId !== undefined) return post('payout_return', { lineIds, withdrawalId, costsBy: 'operator' })
    const parts = known.partsOf(line)
    if (parts) return post('deposit_payment', { lineIds, parts })
    // It was matched by mistake, or its deposit failed: the customer has made another one.
    if (reason === 'journal_unmatch' || reason === 'deposit_failed') return reassign(line)
    return post('refund_unexplained', { lineIds })
  }

  async function reassign(line: StoredLine): Promise<void> {
    const account = accounts.find((one) => one.id === line.collectingAccountId) ?? assert.fail('not our account')
    const { id } = await deposit(known.merchantId, account, line.amount)
    await post('deposit_payment', { lineIds: [line.id], depositId: id })
  }

  /** Debits first: what they take back, or are the other side of, is then explained too. */
  async function explainAll(): Promise<void> {
    for (let turn = 0; turn < 1000; turn++) {
      const open = await linesOf('needs_review', 'suspense')
      const line = open.find(({ direction }) => direction === 'debit') ?? open[0]
      if (!line) return
      await (line.direction === 'debit' ? explainDebit(line) : explainCredit(line))
    }
    assert.fail('explaining does not end')
  }

  /** Decisions: an entry takes two people, a match or a correction one. */
  function actions(): number {
    const alone = (counts['match'] ?? 0) + (counts['correction'] ?? 0)
    return 2 * Object.values(counts).reduce((sum, count) => sum + count, 0) - alone
  }

  return { explainAll, post, counts, actions }
}
