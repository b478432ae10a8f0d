import { openDownloads } from '../web/console/table-download.ts'

export const downloads = openDownloads()
