export { changedNetworks, changeNetworks, checkNetworks, opensNetworks } from './allowed-networks.ts'
export type { NetworkChange } from './allowed-networks.ts'
export { findCall, listCalls, openCallLog, pruneCalls, rejectedAddresses } from './calls/record-calls.ts'
export type { ApiCall, CallLog } from './calls/record-calls.ts'
export { setBrand } from './brand.ts'
export { isShowable } from './shown-text.ts'
export { changesOf, freezesOf, newestChange } from './changes/list-changes.ts'
export { createMerchant, openMissingAccounts } from './create-merchant.ts'
export type { NewMerchant } from './create-merchant.ts'
export { findCallers, listKeys, recentRotations, revokeKey, revokeOldSecret, rotateKey } from './credentials.ts'
export {
  callbackNetworks,
  changeCallbackNetworks,
  checkCallbackNetworks,
  forgedNetworks,
} from './endpoints/callback-networks.ts'
export { wants } from './endpoints/endpoint.ts'
export type { Endpoint, EndpointSettings } from './endpoints/endpoint.ts'
export {
  addEndpoint,
  changeEndpoint,
  checkSettings,
  findEndpoint,
  newestSecret,
  openSecrets,
  rotateSecret,
} from './endpoints/manage-endpoints.ts'
export { callbackSecrets, endpointsSql, findEndpoints, sendingEndpoints, setEndpointState } from './endpoints/store.ts'
export {
  findCredentials,
  findDemoCredentials,
  findMerchant,
  hasDemoMerchant,
  merchantInForce,
  merchantsById,
  merchantsInForce,
  showMerchant,
} from './find-merchants.ts'
export type { MerchantDetails } from './find-merchants.ts'
export { changeFees, checkFee } from './fees.ts'
export type { FeeChange } from './fees.ts'
export { freezeMerchant, mustNotBeFrozen, unfreezeMerchant } from './freeze.ts'
export { NO_FEE_TERMS, termsAt } from './merchant.ts'
export type { Caller, CallingMerchant, Merchant, MerchantCredentials, MerchantFacts } from './merchant.ts'
export type { Brand, FeeTerms, MatchingPolicy, MatchingRules, PayoutRules } from './policies.ts'
export { matchingAllows, matchLimit, payoutRulesInForce } from './policies.ts'
export {
  setEftDeadline,
  setMatching,
  setMaxOpenDeposits,
  setPayoutRules,
  setRefundsCharged,
  setReturnOrigins,
} from './settings.ts'
export { forgedSettings, markAllSettings } from './settings-in-force.ts'
export { checkedAccount, registerSettlementAccount } from './settlement/settlement-account.ts'
export { dueDay, nextTime, noAccount, setSettlementSchedule, timeOn } from './settlement/settlement-schedule.ts'
export { findSettlementAccount, forgedSettlementAccounts, settlementIbans } from './settlement/registered-account.ts'
export { activeSchedules, findSchedule, findSetSchedule } from './settlement/store.ts'
export type { SettlementAccount } from './settlement/store.ts'
export {
  pruneSpentRequests,
  recordRefusals,
  repeated,
  spendRequest,
  tryLargeWrite,
} from './spent-requests/spend-requests.ts'
export type { RecordedRefusal, RefusedRequest } from './spent-requests/spend-requests.ts'
export { isSpentSql } from './spent-requests/store.ts'
export { apiSecrets } from './keys/store.ts'
export {
  banksOff,
  everyMerchant,
  findFrozenMerchants,
  findLogo,
  frozenMerchants,
  countMerchants,
  listMerchantNames,
  listMerchants,
  pageOfMerchants,
  prunedPlaces,
  lockMerchant,
  merchantsSql,
  switchBankOff,
  updatePruned,
} from './store.ts'
export type { FeeRow, Schedule, SetSchedule } from './store.ts'
