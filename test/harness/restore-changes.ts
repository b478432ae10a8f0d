import type { App } from '../../packages/server/src/compose.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import type { RestoreCheck } from '../../packages/server/src/domain/restores/index.ts'
import {
  listPaidPairs,
  markRestored,
  recordPaidPairs,
  releaseRestored,
} from '../../packages/server/src/domain/restores/index.ts'
import { findOpenRestore } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { accepted } from './envelope.ts'
import { withdrawBody } from './examples.ts'
import { mustFind } from './history.ts'
import { ingest, lineFor, matchAll, someDeposits } from './payments.ts'
import type { startService } from './service.ts'

type Shop = Awaited<ReturnType<Awaited<ReturnType<typeof startService>>['merchant']>>

/** Changes after a restore that take two people, one after the other, and what the second has checked. */
export async function restoreChanges(app: App, actor: Actor, shop: Shop) {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 90_000n)
  if (!deposit) throw new Error('no deposit')
  const paid = await lineFor(app, deposit)
  await ingest(app, [paid])
  await matchAll(app)
  const id = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 7_700 })), 201).transactionId as string
  const { iban, accountName } = await mustFind(app, id)
  const recipient = { senderIban: iban, senderName: accountName }
  const narrative = `Para cekme ${app.ids.next()}`
  await ingest(app, [{ ...paid, ...recipient, narrative, direction: 'debit', amount: 7_700n, bankReference: 'lost-1' }])
  while ((await matchPayoutLines(app)) > 0);
  await markRestored(app, actor, app.clock.now())
  const restore = await findOpenRestore(app.db)
  if (!restore) throw new Error('no restore')
  const pairs = (await listPaidPairs(app.db)).map(({ withdrawalId, line }) => ({ withdrawalId, lineId: line.id }))
  const terms = { number: restore.number, pairs }
  const nothing = { incomplete: [], settled: [], refused: [], open: [], uncertain: [], byHand: [], debits: [] }
  const check: RestoreCheck = { restore, ...nothing, pairs: [] }
  return {
    releasing: { check, checked: null },
    cases: {
      'restore.pairs': {
        terms,
        alone: () => recordPaidPairs(app, actor, terms),
        after: async () => (await mustFind(app, id)).state,
        is: 'sent',
      },
      'restore.release': {
        terms: { number: restore.number },
        alone: () => releaseRestored(app, actor, check, null),
        after: () => findOpenRestore(app.db),
        is: undefined,
      },
    },
  }
}
