export { findUpload, keepUpload, pruneUploads, uploadedContent } from './keep-upload.ts'
export type { Upload, UploadKey } from './store.ts'
