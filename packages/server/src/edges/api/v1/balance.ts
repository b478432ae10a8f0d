import { ENDPOINTS } from '@vezne/contract'
import { balanceOf } from '../../../domain/ledger/index.ts'
import { route } from '../route.ts'
import { enabledCurrency } from './fields.ts'

export const getBalance = route(ENDPOINTS.getBalance, {
  addresses: 'listed-if-any',
  async handle({ db, currencies }, { merchant, query }) {
    const currency = enabledCurrency(currencies, query.currency)
    const { available, held } = await balanceOf(db, merchant.id, currency)
    return { data: { currency, available: Number(available), held: Number(held) } }
  },
})
