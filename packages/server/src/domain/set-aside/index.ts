export { runBatch } from './run-batch.ts'
export { countAside, isAside, listAside, notAsideSql } from './store.ts'
