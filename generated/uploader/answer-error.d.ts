// Made from uploader/ by `npm run generate`. Never edit it by hand.
import { UploadError } from './upload-error.js';
/**
 * The error that an answer stands for.
 *
 * @param response left out when none came
 * @param body what was made of its body, or why there is none
 * @param now milliseconds, for a `Retry-After` that is a date
 */
export declare function answerError(response: Response | undefined, body: unknown, now?: number): UploadError;
