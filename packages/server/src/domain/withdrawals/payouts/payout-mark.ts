import type { Marks } from '../../../platform/crypto/marks.ts'
import { partByMark } from '../../../platform/crypto/marks.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Batch } from './batches/batch.ts'
import type { Payout } from './payout.ts'
import { selectOpen } from './store.ts'

type Deps = { marks: Marks }

const nameOf = ({ merchantId, withdrawalId }: Payout) => ownerOf('payouts', [merchantId, withdrawalId])

/** All that the bank or a person is told. Of an erased one it no longer fits: it has ended, and is not sent. */
function saidOf(payout: Payout) {
  const { sourceAccountId, connection, rail, amount, currency, iban, accountName, description, purposeCode } = payout
  return [sourceAccountId, connection, rail, String(amount), currency, iban, accountName, description, purposeCode]
}

/** Made once, by the router: after the approvals and rules, and from a withdrawal whose own mark fits. */
export async function withMark({ marks }: Deps, payout: Payout): Promise<Payout> {
  return { ...payout, mark: await marks.of(nameOf(payout), saidOf(payout)) }
}

/** Ids of those that Vezne has not written as they are: someone else has written or changed the row. */
export async function forgedOf({ marks }: Deps, payouts: readonly Payout[]): Promise<Set<string>> {
  const { forged } = await partByMark(marks, payouts, (one) => {
    return { name: nameOf(one), says: saidOf(one), mark: one.mark }
  })
  return new Set(forged.map(({ withdrawalId }) => withdrawalId))
}

/** Of those that have no end. */
export async function forgedPayouts(app: Deps & { db: Queryable }, limit: number): Promise<string[]> {
  return [...(await forgedOf(app, await selectOpen(app.db, limit)))]
}

type Place = Pick<Batch, 'id' | 'connection' | 'sourceAccountId' | 'folder' | 'fileName' | 'format' | 'sha256'>

const nameOfBatch = ({ id }: Place) => ownerOf('payout_batches', [id])

/** Of an order file: its bytes by their hash, and where they go. */
const saidOfBatch = ({ connection, sourceAccountId, folder, fileName, format, sha256 }: Place) => {
  return [connection, sourceAccountId, folder, fileName, format, sha256]
}

export const markOfBatch = ({ marks }: Deps, batch: Place): Promise<string> =>
  marks.of(nameOfBatch(batch), saidOfBatch(batch))

export const batchHasMark = ({ marks }: Deps, batch: Batch): Promise<boolean> =>
  marks.fits(batch.mark, nameOfBatch(batch), saidOfBatch(batch))
