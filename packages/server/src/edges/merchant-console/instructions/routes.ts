import { BankFileError, readPaymentRows } from '@vezne/bank-formats'
import { balanceOf } from '../../../domain/ledger/index.ts'
import { findUpload, keepUpload, uploadedContent } from '../../../domain/uploads/index.ts'
import {
  approveProposal,
  findInstruction,
  instructionIn,
  listInstructions,
  rejectProposal,
  makeProposal,
} from '../../../domain/proposals/index.ts'
import { MOST_LINES, readInstruction, readLines } from '../../../domain/withdrawals/index.ts'
import { actorName } from '../../../kernel/actor.ts'
import { withDecimals } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { fileNote } from '../../../kernel/refusals/files.ts'
import { say } from '../../../acts/refusals/say.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { currencyFrom, field, idFrom, own } from '../kind.ts'
import { noSuchPage } from '../pages/transaction.ts'
import { peopleOf } from '../people.ts'
import { INSTRUCTIONS_PER_PAGE, instructionsPage } from './list.ts'
import { instructionPage, previewPage, problemWords } from './one.ts'
import { INSTRUCTION_WORDS } from './words.ts'

const ALL = '/instructions'
const ONE = '/instructions/:id'
const PREVIEW = '/instructions/preview/:id'
/** A thousand lines of two hundred characters, and room for more columns. */
const MAX_FILE_BYTES = 1024 * 1024

export const INSTRUCTIONS: Section = {
  views: [
    { path: ALL, show: list },
    { path: PREVIEW, action: 'instruction.propose', show: preview },
    { path: ONE, show: one },
  ],
  forms: [
    { path: ALL, action: 'instruction.propose', back: ALL, decide: propose },
    {
      ...{ path: '/instructions/file', action: 'instruction.propose', back: ALL, decide: keepFile },
      ...{ upload: { maxBytes: MAX_FILE_BYTES }, needsProof: false },
    },
    { path: `${PREVIEW}/propose`, action: 'instruction.propose', back: PREVIEW, decide: proposeFile },
    { path: `${ONE}/approve`, action: 'instruction.propose', back: ONE, decide: approve },
    { path: `${ONE}/reject`, action: 'instruction.propose', back: ONE, decide: reject },
  ],
  said: { tr: INSTRUCTION_WORDS.tr.said, en: INSTRUCTION_WORDS.en.said },
}

async function list(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const merchantId = own(asked)
  const page = { before: idFrom(asked.query['before']), limit: INSTRUCTIONS_PER_PAGE + 1 }
  const facts = {
    instructions: await listInstructions({ ...app, db: app.db.pages }, merchantId, page),
    people: await peopleOf(app.db.pages, merchantId),
    formId: app.ids.next(),
    currencies: app.currencies,
    given: (name: string) => field(asked, name),
  }
  return { page: instructionsPage(asked.viewer, facts) }
}

async function one(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const merchantId = own(asked)
  const request = await findInstruction(app, app.db.pages, merchantId, asked.id)
  if (!request) return { page: noSuchPage(asked.viewer), status: 404 }
  const instruction = instructionIn(request)
  const currency = instruction?.currency ?? app.currencies[0] ?? 'TRY'
  const { available } = await balanceOf(app.db.pages, merchantId, currency)
  const people = await peopleOf(app.db.pages, merchantId)
  const isOwn = request.proposedBy === actorName(asked.actor)
  return { page: instructionPage(asked.viewer, { request, instruction, people, available, isOwn }) }
}

const processIdFor = (id: string) => `console-${id}`

async function propose(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const id = field(asked, 'id')
  const [accountName, iban, amount] = [field(asked, 'name'), field(asked, 'iban'), withDecimals(field(asked, 'amount'))]
  const cells = { processId: field(asked, 'processId') || processIdFor(id), accountName, iban, amount }
  const proposal = { id, source: null, currency: currencyFrom(app, asked), rows: [{ line: 1, cells }] }
  const { problems } = await readLines(app, own(asked), proposal.currency, proposal.rows)
  if (problems.length > 0) throw new Refusal('VALIDATION_ERROR', problemText(asked, problems[0]))
  return proposed(app, asked, proposal)
}

type Proposal = Omit<Parameters<typeof readInstruction>[1], 'merchantId'>

async function proposed(app: MerchantDeps, asked: Asked, proposal: Proposal): Promise<Shown> {
  const instruction = await readInstruction(app, { ...proposal, merchantId: own(asked) })
  const result = await makeProposal(app, asked.actor, 'instruction', instruction)
  const id = result.state === 'open' ? `/${result.proposal.id}` : ''
  return { redirect: `/instructions${id}?said=instruction_proposed` }
}

function problemText({ viewer }: Asked, found: Awaited<ReturnType<typeof readLines>>['problems'][number] | undefined) {
  const words = INSTRUCTION_WORDS[viewer.language]
  const { processId, iban, amount } = viewer.words
  const names = { processId, accountName: words.name, iban, amount }
  return found
    ? `${found.field === null ? words.whole : names[found.field]} ${problemWords(viewer.language, found)}`
    : ''
}

/** Of the person: who proposes a file has made it, and someone else approves it. */
const keyOf = ({ actor }: Asked) => ({ owner: actorName(actor), purpose: 'withdrawals' })

async function keepFile(app: MerchantDeps, asked: Asked): Promise<Shown> {
  if (!asked.file) throw new Refusal('VALIDATION_ERROR', asked.viewer.words.noFile)
  const currency = currencyFrom(app, asked)
  const { id } = await keepUpload(app, keyOf(asked), asked.file)
  return { redirect: `/instructions/preview/${id}?currency=${currency}` }
}

/** Reads the file again for each page: it is small, and what it means may have changed. */
async function readFile(app: MerchantDeps, asked: Asked, currency: string) {
  const upload = await findUpload(app, keyOf(asked), asked.id)
  if (!upload) return null
  const words = INSTRUCTION_WORDS[asked.viewer.language]
  const none = { lines: [], problems: [] }
  try {
    const rows = await readPaymentRows(uploadedContent(app.db.pages, upload.id))
    const trouble = rows.length === 0 ? words.noLines : rows.length > MOST_LINES ? words.tooMany(MOST_LINES) : null
    const read = trouble === null ? await readLines(app, own(asked), currency, rows) : none
    return { upload, rows, read, trouble }
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    return { upload, rows: [], read: none, trouble: say(asked.viewer.language, fileNote(error.problem)) }
  }
}

const previewCurrency = (app: MerchantDeps, { query }: Asked) =>
  app.currencies.find((one) => one === query['currency']) ?? app.currencies[0] ?? 'TRY'

async function preview(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const currency = previewCurrency(app, asked)
  const found = await readFile(app, asked, currency)
  if (!found) return { page: noSuchPage(asked.viewer), status: 404 }
  const { available } = await balanceOf(app.db.pages, own(asked), currency)
  const { upload, read, trouble } = found
  return { page: previewPage(asked.viewer, { id: upload.id, name: upload.name, currency, available, read, trouble }) }
}

async function proposeFile(app: MerchantDeps, asked: Asked): Promise<Shown | null> {
  const currency = currencyFrom(app, asked)
  const found = await readFile(app, asked, currency)
  if (!found) return null
  if (found.trouble !== null) throw new Refusal('VALIDATION_ERROR', found.trouble)
  const { id, name } = found.upload
  return proposed(app, asked, { id, source: name, currency, rows: found.rows })
}

async function approve(app: MerchantDeps, asked: Asked): Promise<string | null> {
  if (!(await findInstruction(app, app.db, own(asked), asked.id))) return null
  await approveProposal(app, asked.actor, asked.id, field(asked, 'seen'))
  return 'instruction_approved'
}

async function reject(app: MerchantDeps, asked: Asked): Promise<string | null> {
  if (!(await findInstruction(app, app.db, own(asked), asked.id))) return null
  await rejectProposal(app, asked.actor, asked.id, field(asked, 'why'))
  return 'instruction_rejected'
}
