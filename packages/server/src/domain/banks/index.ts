export { FAST, fits, INTERBANK_CURRENCY, isManual, isRecorded } from './bank.ts'
export type { AccountState, BankOption, CollectingAccount, Limits } from './bank.ts'
export { openBankDirectory } from './directory.ts'
export type { BankDirectory } from './directory.ts'
export { karekodText } from './karekod.ts'
export { bankLogo, monograms } from './logo.ts'
export {
  accountsByIban,
  checkAccountLimits,
  connectAccounts,
  findAccount,
  setAccountLimits,
  setAccountState,
  setKarekod,
  unconnectedAccounts,
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
export { accountsInForce, forgedAccounts, markAccounts } from './mark-accounts.ts'
export {
  businessDaysAgo,
  DEFAULT_FAST_CAPS,
  eftArrival,
  eftOpen,
  eftOpening,
  fastCapOn,
  nextEftDay,
  railNote,
} from './rail-calendar.ts'
export type { FastCap, RailNote } from './rail-calendar.ts'
export { seedBanks, seedSandboxAccounts } from './seed-banks.ts'
export { everyAccount, ibanOfAccount, listAccounts, updateStops } from './store.ts'
export type { Holiday, NewAccount } from './store.ts'
