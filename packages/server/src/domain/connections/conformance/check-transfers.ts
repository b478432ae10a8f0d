import { setTimeout as pause } from 'node:timers/promises'
import type { BankApiCaller } from '../bank-api.ts'
import { orderBody } from '../bank-api.ts'
import type { ConnectionCheck, FindAnswer, PayoutOrder } from '../connection.ts'
import { readPage } from '../read-page.ts'
import { readFound, readNotFound, readRefusedOrder, readTransfer } from '../read-transfer.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Answer } from './ask-bank.ts'
import { ask, judged, shownAnswer } from './ask-bank.ts'

type Callers = { call: BankApiCaller; withWrongKey: BankApiCaller }

/** Rules of transfers and keys that can be checked without sending money. `reference` was never used. */
export async function checkWithoutSending(
  { call, withWrongKey }: Callers,
  reference: string,
): Promise<ConnectionCheck[]> {
  const unknown = await ask(call, `transfers/${reference}`)
  const isNeverSeen = unknown.status === 404 && (unknown.body as { error?: unknown } | null)?.error === 'never_seen'
  const expected = 'HTTP 401 or 403 for a wrong key'
  const refused = (said: Answer) => (said.status === 401 || said.status === 403 ? null : shownAnswer(said))
  return [
    judged(
      'unknown reference',
      'HTTP 404 and {"error":"never_seen"} for a transfer that was never submitted',
      isNeverSeen ? null : shownAnswer(unknown),
    ),
    judged('wrong key on statement', expected, refused(await ask(withWrongKey, 'statement?since=0&limit=1'))),
    judged('wrong key on transfers', expected, refused(await ask(withWrongKey, `transfers/${reference}`))),
  ]
}

type Sending = { order: PayoutOrder; cursor: string; waitSeconds: number }

/** Sends one real transfer, submits it a second time, queries it, and waits for it on the statement after `cursor`. */
export async function checkSending(
  call: BankApiCaller,
  { order, cursor, waitSeconds }: Sending,
): Promise<ConnectionCheck[]> {
  const submit = () => ask(call, 'transfers', { method: 'POST', body: orderBody(order) })
  const first = await submit()
  const answer = readSubmitted(first, order)
  const taken = judged(
    'submit',
    'HTTP 2xx with status accepted and a bankReference, or status pending',
    answer.outcome === 'accepted' || answer.outcome === 'pending' ? null : shownAnswer(first),
    describe(answer),
  )
  // Also after a failure: it may have happened.
  const second = await submit()
  const again = readSubmitted(second, order)
  const found = await ask(call, `transfers/${order.reference}`)
  const query = found.status === 404 ? readNotFound(404, found.body, order) : readFound(found.body, order)
  return [
    taken,
    judged(
      'submit again',
      `the same result for the same reference: ${describe(answer)}`,
      isSameTransfer(answer, again) ? null : shownAnswer(second),
    ),
    judged('find', `the same transfer: ${describe(answer)}`, isSameTransfer(answer, query) ? null : shownAnswer(found)),
    await checkOnStatement(call, { order, cursor, waitSeconds }),
  ]
}

function readSubmitted(said: Answer, order: PayoutOrder): FindAnswer {
  if (said.status === 0) return { outcome: 'unknown', why: note('answer_none', { error: said.text }) }
  const isFine = said.status >= 200 && said.status < 300
  return isFine ? readTransfer(said.body, order) : readRefusedOrder(said.status, said.text, order)
}

/** A pending transfer may be accepted meanwhile; an accepted one keeps its bank reference. */
function isSameTransfer(before: FindAnswer, now: FindAnswer): boolean {
  if (before.outcome === 'pending') return now.outcome === 'pending' || now.outcome === 'accepted'
  return before.outcome === 'accepted' && now.outcome === 'accepted' && before.bankReference === now.bankReference
}

function describe(answer: FindAnswer): string {
  return 'bankReference' in answer ? `${answer.outcome}, bankReference ${answer.bankReference}` : answer.outcome
}

async function checkOnStatement(
  call: BankApiCaller,
  { order, cursor, waitSeconds }: Sending,
): Promise<ConnectionCheck> {
  const expected = `one debit of ${order.amount} on ${order.fromIban} with ${order.reference} in its narrative`
  const deadline = performance.now() + waitSeconds * 1000
  let found = await debitsAfter(call, cursor, order)
  while (found === 0 && performance.now() < deadline) {
    await pause(500)
    found = await debitsAfter(call, cursor, order)
  }
  const wrong = typeof found === 'number' ? `${found} such debit(s)${found === 0 ? ` in ${waitSeconds} s` : ''}` : found
  return judged('on the statement', expected, found === 1 ? null : wrong)
}

const MAX_PAGES = 1000

/** A text says why the statement could not be read. */
async function debitsAfter(call: BankApiCaller, from: string, order: PayoutOrder): Promise<number | string | Said> {
  let count = 0
  let cursor = from
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const said = await ask(call, `statement?since=${encodeURIComponent(cursor)}&limit=500`)
    if (said.status !== 200) return shownAnswer(said)
    const page = readPage(said.body)
    if (page.outcome === 'unreachable') return page.why
    const { reference, fromIban, amount } = order
    count += page.lines.filter(
      (line) =>
        line.direction === 'debit' &&
        line.accountIban === fromIban &&
        line.amount === amount &&
        line.narrative.includes(reference),
    ).length
    if (!page.more || page.cursor === cursor) return count
    cursor = page.cursor
  }
  return count
}
