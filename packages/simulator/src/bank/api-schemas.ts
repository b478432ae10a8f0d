export const text = (maxLength: number, minLength = 0) => ({
  type: 'string',
  minLength,
  maxLength,
  pattern: '^[^\\p{Cc}]*$',
})

export const amount = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

export const currency = { type: 'string', pattern: '^[A-Z]{3}$' }

export const cursor = { type: 'string', pattern: '^\\d{1,12}$' }
