export { ERROR_HELP } from './error-help.ts'
export { openApi } from './openapi.ts'
