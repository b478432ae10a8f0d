export { runBatch } from './run-batch.ts'
export { countAside, listAside, notAsideSql } from './store.ts'
