// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { UploadError } from '../upload-error.js';
/** The meaning of a failure for a visitor. Each kind has its own text. */
export type FailureKind = 'type' | 'small' | 'large' | 'full' | 'disk' | 'used' | 'denied' | 'exists' | 'unreadable' | 'unreachable' | 'busy' | 'unsure' | 'setup' | 'unknown';
export declare function failureKind({ code, status, retryable, }: Pick<UploadError, 'code' | 'status' | 'retryable'>): FailureKind;
/**
 * Returns whether a later attempt with the same file may succeed.
 *
 * @param canRenew whether the page can provide another credential
 */
export declare function canTryAgain(error: Pick<UploadError, 'code' | 'status' | 'retryable'>, canRenew: boolean): boolean;
