export {
  findProposed,
  findUpload,
  keepPart,
  keepProposed,
  keepUpload,
  listUploads,
  pruneUploads,
  uploadedContent,
} from './keep-upload.ts'
export type { Upload } from './store.ts'
