// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadHandle, UploadOptions } from './options.js';
/**
 * Uploads a file of any size, starting at once. `done` rejects with an UploadError.
 *
 * @throws {TypeError} outside a page without `baseUrl`
 */
export declare function uploadFile(file: Blob, options: UploadOptions): UploadHandle;
