import { LIMITS } from '@vezne/contract'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { oneOf, quoted } from '../field-problems.ts'

export function checkMetadata(given: object | undefined): object | null {
  if (given === undefined) return null
  const bytes = Buffer.byteLength(JSON.stringify(given))
  if (bytes > LIMITS.metadataBytes)
    throw invalidField('metadata', `has ${bytes} bytes as JSON; at most ${LIMITS.metadataBytes} are allowed`)
  return given
}

/** Resolves a bank given by `_id` or four-digit code to its `_id`. Any other value is returned unchanged. */
export async function toBankId(banks: BankDirectory, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null
  const byCode = /^\d{4}$/.test(given) ? await banks.bankByCode(given) : undefined
  return byCode?.id ?? given
}

export function enabledCurrency(currencies: string[], wanted: string | undefined): string {
  const chosen = wanted ?? currencies[0] ?? 'TRY'
  if (!currencies.includes(chosen))
    throw invalidField('currency', `must be ${oneOf(currencies)}, not ${quoted(chosen)}`)
  return chosen
}

/** ISO 8601 with a time zone: a local time would depend on the machine. */
export function instant(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const date = new Date(text)
  if (
    !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ||
    Number.isNaN(date.getTime())
  ) {
    // In a query string + means a space, so a zone such as +03:00 arrives as " 03:00".
    const [, time, zone] = /^(\S+) (\d{2}:\d{2})$/.exec(text) ?? []
    throw invalidField(
      field,
      zone === undefined
        ? `must be a time with its zone, such as 2026-11-15T09:00:00Z, not ${quoted(text)}`
        : `has a space where its + should be; in a query a + must be written as %2B: ${time}%2B${zone}`,
    )
  }
  return date
}

export function pageSize(given: string | undefined): number {
  return Number(given ?? LIMITS.pageSize.default)
}
