/** A Turkish IBAN with valid check digits, computed independently of the code under test. */
export function turkishIban({ provider = '00062', reserve = '0', account = '0029500006291296' } = {}): string {
  const rest = provider + reserve + account
  const digits = Array.from(`${rest}TR00`, (character) => Number.parseInt(character, 36)).join('')
  return `TR${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${rest}`
}
