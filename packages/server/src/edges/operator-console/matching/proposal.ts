import type { EntryPreview, ProposalForm } from '../../../domain/books/index.ts'
import { openReceivables, openRests, previewEntry } from '../../../domain/books/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked } from '../kind.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { accountNames, merchantNames } from '../names.ts'
import type { Proposal } from './proposal-form.ts'
import { fieldsOf, formNamed, isComplete, readProposal } from './read-proposal.ts'
import { WORDS } from './words.ts'

/** What the fields of a form choose from, and the names of accounts. */
export type Choices = {
  accounts: { id: string; name: string }[]
  receivables: Awaited<ReturnType<typeof openReceivables>>
  rests: Awaited<ReturnType<typeof openRests>>
  accountName: AccountName
  merchants: MerchantNames
}

/** What was sent with a form, or else what the address says. */
function valuesFrom({ query, fields }: Asked): URLSearchParams {
  if (fields.has('entry')) return fields
  const given = Object.entries(query).filter((one): one is [string, string] => typeof one[1] === 'string')
  return new URLSearchParams(given)
}

/** The form that the address or the sent fields name; null if they name none that begins so. */
export function wantedForm(asked: Asked, hasLine: boolean): ProposalForm | null {
  const form = formNamed(valuesFrom(asked).get('entry') ?? '')
  return form && (form.line !== null) === hasLine ? form : null
}

/** The proposal as far as it is said, with a preview once it is complete. */
export async function readyProposal(app: OperatorDeps, asked: Asked, form: ProposalForm): Promise<Proposal> {
  const values = valuesFrom(asked)
  const choices = await readChoices(app, form)
  const isReady = isComplete(form, values) && asked.viewer.may('journal.propose')
  const { preview, refused } = isReady ? await tried(app, asked, form, values) : { preview: null, refused: null }
  return { form, values, preview, refused, choices }
}

async function tried(app: OperatorDeps, { viewer, id }: Asked, form: ProposalForm, values: URLSearchParams) {
  try {
    const said = readProposal(WORDS[viewer.language], form, id, values)
    const preview: EntryPreview | null = await previewEntry(app, said)
    return { preview, refused: null }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return { preview: null, refused: error.message }
  }
}

async function readChoices(app: OperatorDeps, form: ProposalForm): Promise<Choices> {
  const { pages } = app.db
  const fields = new Set(fieldsOf(form))
  const accountName = await accountNames(app)
  return {
    accountName,
    merchants: await merchantNames(app),
    accounts: (await app.banks.accounts()).map(({ id }) => ({ id, name: accountName(id) ?? id })),
    receivables: fields.has('settles') ? await openReceivables(pages) : [],
    rests: fields.has('restOf') ? await openRests(pages) : [],
  }
}
