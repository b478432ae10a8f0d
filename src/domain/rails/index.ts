export { bankApiRail, rereadLine } from './bank-api.ts'
export { fetchLines } from './fetch-lines.ts'
export type { Rail } from './rail.ts'
