import type { EntryPreview, ProposalForm } from '../../../domain/books/index.ts'
import { previewEntry } from '../../../domain/books/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import { withIds } from './given-ids.ts'
import { readChoices } from './proposal-choices.ts'
import type { Proposal } from './proposal-form.ts'
import { formNamed, isComplete, readProposal } from './read-proposal.ts'
import { WORDS } from './words.ts'

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
  const choices = await readChoices(app, form, asked)
  const isReady = isComplete(form, values) && asked.viewer.may('journal.propose')
  const { preview, refused } = isReady ? await tried(app, asked, form, values) : { preview: null, refused: null }
  return { form, values, preview, refused, choices }
}

async function tried(app: OperatorDeps, { viewer, id }: Asked, form: ProposalForm, values: URLSearchParams) {
  const words = WORDS[viewer.language]
  try {
    const said = readProposal(words, form, id, await withIds(app, words, form, id, values))
    const preview: EntryPreview | null = await previewEntry(app, app.db, said)
    return { preview, refused: null }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return { preview: null, refused: refusalText(viewer.language, error) }
  }
}
