export { bankApiRail, rereadLine, SANDBOX_BANK } from './bank-api.ts'
export { fetchLines } from './fetch-lines.ts'
export { manualRail } from './manual.ts'
export type { FindAnswer, PayoutOrder, Rail } from './rail.ts'
