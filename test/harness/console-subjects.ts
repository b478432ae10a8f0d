import type { App } from '../../packages/server/src/compose.ts'
import { entriesBefore } from '../../packages/server/src/domain/books/index.ts'
import { approveEntry, proposeEntry } from './journal.ts'
import { proposeImport } from '../../packages/server/src/domain/proposals/index.ts'
import { keepUpload } from '../../packages/server/src/domain/uploads/index.ts'
import { addOperator, DECIDING, listOperators } from '../../packages/server/src/domain/people/index.ts'
import { distributeEvents, recordTestEvent } from '../../packages/server/src/domain/webhooks/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { setCallbackUrl } from './callbacks.ts'
import { payoutSubjects } from './payout-subjects.ts'
import { camt, contentOf, openFileAccount } from './statement-files.ts'

/** Of what the pages of the operator console are about, one each. `text` is where people and banks write. Returns addresses with their ids; uploads are of the person who looks. */
export async function consoleSubjects(app: App, transactionId: string, text = 'Ekstre', people = ['ayse.yilmaz']) {
  const escaped = text.replace(/[&<>"'\p{Cc}]/gu, (one) => `&#${one.charCodeAt(0) < 32 ? 32 : one.charCodeAt(0)};`)
  const { iban, take } = await openFileAccount(app)
  const statement = (day: string, opening: number) =>
    camt('053', { iban, day, opening, id: escaped, bookings: [{ amount: 100, sender: escaped, text: escaped }] })
  const { file } = await take(statement('2026-11-15', 0), { name: text })
  const uploads = new Map<string, string>()
  for (const person of people) {
    const content = contentOf('', statement('2026-11-16', 999)).open()
    const key = { owner: `operator/${person}`, purpose: 'statement' }
    uploads.set(person, (await keepUpload(app, key, { name: text, content })).id)
  }
  const asked = await proposeImport(
    app,
    operatorActor(people[0] ?? ''),
    contentOf(text, statement('2026-11-16', 999)),
    {
      ...{ connection: null, account: null, profile: null, acceptProblems: `${text} again` },
    },
  )
  // Each account has one opening balance.
  const openings = (await entriesBefore(app.db, null, 100)).filter(({ kind }) => kind === 'opening_balance')
  const account = (await app.banks.accounts())[openings.length]
  const { id: entryId } = await proposeEntry(app, operatorActor(people[0] ?? ''), {
    kind: 'opening_balance',
    terms: { lineIds: [], accountId: account?.id ?? '', amount: 100n, day: '2026-11-14' },
    reason: `${text} again`,
  })
  const approver = 'ikinci.kisi'
  if ((await listOperators(app.db)).every(({ name }) => name !== approver))
    await addOperator(app, UNATTRIBUTED, approver, DECIDING)
  await approveEntry(app, operatorActor(approver), entryId)
  const { manualId, batchId } = await payoutSubjects(app, text)
  const idFor = (path: string, person: string) => {
    if (path.startsWith('/payouts/files/')) return batchId
    if (path.startsWith('/payouts/by-hand/')) return manualId
    if (path.startsWith('/statements/proposed/') && asked.state === 'open') return asked.proposal.id
    if (path.startsWith('/statements/uploads/')) return uploads.get(person) ?? transactionId
    if (path.startsWith('/books/journal/')) return entryId
    return path.startsWith('/statements/') ? file.id : transactionId
  }
  return (path: string, person = people[0] ?? '') =>
    path.replace(':id', idFor(path, person)).replace(':day', '2026-11-16')
}

const PERSON = 'deniz.demir'

/** Addresses of pages about this merchant, an endpoint and an event of it, and a person of the staff; others stay as they are. */
export async function merchantPaths(app: App, merchantId: string) {
  if ((await listOperators(app.db)).every(({ name }) => name !== PERSON))
    await addOperator(app, UNATTRIBUTED, PERSON, ['viewer'])
  const { id: endpoint } = await setCallbackUrl(app, merchantId, 'http://127.0.0.1:9/hooks')
  const event = await recordTestEvent(app, UNATTRIBUTED, merchantId, endpoint)
  await distributeEvents(app)
  return (path: string) => {
    const named = path.replace(':name', PERSON).replace(':event', event).replace(':endpoint', endpoint)
    return /^\/(?:merchants|callbacks)\//.test(path) ? named.replace(':id', merchantId) : named
  }
}
