import type { DataOf } from '@vezne/contract'
import { ENDPOINTS } from '@vezne/contract'
import { createHash } from 'node:crypto'
import type { BankOption } from '../../../domain/banks/index.ts'
import { FAST } from '../../../domain/banks/index.ts'
import { route } from '../route.ts'

export const availableBanks = route(ENDPOINTS.availableBanks, {
  addresses: 'listed-if-any',
  async handle({ banks, currencies, publicUrl }, { merchant }, request) {
    const options = await banks.optionsFor(merchant.id, currencies[0] ?? 'TRY')
    const { data, etag } = render(options, publicUrl())
    return {
      data,
      headers: { etag, 'cache-control': 'private, no-cache' },
      notModified: matches(request.headers['if-none-match'], etag),
    }
  },
})

/** If-None-Match: a list of tags, weak or strong, or * for any. */
function matches(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

type Rendered = { data: DataOf<typeof ENDPOINTS.availableBanks>; etag: string }

/** The directory returns the same array until the list changes, so each array is rendered once. */
const rendered = new WeakMap<BankOption[], Rendered & { base: string }>()

function render(options: BankOption[], base: string): Rendered {
  const known = rendered.get(options)
  if (known?.base === base) return known
  const data = { banks: options.map((option) => view(option, base)) }
  const etag = `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22)}"`
  const fresh = { data, etag, base }
  rendered.set(options, fresh)
  return fresh
}

function view({ id, name, code, minAmount, maxAmount }: BankOption, base: string) {
  return {
    _id: id,
    name,
    code,
    minAmount: Number(minAmount),
    maxAmount: Number(maxAmount),
    ...(id !== FAST && { logo: `${base}/logos/${code}.svg` }),
  }
}
