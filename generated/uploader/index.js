// Made from uploader/ by `npm run generate`. Never edit it by hand.
// The exports of `cubby-server/uploader`.
export { indexedDbStore } from './indexed-db-store.js';
export { objectName, objectPlace } from './object-name.js';
export { uploadFile } from './upload-file.js';
export { UploadError } from './upload-error.js';
