import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { ibanProblem, normaliseIban } from '../../../kernel/iban.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { authorizedByName } from '../../people/index.ts'
import type { SettingDeps } from '../changes/change-setting.ts'
import { firstProposer } from '../changes/change-setting.ts'
import { isSame, recordChange } from '../changes/record-change.ts'
import { mustFind } from '../find-merchants.ts'
import { lockMerchant } from '../store.ts'
import type { SettlementAccount } from './store.ts'
import { findSettlementAccount, insertSettlementAccount } from './store.ts'

/**
 * One person proposes the account, and it is in force when a second person sets the same within a day. Returns the one in
 * force. Two people even in a sandbox: what is sent to it needs no further approval.
 */
export async function registerSettlementAccount(
  app: SettingDeps & { banks: { accounts: () => Promise<readonly { iban: string }[]> } },
  actor: Actor,
  merchantId: string,
  given: SettlementAccount,
): Promise<SettlementAccount | null> {
  const after = { iban: normaliseIban(given.iban), title: given.title.trim() }
  if (after.title.length < 3 || after.title.length > 140) throw invalidField('title', 'must have 3 to 140 characters')
  const problem = ibanProblem(after.iban)
  if (problem) throw new Refusal('INVALID_IBAN', `The IBAN ${problem}.`, { details: [{ field: 'iban', problem }] })
  if ((await app.banks.accounts()).some(({ iban }) => iban === after.iban))
    throw invalidField('iban', "must be the merchant's own account; this one is a collecting account of this service")
  return authorizedByName(app, actor, 'settlement.account', async (tx, audit) => {
    await lockMerchant(tx, merchantId)
    await mustFind(tx, merchantId)
    const before = await findSettlementAccount(tx, merchantId)
    // The title may be a person's name: it is in merchant_changes.
    const record = (state: 'same' | 'proposed' | 'in force') =>
      audit(`merchant:${merchantId}`, { before: before && { iban: before.iban }, after: { iban: after.iban, state } })
    if (isSame(before, after)) {
      await record('same')
      return before
    }
    const what = 'settlement_account'
    const proposedBy = await firstProposer(app, tx, actor, merchantId, { what, before, after })
    await record(proposedBy === null ? 'proposed' : 'in force')
    if (proposedBy === null) return before
    const people = { proposedBy, confirmedBy: actorName(actor) }
    await insertSettlementAccount(tx, merchantId, { ...after, ...people }, app.clock.now())
    await recordChange(app, tx, actor, merchantId, { what, before, after })
    return after
  })
}
