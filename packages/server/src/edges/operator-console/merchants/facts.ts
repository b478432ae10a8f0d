import type { ShownProposal } from '../../../domain/proposals/index.ts'
import { proposalsOfMerchant } from '../../../domain/proposals/index.ts'
import type { InvitedUser } from '../../../domain/identity/index.ts'
import { listInvitedUsers, listLogins } from '../../../domain/identity/index.ts'
import type { WholeBalance } from '../../../domain/ledger/index.ts'
import { wholeBalances } from '../../../domain/ledger/index.ts'
import type { MerchantDetails } from '../../../domain/merchants/index.ts'
import { newestChange, rejectedAddresses, showMerchant } from '../../../domain/merchants/index.ts'
import { listTransactions } from '../../../domain/overview/index.ts'
import type { EndpointHealth } from '../../../domain/webhooks/index.ts'
import { listEndpoints } from '../../../domain/webhooks/index.ts'
import type { SettlementPreview } from '../../../domain/withdrawals/index.ts'
import { previewSettlement } from '../../../domain/withdrawals/index.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import type { OperatorDeps } from '../kind.ts'

export type MerchantFacts = {
  merchant: MerchantDetails
  balances: WholeBalance[]
  endpoints: EndpointHealth[]
  users: Awaited<ReturnType<typeof listLogins>>
  invited: InvitedUser[]
  settlement: SettlementPreview
  changes: ShownProposal[]
  /** Calls from addresses that are not on the list. */
  rejected: Awaited<ReturnType<typeof rejectedAddresses>>
  /** How often settings were changed: forms that show a secret are bound to it. */
  version: number
  /** Pending transactions, "100+" if there are more. */
  pending: { deposits: string; withdrawals: string }
}

const PROPOSALS_SHOWN = 20
const COUNTED = 100
/** Nothing is pending for longer without being in one of the other lists. */
const PENDING_DAYS = 30

export async function merchantFacts(app: OperatorDeps, actor: Actor, id: string): Promise<MerchantFacts> {
  const { pages } = app.db
  const merchant = await showMerchant({ ...app, db: pages }, id)
  return {
    merchant,
    balances: await wholeBalances(pages, id, app.currencies),
    endpoints: await listEndpoints(pages, id),
    users: await listLogins(pages, { audience: 'merchant', merchantId: id }),
    invited: await listInvitedUsers({ ...app, db: pages }, actor, id),
    settlement: await previewSettlement({ ...app, db: pages }, id),
    changes: await proposalsOfMerchant(app, pages, id, PROPOSALS_SHOWN),
    rejected: await rejectedAddresses(pages, id),
    version: await newestChange(pages, id),
    pending: {
      deposits: await countPending(app, id, 'deposit'),
      withdrawals: await countPending(app, id, 'withdrawal'),
    },
  }
}

async function countPending({ db, clock }: OperatorDeps, merchantId: string, kind: 'deposit' | 'withdrawal') {
  const to = istanbul(clock.now()).day
  const filter = { kind, merchantId, status: 'pending', from: addDays(to, -PENDING_DAYS), to, limit: COUNTED }
  const { length } = await listTransactions(db.pages, filter)
  return length > COUNTED ? `${COUNTED}+` : String(length)
}
