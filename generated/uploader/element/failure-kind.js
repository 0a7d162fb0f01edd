// Made from uploader/ by `npm run generate`. Never edit it by hand.
const kinds = {
    FILE_TYPE_NOT_ALLOWED: 'type',
    BLOCKED_FILE_TYPE: 'type',
    INVALID_FILE_TYPE: 'type',
    FILE_TOO_SMALL: 'small',
    EMPTY_CHUNK: 'small',
    FILE_TOO_LARGE: 'large',
    CHUNK_TOO_LARGE: 'large',
    STORAGE_QUOTA_EXCEEDED: 'full',
    INSUFFICIENT_STORAGE: 'disk',
    UPLOAD_TOKEN_USED: 'used',
    ACCESS_DENIED: 'denied',
    NO_CREDENTIAL: 'denied',
    OBJECT_ALREADY_EXISTS: 'exists',
    FILE_UNREADABLE: 'unreadable',
    NETWORK_ERROR: 'unreachable',
    ANSWER_LOST: 'unsure',
};
/** Kinds where a later attempt with the same file may succeed. */
const passing = ['disk', 'denied', 'unreachable', 'busy', 'unsure', 'unknown'];
export function failureKind({ code, status, retryable, }) {
    const known = kinds[code];
    if (known)
        return known;
    if (retryable)
        return 'busy';
    // A proxy in front of the server may have its own limits.
    if (status === 413)
        return 'large';
    return status === undefined || status >= 500 ? 'unknown' : 'setup';
}
/**
 * Returns whether a later attempt with the same file may succeed.
 *
 * @param canRenew whether the page can provide another credential
 */
export function canTryAgain(error, canRenew) {
    const kind = failureKind(error);
    return passing.includes(kind) && (kind !== 'denied' || canRenew);
}
