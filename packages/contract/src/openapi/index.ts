export { openApi } from './openapi.ts'
export { postmanCollection } from './postman.ts'
