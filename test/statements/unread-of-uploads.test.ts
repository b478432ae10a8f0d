import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rereadLine } from '../../packages/server/src/domain/connections/index.ts'
import { approveProposal, proposeImport } from '../../packages/server/src/domain/proposals/index.ts'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import {
  closeUnread,
  importFile,
  listUnread,
  reimportUnread,
} from '../../packages/server/src/domain/statements/index.ts'
import { render } from '../../packages/server/src/edges/web/html.ts'
import { differences } from '../../packages/server/src/edges/web/console/proposals/differences.ts'
import { INBOX, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { startService } from '../harness/service.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { travelTo } from '../harness/until.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

// As in live; the sandbox's clock can be moved.
const service = await startService()
const live = { ...service.app, sandbox: false }
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(service.app, UNATTRIBUTED, name, DECIDING)
const [ada, bora] = [operatorActor('ada.aksoy'), operatorActor('bora.boz')]

const DAYS = 86_400
const DAY = istanbul(service.app.clock.now()).day
const LATER = istanbul(new Date(service.app.clock.now().getTime() + 5 * DAYS * 1000)).day
const SMALL = { number: '1', amount: 100, text: 'masraf iadesi' }
const LARGE = { number: '2', amount: 920_000, text: 'ödeme', day: LATER }
const ACCEPTED = { ...PLAIN, acceptProblems: 'the bank dates it so' }

const fileOf = (iban: string, id: string) =>
  contentOf(`${id}.xml`, camt('054', { iban, day: DAY, id, bookings: [SMALL, LARGE] }))

const amounts = async (lines: () => Promise<{ amount: bigint; reason: string | null }[]>) =>
  (await lines()).flatMap(({ amount, reason }) => (reason === 'import_undone' ? [] : amount))

test('live: a line of an uploaded file that is unread at the approval is shown there, and one person never books it', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const content = fileOf(iban, 'live')
  const asked = await proposeImport(live, ada, content, ACCEPTED)
  const { id, seenSha256, rows } = asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  assert.deepEqual(rows.find(({ field }) => field === 'unreadLines')?.after, [
    note('unread_line', { day: LATER, amount: money(920_000n), why: note('unread_booked_ahead', { days: 2 }) }),
  ])
  assert.match(
    render(differences('tr', rows)),
    /Okunamayan satırlar[^]*9\.200,00 TL: işlem zamanı 2 günden çok ileride/,
  )
  const file = (await approveProposal(live, bora, id, seenSha256)).result as { id: string }
  assert.deepEqual(await amounts(lines), [100n])
  await travelTo(service.app, 6 * DAYS)
  assert.equal(await reimportUnread(live, ada, rereadLine), 0)
  assert.deepEqual(await amounts(lines), [100n])
  const waiting = await listUnread(live.db)
  assert.deepEqual(
    waiting.map(({ uploadedFileId }) => uploadedFileId),
    [file.id],
  )
  await undoFile(live, ada, file.id, 'the line is readable now')
  const again = await proposeImport(live, ada, content, PLAIN)
  const request = again.state === 'open' ? again.proposal : assert.fail(again.state)
  await approveProposal(live, bora, request.id, request.seenSha256)
  assert.deepEqual(new Set(await amounts(lines)), new Set([100n, 920_000n]))
  await closeUnread(live, ada, waiting[0]?.hash ?? '', 'two people approved it')
  assert.deepEqual(await listUnread(live.db), [])
  await travelTo(service.app, 0)
})

test('lines of an inbox are retried in live, those of an uploaded file in a sandbox', async () => {
  const [ofInbox, ofSandbox] = [await openFileAccount(service.app), await openFileAccount(service.app)]
  await importFile(live, INBOX, fileOf(ofInbox.iban, 'inbox'), ACCEPTED)
  await importFile(service.app, UNATTRIBUTED, fileOf(ofSandbox.iban, 'sandbox'), ACCEPTED)
  await travelTo(service.app, 6 * DAYS)
  assert.equal(await reimportUnread(live, ada, rereadLine), 1)
  assert.deepEqual(new Set(await amounts(ofInbox.lines)), new Set([100n, 920_000n]))
  assert.deepEqual(await amounts(ofSandbox.lines), [100n])
  assert.equal(await reimportUnread(service.app, UNATTRIBUTED, rereadLine), 1)
  assert.deepEqual(new Set(await amounts(ofSandbox.lines)), new Set([100n, 920_000n]))
  await travelTo(service.app, 0)
})
