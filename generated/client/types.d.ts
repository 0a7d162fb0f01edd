export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};
/**
 * `pub/<account_id>/<key>` (public), `prv/<account_id>/<key>` (private), or `<account_id>/<key>` for a legacy file.
 * Opaque to clients; it changes when the visibility or the expiry changes.
 *
 */
export type ObjectId = string;
/**
 * ISO 8601 in UTC with milliseconds.
 */
export type Timestamp = string;
export type ObjectEntry = {
    id: ObjectId;
    /**
     * Bytes.
     */
    size: number;
    created_at: Timestamp;
    expires_at?: Timestamp;
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    /**
     * Changes when the content changes; without quotes.
     */
    etag: string;
};
/**
 * Every code that the storage and application API can answer. Each has one HTTP status wherever it occurs.
 * What a code means, and what to do about it, stands in its example under `examples/errors/`; the server answers the
 * same text in `message`.
 *
 */
export type ErrorCode = 'ACCESS_DENIED' | 'MISSING_SCOPE' | 'RESOURCE_NOT_ALLOWED' | 'PREFIX_NOT_ALLOWED' | 'PREFIX_REQUIRED' | 'UPLOAD_TOKEN_NOT_ALLOWED' | 'UPLOAD_TOKEN_USED' | 'UPLOAD_TOKEN_TOO_LARGE' | 'ORIGIN_NOT_ALLOWED' | 'PERMISSION_DENIED' | 'UPGRADE_REQUIRED' | 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_UPLOADS' | 'INTERNAL_SERVER_ERROR' | 'NOT_IMPLEMENTED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'INVALID_BODY' | 'BODY_TOO_LARGE' | 'INVALID_OBJECT' | 'OBJECT_NOT_FOUND' | 'OBJECT_ALREADY_EXISTS' | 'OBJECT_IS_LEGACY' | 'SAME_OBJECT' | 'TOO_MANY_OBJECTS' | 'NOTHING_TO_UPDATE' | 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OVERWRITE' | 'INVALID_CHECKSUM' | 'CHECKSUM_MISMATCH' | 'INVALID_FILE' | 'INVALID_FILE_TYPE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'FILE_TOO_SMALL' | 'FILE_TOO_LARGE' | 'INVALID_CONTENT_TYPE' | 'STORAGE_QUOTA_EXCEEDED' | 'UPLOAD_FAILED' | 'LIST_FAILED' | 'DELETE_FAILED' | 'COPY_FAILED' | 'UPDATE_FAILED' | 'VISIBILITY_CHANGE_FAILED' | 'PRIVATE_STORAGE_UNAVAILABLE' | 'PUBLIC_STORAGE_UNAVAILABLE' | 'INVALID_CONTINUATION_TOKEN' | 'INVALID_LIMIT' | 'INVALID_DELIMITER' | 'INVALID_DESTINATION' | 'INVALID_MOVE' | 'INVALID_DOWNLOAD_EXPIRES' | 'INVALID_REDIRECT' | 'INVALID_FILENAME' | 'INVALID_UPLOAD_TOKEN' | 'UPLOAD_NOT_FOUND' | 'TOO_MANY_OPEN_UPLOADS' | 'TOO_MANY_CONCURRENT_CHUNKS' | 'INVALID_CHUNK_PART' | 'CHUNK_TOO_LARGE' | 'CHUNK_TOO_SMALL' | 'EMPTY_CHUNK' | 'NO_CHUNKS_UPLOADED' | 'INVALID_SIZE' | 'INVALID_MAX_SIZE' | 'INVALID_ALLOWED_EXTENSIONS' | 'INVALID_ALLOWED_ORIGINS' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_USES' | 'INVALID_MAX_DOWNLOADS' | 'INVALID_PASSWORD' | 'INVALID_LANDING' | 'INVALID_SHARE' | 'SHARE_NOT_FOUND' | 'TOO_MANY_SHARES' | 'SHARE_PASSWORD_REQUIRED' | 'SHARE_EXHAUSTED' | 'SHARE_EXPIRED' | 'LINK_NOT_FOUND' | 'API_KEY_REQUIRED' | 'LEGACY_API_KEY' | 'INVALID_CREDENTIAL' | 'INVALID_RULES' | 'TOO_MANY_RULES' | 'INVALID_RULE_PREFIX' | 'DUPLICATE_RULE_PREFIX' | 'INVALID_RULE_PRIVATE' | 'INVALID_RULE_EXPIRE' | 'INVALID_RULE_MAX_SIZE' | 'INVALID_RULE_EXTENSIONS' | 'INVALID_RULE_CACHE_CONTROL' | 'INVALID_RULE_DELETE_AFTER' | 'INVALID_KEY_NAME' | 'INVALID_SCOPES' | 'INVALID_RESOURCES' | 'INVALID_PREFIXES' | 'CONFLICTING_RESOURCES' | 'APIKEY_LIMIT_REACHED' | 'APIKEY_NOT_FOUND' | 'APP_NOT_FOUND' | 'INVALID_ACCESS_TOKEN' | 'INVALID_SECRET' | 'INVALID_TIME_RANGE' | 'INVALID_INCLUDE_4XX' | 'UNABLE_TO_FETCH_ERRORS' | 'KEEP_CALM' | 'NOT_READY';
export type Error = {
    status: 'error';
    code: ErrorCode;
    /**
     * What happened and what to do next, for people. Its wording may change.
     */
    message?: string;
    /**
     * The prefix of the rule that refused the request.
     */
    prefix?: string;
};
/**
 * 1 to 128 letters, digits, `_`, `.` and `-`, without an extension. It does not end in an expiry mark (`-ex7`, `-ex6h`).
 */
export type ObjectName = string;
/**
 * 1 to 8 folders joined by `/`, each of 1 to 64 letters, digits, `_`, `.` and `-`; 256 characters in all. A trailing `/` is dropped.
 */
export type ObjectPrefix = string;
/**
 * Days (`30` or `30d`) or hours (`6h`), from 1 hour to 1825 days. Below 7 days needs Enterprise.
 */
export type Duration = string;
/**
 * Whether a browser shows the file or saves it.
 */
export type Disposition = 'inline' | 'attachment';
/**
 * `immutable`, `max-age=N` with N from 60 to 31536000 seconds, or `no-cache` (Enterprise).
 */
export type CacheControl = string;
/**
 * SHA-256 in lowercase hex.
 */
export type Sha256 = string;
export type UploadedObject = {
    id: ObjectId;
    /**
     * The name as sent or pinned.
     */
    name: string;
    /**
     * The prefix as sent, without a trailing `/`; absent when none was sent.
     */
    prefix?: string;
    /**
     * Bytes.
     */
    size: number;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    private: boolean;
    sha256: Sha256;
    /**
     * Whether an earlier file of that name was replaced.
     */
    replaced: boolean;
    expires_at?: Timestamp;
};
/**
 * Present when several files were named.
 */
export type DeletionReport = {
    deleted: Array<ObjectId>;
    not_found: Array<ObjectId>;
    failed: Array<{
        id: ObjectId;
        code: 'DELETE_FAILED';
    }>;
};
export type ObjectInfo = {
    id: ObjectId;
    /**
     * Bytes.
     */
    size: number;
    /**
     * The Content-Type that is served, derived from the extension.
     */
    content_type: string;
    /**
     * Changes when the content changes; without quotes.
     */
    etag: string;
    created_at: Timestamp;
    expires_at: Timestamp | null;
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    /**
     * The Cache-Control header that was set; null means the default of the public host, `public, max-age=60`.
     */
    cache_control: string | null;
    /**
     * The Content-Disposition header as served; null when none is.
     */
    content_disposition: string | null;
    /**
     * The filename as uploaded.
     */
    original_name: string | null;
    metadata: {
        [key: string]: string;
    };
    /**
     * Uploaded before the September 2026 update.
     */
    legacy: boolean;
    sha256: Sha256 | null;
};
export type Health = {
    status: 'success';
};
/**
 * The file's name without extension. Compulsory unless an upload token pins it.
 */
export type UploadName = ObjectName;
/**
 * The folder of the file.
 */
export type UploadPrefix = ObjectPrefix;
/**
 * Whether the file is private. Default - what the prefix rule says, else public.
 */
export type UploadPrivate = boolean;
/**
 * Adds a random hash to the stored name. Private files always carry it.
 */
export type UploadSecurityHash = boolean;
/**
 * When the file is deleted, counted from now. Default - what the prefix rule says, else never.
 */
export type UploadExpire = Duration;
/**
 * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
 */
export type UploadOverwrite = boolean;
/**
 * Whether a browser shows or saves the file.
 */
export type UploadDisposition = Disposition;
/**
 * The earlier form of `disposition=attachment`; `disposition` wins when both are sent.
 */
export type UploadAutoDownload = boolean;
/**
 * Cache-Control of the served file.
 */
export type UploadCacheControl = CacheControl;
/**
 * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes.
 */
export type UploadMetadata = string;
/**
 * SHA-256 of the bytes; when those that arrive have another, nothing is stored.
 */
export type UploadChecksum = Sha256;
/**
 * Id of the file.
 */
export type ObjectId2 = ObjectId;
export type DeleteObjectsData = {
    body: {
        object?: ObjectId;
        objects?: Array<ObjectId>;
    };
    path?: never;
    query?: never;
    url: '/v1/objects';
};
export type DeleteObjectsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT' | 'TOO_MANY_OBJECTS' | 'DELETE_FAILED';
    };
    /**
     * The credential is missing or not valid.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'PREFIX_NOT_ALLOWED' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * The JSON body is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too many requests. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type DeleteObjectsError = DeleteObjectsErrors[keyof DeleteObjectsErrors];
export type DeleteObjectsResponses = {
    /**
     * The file is deleted; or, for several, the report.
     */
    200: {
        status: 'success';
        response?: DeletionReport;
    };
};
export type DeleteObjectsResponse = DeleteObjectsResponses[keyof DeleteObjectsResponses];
export type ListObjectsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only keys that begin with this, any leading part of a key; up to 1024 bytes of UTF-8 without NUL.
         */
        prefix?: string;
        /**
         * Only private files (`true`) or only public ones (`false`).
         */
        private?: boolean;
        /**
         * Rolls up what lies deeper into `folders`.
         */
        delimiter?: '/';
        /**
         * Entries on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the page before.
         */
        cursor?: string;
        /**
         * The earlier name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/objects';
};
export type ListObjectsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_DELIMITER' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN' | 'PREFIX_REQUIRED' | 'LIST_FAILED';
    };
    /**
     * The credential is missing or not valid.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'PREFIX_NOT_ALLOWED' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too many requests. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type ListObjectsError = ListObjectsErrors[keyof ListObjectsErrors];
export type ListObjectsResponses = {
    /**
     * One page of files.
     */
    200: {
        status: 'success';
        response: {
            objects: Array<ObjectEntry>;
            /**
             * Whole key prefixes that end in `/`; present when `delimiter` was sent.
             */
            folders?: Array<string>;
            /**
             * Asks for the next page; absent on the last.
             */
            continuationToken?: string;
        };
    };
};
export type ListObjectsResponse = ListObjectsResponses[keyof ListObjectsResponses];
export type UploadObjectData = {
    body: {
        /**
         * The file, with its filename.
         */
        file: Blob | File;
    };
    path?: never;
    query?: {
        /**
         * The file's name without extension. Compulsory unless an upload token pins it.
         */
        name?: ObjectName;
        /**
         * The folder of the file.
         */
        prefix?: ObjectPrefix;
        /**
         * Whether the file is private. Default - what the prefix rule says, else public.
         */
        private?: boolean;
        /**
         * Adds a random hash to the stored name. Private files always carry it.
         */
        security_hash?: boolean;
        /**
         * When the file is deleted, counted from now. Default - what the prefix rule says, else never.
         */
        expire?: Duration;
        /**
         * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
         */
        overwrite?: boolean;
        /**
         * Whether a browser shows or saves the file.
         */
        disposition?: Disposition;
        /**
         * The earlier form of `disposition=attachment`; `disposition` wins when both are sent.
         */
        auto_download?: boolean;
        /**
         * Cache-Control of the served file.
         */
        cache_control?: CacheControl;
        /**
         * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes.
         */
        metadata?: string;
        /**
         * SHA-256 of the bytes; when those that arrive have another, nothing is stored.
         */
        checksum_sha256?: Sha256;
    };
    url: '/v1/objects';
};
export type UploadObjectErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_CHECKSUM' | 'INVALID_FILE' | 'INVALID_FILE_TYPE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'FILE_TOO_SMALL' | 'CHECKSUM_MISMATCH';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED' | 'UPLOAD_TOKEN_USED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'MISSING_SCOPE' | 'PREFIX_NOT_ALLOWED' | 'ORIGIN_NOT_ALLOWED' | 'UPGRADE_REQUIRED';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'INVALID_CONTENT_TYPE' | 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_UPLOADS';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
};
export type UploadObjectError = UploadObjectErrors[keyof UploadObjectErrors];
export type UploadObjectResponses = {
    /**
     * The file is stored.
     */
    200: {
        status: 'success';
        response: UploadedObject;
    };
};
export type UploadObjectResponse = UploadObjectResponses[keyof UploadObjectResponses];
export type GetObjectInfoData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Id of the file.
         */
        object: ObjectId;
    };
    url: '/v1/objects/info';
};
export type GetObjectInfoErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT';
    };
    /**
     * The credential is missing or not valid.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'MISSING_SCOPE' | 'PREFIX_NOT_ALLOWED' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * Too many requests. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetObjectInfoError = GetObjectInfoErrors[keyof GetObjectInfoErrors];
export type GetObjectInfoResponses = {
    /**
     * The file's details.
     */
    200: {
        status: 'success';
        response: ObjectInfo;
    };
};
export type GetObjectInfoResponse = GetObjectInfoResponses[keyof GetObjectInfoResponses];
export type GetPublicFileData = {
    body?: never;
    headers?: {
        /**
         * One byte range.
         */
        Range?: string;
        /**
         * Answers 304 when the file still has this ETag.
         */
        'If-None-Match'?: string;
        /**
         * Answers 304 when the file was not written since.
         */
        'If-Modified-Since'?: string;
        /**
         * The range is served only while the file has this ETag or date.
         */
        'If-Range'?: string;
    };
    path: {
        /**
         * The account whose file it is.
         */
        account_id: string;
        /**
         * The file's key, each segment percent-encoded.
         */
        key: string;
    };
    query?: never;
    url: '/{account_id}/{key}';
};
export type GetPublicFileErrors = {
    /**
     * No public file lies there.
     */
    404: string;
    /**
     * A condition of the request does not hold.
     */
    412: string;
    /**
     * The range lies outside of the file.
     */
    416: string;
    /**
     * A fault of the server.
     */
    500: string;
    /**
     * The store of files cannot be reached.
     */
    503: string;
};
export type GetPublicFileError = GetPublicFileErrors[keyof GetPublicFileErrors];
export type GetPublicFileResponses = {
    /**
     * The whole file.
     */
    200: Blob | File;
    /**
     * The range that was asked for.
     */
    206: Blob | File;
};
export type GetPublicFileResponse = GetPublicFileResponses[keyof GetPublicFileResponses];
export type GetLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/livez';
};
export type GetLivenessErrors = {
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetLivenessError = GetLivenessErrors[keyof GetLivenessErrors];
export type GetLivenessResponses = {
    /**
     * It is.
     */
    200: Health;
};
export type GetLivenessResponse = GetLivenessResponses[keyof GetLivenessResponses];
export type GetReadinessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/readyz';
};
export type GetReadinessErrors = {
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again.
     */
    503: Error & {
        code?: 'NOT_READY';
    };
};
export type GetReadinessError = GetReadinessErrors[keyof GetReadinessErrors];
export type GetReadinessResponses = {
    /**
     * It can.
     */
    200: Health;
};
export type GetReadinessResponse = GetReadinessResponses[keyof GetReadinessResponses];
export type GetMetricsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};
export type GetMetricsErrors = {
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
};
export type GetMetricsError = GetMetricsErrors[keyof GetMetricsErrors];
export type GetMetricsResponses = {
    /**
     * The counters.
     */
    200: string;
};
export type GetMetricsResponse = GetMetricsResponses[keyof GetMetricsResponses];
