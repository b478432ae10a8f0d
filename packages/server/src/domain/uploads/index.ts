export {
  findProposed,
  findUpload,
  keepPart,
  keepProposed,
  keepUpload,
  pruneUploads,
  uploadedContent,
} from './keep-upload.ts'
export type { Upload } from './store.ts'
