import { Type } from 'typebox'
import { balanceOf } from '../../../domain/ledger/index.ts'
import { endpoint } from '../endpoint.ts'
import { currency, enabledCurrency } from './fields.ts'

const querystring = Type.Object({ currency: Type.Optional(currency) }, { additionalProperties: false })

export const getBalance = endpoint({
  method: 'GET',
  path: '/v1/balance',
  addresses: 'listed-if-any',
  status: 200,
  schema: { querystring },
  async handle({ db, currencies }, { merchant, query }) {
    const currency = enabledCurrency(currencies, query.currency)
    const { available, held } = await balanceOf(db, merchant.id, currency)
    return { data: { currency, available: Number(available), held: Number(held) } }
  },
})
