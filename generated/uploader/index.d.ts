// Made from uploader/ by `npm run generate`. Never edit it by hand.
export { indexedDbStore } from './indexed-db-store.js';
export { objectName, objectPlace } from './object-name.js';
export { uploadFile } from './upload-file.js';
export { UploadError } from './upload-error.js';
export type { Credential, SessionCredential } from './credentials.js';
export type { UploadedFile, UploadHandle, UploadOptions, UploadProgress, UploadQuery, UploadState } from './options.js';
export type { ResumeRecord, ResumeStore } from './resume-store.js';
export type { RetryPolicy } from './retry.js';
export type { ObjectPlace } from './object-name.js';
export type { UploadErrorCode } from './upload-error.js';
