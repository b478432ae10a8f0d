import type { ProposalForm } from '../../../domain/books/index.ts'
import { openCharges, openReceivables, openRests, stornoLines } from '../../../domain/books/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { findLine } from '../../../domain/statements/index.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { accountNames, merchantNames } from '../names.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import { transactionOfLine } from './desk.ts'
import { fieldsOf } from './read-proposal.ts'

/** What the fields of a form choose from, and the names of accounts. */
export type Choices = {
  accounts: { id: string; name: string }[]
  receivables: Awaited<ReturnType<typeof openReceivables>>
  /** What merchants were charged, and a credit may give back. */
  charges: Awaited<ReturnType<typeof openCharges>>
  rests: Awaited<ReturnType<typeof openRests>>
  /** Lines that a storno may be about. */
  lines: { line: StoredLine; transaction: Awaited<ReturnType<typeof transactionOfLine>> }[]
  accountName: AccountName
  merchants: MerchantNames
}

export async function readChoices(app: OperatorDeps, form: ProposalForm, { id }: Asked): Promise<Choices> {
  const { pages } = app.db
  const fields = new Set(fieldsOf(form))
  const accountName = await accountNames(app)
  return {
    accountName,
    merchants: await merchantNames(app),
    accounts: (await app.banks.accounts()).map(({ id }) => ({ id, name: accountName(id) ?? id })),
    receivables: fields.has('settles') ? await openReceivables(pages) : [],
    charges: givesBack(form) ? await openCharges(pages) : [],
    rests: fields.has('restOf') ? await openRests(pages) : [],
    lines: form.kind === 'storno' ? await linesOfStorno(pages, id) : [],
  }
}

async function linesOfStorno(db: Queryable, id: string): Promise<Choices['lines']> {
  const line = await findLine(db, id)
  const found = line ? await stornoLines(db, line) : []
  return Promise.all(found.map(async (one) => ({ line: one, transaction: await transactionOfLine(db, one) })))
}

/** A credit, or the rest of one, settles what was charged too; nothing else does. */
const givesBack = ({ kind, variant }: ProposalForm) =>
  kind === 'receivable' && (variant === 'settled' || variant === 'settled_by_rest')
