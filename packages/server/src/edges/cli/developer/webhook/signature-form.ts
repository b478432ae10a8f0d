/** What is wrong with the format of a signature. */
export type FormMistake =
  | 'signature_without_version'
  | 'signature_version'
  | 'signature_hex'
  | 'signature_hex_in_base64'
  | 'signature_base64url'
  | 'signature_case'
  | 'signature_cut_off'

export const FORM_MISTAKES: Record<FormMistake, string> = {
  signature_without_version: 'The signature lacks its version. Write "v1," before the base64.',
  signature_version: 'The signature does not begin with "v1," in exactly these three characters.',
  signature_hex: 'The signature is in hex. Write the 32 bytes in base64.',
  signature_hex_in_base64: 'The signature is the base64 of a hex text. Encode the 32 bytes of the HMAC themselves.',
  signature_base64url:
    'The signature is in base64url, with - and _. Use the usual base64, with + and / and the final =.',
  signature_case: 'Upper and lower case of the signature were changed on the way.',
  signature_cut_off: 'The signature is cut off at its end.',
}

/** A shorter prefix could belong to any signature: 8 characters are 48 bits. */
const RECOGNISABLE = 8

/** How an entry of `webhook-signature` encodes this digest: correctly, with a mistake, or (null) not at all. */
export function signatureForm(entry: string, digest: Buffer): 'right' | FormMistake | null {
  const base64 = digest.toString('base64')
  if (entry === `v1,${base64}`) return 'right'
  const [, version, text = ''] = /^(?:(v\w{1,2}[,=:]|sha256=))?(.*)$/is.exec(entry) ?? []
  const wrong = wrongText(text, digest)
  if (wrong) return wrong
  if (text !== base64) return null
  return version === undefined ? 'signature_without_version' : 'signature_version'
}

function wrongText(text: string, digest: Buffer): FormMistake | null {
  const [hex, base64, base64url] = [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')]
  if (text === base64) return null
  if (text.toLowerCase() === hex) return 'signature_hex'
  if (text === Buffer.from(hex).toString('base64')) return 'signature_hex_in_base64'
  if (/[-_]/.test(text) && text.replace(/=$/, '') === base64url) return 'signature_base64url'
  if (text.length >= RECOGNISABLE && [base64, base64url, hex].some((whole) => whole.startsWith(text))) {
    return 'signature_cut_off'
  }
  return text.toLowerCase() === base64.toLowerCase() ? 'signature_case' : null
}
