export { findUpload, keepPart, keepUpload, pruneUploads, uploadedContent } from './keep-upload.ts'
export type { Upload } from './store.ts'
