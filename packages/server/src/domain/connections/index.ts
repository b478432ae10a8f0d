export { bankApiConnection, SANDBOX_BANK } from './bank-api.ts'
export { connectionOf, listFileExchanges, manualConnection } from './configured.ts'
export { checkConnection, findConnection } from './check-connection.ts'
export { checkConformance } from './conformance/check-conformance.ts'
export type { FindAnswer, PayoutOrder, Connection, ConnectionCheck } from './connection.ts'
export { isManual } from '../banks/index.ts'
export { isPolled } from './connection.ts'
export { fetchLines } from './fetch-lines.ts'
export { checkExchangeFolders } from './file-exchange.ts'
export { exchangeFindings } from './exchange-findings.ts'
export { connectionLoader } from './load-connections.ts'
export { bankUrlFault, sealGiven, withoutEndSlash } from './access.ts'
export type { ConnectionUpdate, NewConnection } from './manage-connections.ts'
export {
  addConnection,
  changeConnection,
  checkNewConnection,
  checkUpdate,
  disableConnection,
  enableConnection,
  recordTestTransfer,
} from './manage-connections.ts'
export { rereadLine } from './read-page.ts'
export {
  chooseConnection,
  fillSourceOfRecord,
  hasStatements,
  onlyCandidate,
  openConnectedAccount,
  setSourceOfRecord,
} from './source-of-record.ts'
export type { ConnectionRow } from './store.ts'
export { changesOfConnection } from './list-changes.ts'
export { connectionSecrets, lockConnection, selectConnections } from './store.ts'
