// The exports of `cubby-server/uploader`.
export { indexedDbStore } from './indexed-db-store.ts';
export { objectName, objectPlace } from './object-name.ts';
export { uploadFile } from './upload-file.ts';
export { UploadError } from './upload-error.ts';
export type { Credential, SessionCredential } from './credentials.ts';
export type { UploadedFile, UploadHandle, UploadOptions, UploadProgress, UploadQuery, UploadState } from './options.ts';
export type { ResumeRecord, ResumeStore } from './resume-store.ts';
export type { RetryPolicy } from './retry.ts';
export type { ObjectPlace } from './object-name.ts';
export type { UploadErrorCode } from './upload-error.ts';
