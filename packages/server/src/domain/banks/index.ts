export { FAST, fits, INTERBANK_CURRENCY } from './bank.ts'
export type { AccountState, BankOption, CollectingAccount, Limits } from './bank.ts'
export { openBankDirectory } from './directory.ts'
export type { BankDirectory } from './directory.ts'
export { isManual } from './manual-name.ts'
export { karekodText } from './karekod.ts'
export { bankLogo, monograms } from './logo.ts'
export {
  accountsByIban,
  checkAccountLimits,
  findAccount,
  setAccountLimits,
  setAccountState,
  setKarekod,
} from './manage-accounts.ts'
export type { AccountLimits } from './manage-accounts.ts'
export {
  checkBankLimits,
  checkNewAccount,
  listBanks,
  loosensRange,
  openCollectingAccount,
  setBankLimits,
  switchBank,
} from './manage-banks.ts'
export {
  businessDaysAgo,
  DEFAULT_FAST_CAPS,
  eftArrival,
  eftOpen,
  eftOpening,
  fastCapOn,
  nextEftDay,
} from './rail-calendar.ts'
export type { FastCap } from './rail-calendar.ts'
export { railNote } from './rail-note.ts'
export type { RailNote } from './rail-note.ts'
export { seedBanks, seedSandboxAccounts } from './seed-banks.ts'
export {
  awaitConnection,
  fillConnection,
  everyAccount,
  ibanOfAccount,
  listAccounts,
  updateConnections,
  updateStops,
} from './store.ts'
export type { Holiday, NewAccount } from './store.ts'
