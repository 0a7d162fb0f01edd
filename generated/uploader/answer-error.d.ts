// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError } from './upload-error.js';
/**
 * Turns a failed request into an UploadError.
 *
 * @param response undefined when no response came
 * @param body the parsed body, or the error that reading it threw
 * @param now milliseconds since 1970, for a `Retry-After` that is a date
 */
export declare function answerError(response: Response | undefined, body: unknown, now?: number): UploadError;
