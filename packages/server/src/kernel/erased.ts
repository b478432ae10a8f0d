/** Replaces erased personal data. The trigger function `refuse_all_but_erasing` has the same markers. */
export const ERASED = '[erased]'
/** Well-formed, so that programs that check IBANs accept it; no bank has the code 00000. */
export const ERASED_IBAN = 'TR470000000000000000000000'
export const ERASED_METADATA = { erased: true }
