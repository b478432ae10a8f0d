import type { Actor } from '../../../kernel/actor.ts'
import { actorName, merchantActor } from '../../../kernel/actor.ts'
import { MAX_AMOUNT } from '../../../kernel/money.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findMerchant, mustNotBeFrozen } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import { createDeposits } from '../create-deposits.ts'
import type { Deposit } from '../deposit.ts'
import { selectByProcessIds } from '../store.ts'
import type { LinkRow } from './store.ts'
import { insertLink, selectLink, selectLinks } from './store.ts'

/** `deposit` is null if it was refused, or not saved. */
export type PaymentLink = LinkRow & { deposit: Deposit | null }

export type LinkRequest = {
  /** Chosen when the form was shown, so that a form sent twice makes one deposit. */
  id: string
  amount: bigint
  currency: string
  customer: { name: string; id: string }
  note: string
}

/** The API's limits of the same fields. */
const LONGEST = { name: 140, id: 100, note: 200 }

/** A deposit made by hand, whose address the merchant sends to its customer. */
export async function makeLink(
  app: Authority & Parameters<typeof createDeposits>[0],
  actor: Actor,
  merchantId: string,
  request: LinkRequest,
): Promise<Deposit> {
  const { id, amount, currency } = request
  // The intention first: if the deposit is then refused, the list shows that too.
  const merchant = await authorized(
    app,
    actor,
    'link.make',
    async (tx, audit) => {
      const found = await findMerchant({ db: tx }, merchantId)
      mustNotBeFrozen(found)
      mustBeComplete(request)
      await insertLink(tx, { merchantId, id, madeBy: actorName(actor), madeAt: app.clock.now() })
      await audit(`link:${id}`, { after: { merchantId, amount, currency } })
      return found
    },
    { usersOf: merchantId },
  )
  const [made] = await createDeposits(app, [
    {
      actor: merchantActor(merchantId),
      processId: processIdOf(id),
      ...{ amount, currency },
      customer: customerOf(request),
      metadata: { paymentLink: true, ...(request.note !== '' && { note: request.note }) },
      maxOpen: merchant.maxOpenDeposits,
    },
  ])
  if (!(made instanceof Refusal) && made) return made
  if (made?.code !== 'DUPLICATE_TRANSACTION') throw made ?? new Error('A link has no outcome.')
  const [first] = await selectByProcessIds(app.db, [{ merchantId, processId: processIdOf(id) }])
  if (!first) throw made
  return first
}

const processIdOf = (id: string) => `link-${id}`

function customerOf({ id, customer }: LinkRequest): Deposit['customer'] {
  const { name } = customer
  return { id: customer.id || processIdOf(id), name, username: (customer.id || name).slice(0, LONGEST.id) }
}

function mustBeComplete({ id, amount, currency, customer, note }: LinkRequest): void {
  if (!/^[0-9a-f]{24}$/.test(id)) throw refuseField('id', 'form_id_malformed')
  if (amount < 1n || amount > MAX_AMOUNT)
    throw refuseField('amount', 'link_amount_out_of_range', { most: money(MAX_AMOUNT, currency) })
  if (customer.name === '') throw refuseField('name', 'link_customer_missing')
  const texts = { name: customer.name, id: customer.id, note }
  for (const field of ['name', 'id', 'note'] as const)
    if (texts[field].length > LONGEST[field]) throw refuseField(field, 'link_text_too_long', { most: LONGEST[field] })
}

/** Newest first. */
export async function listLinks(
  db: Queryable,
  merchantId: string,
  page: { before: string | undefined; limit: number },
): Promise<PaymentLink[]> {
  return withDeposits(db, await selectLinks(db, merchantId, page))
}

export async function findLink(db: Queryable, merchantId: string, id: string): Promise<PaymentLink | null> {
  const row = await selectLink(db, merchantId, id)
  return row ? ((await withDeposits(db, [row]))[0] ?? null) : null
}

async function withDeposits(db: Queryable, links: LinkRow[]): Promise<PaymentLink[]> {
  const keys = links.map(({ merchantId, id }) => ({ merchantId, processId: processIdOf(id) }))
  const deposits = new Map((await selectByProcessIds(db, keys)).map((deposit) => [deposit.processId, deposit]))
  return links.map((link) => ({ ...link, deposit: deposits.get(processIdOf(link.id)) ?? null }))
}
