/** 1234.56, as ISO 20022 writes amounts. Negative amounts have no sign: a mark beside them gives it. */
export function pointAmount(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** 1234,56, as SWIFT writes amounts, also without a sign. */
export function commaAmount(amount: bigint): string {
  return pointAmount(amount).replace('.', ',')
}

/** -1.234,56, as Turkish banks write amounts. */
export function turkishAmount(amount: bigint): string {
  const [whole = '', cents = ''] = commaAmount(amount).split(',')
  return `${amount < 0n ? '-' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, '.')},${cents}`
}
