import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { ibanFault, normaliseIban } from '../../../kernel/iban.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import { authorizedByName, mustBeApproved } from '../../people/index.ts'
import type { SettingDeps } from '../changes/change-setting.ts'
import { mustFind } from '../find-merchants.ts'
import { lockMerchant } from '../store.ts'
import type { SettlementAccount } from './store.ts'
import { findSettlementAccount, registerAccount } from './registered-account.ts'

type Deps = SettingDeps & { banks: { accounts: () => Promise<readonly { iban: string }[]> } }

/** Two people even in a sandbox: what is sent to it needs no further approval. */
export async function registerSettlementAccount(
  app: Deps,
  actor: Actor,
  merchantId: string,
  given: SettlementAccount,
): Promise<SettlementAccount> {
  const after = await checkedAccount(app, given)
  return authorizedByName(app, actor, 'settlement.account', async (tx, audit) => {
    mustBeApproved(app, { always: true })
    await lockMerchant(tx, merchantId)
    await mustFind(tx, merchantId)
    const before = await findSettlementAccount({ db: tx, marks: app.marks }, merchantId)
    const people = { proposedBy: app.approval?.proposedBy ?? '', confirmedBy: actorName(actor) }
    await registerAccount(app, tx, { merchantId, ...after, ...people, confirmedAt: app.clock.now() })
    // The title may be a person's name: it is in settlement_accounts.
    await audit(`merchant:${merchantId}`, { before: before && { iban: before.iban }, after: { iban: after.iban } })
    return after
  })
}

/** As it will be stored. */
export async function checkedAccount(
  { banks }: Pick<Deps, 'banks'>,
  given: SettlementAccount,
): Promise<SettlementAccount> {
  const account = { iban: normaliseIban(given.iban), title: given.title.trim() }
  if (account.title.length < 3 || account.title.length > 140)
    throw refuseField('title', 'length_wrong', { least: 3, most: 140 })
  const fault = ibanFault(account.iban)
  if (fault) throw refuseField('iban', 'iban_wrong', { fault, characters: account.iban.length })
  if ((await banks.accounts()).some(({ iban }) => iban === account.iban))
    throw refuseField('iban', 'settlement_account_ours')
  return account
}
