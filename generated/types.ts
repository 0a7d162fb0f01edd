// Made from openapi/ by `npm run generate`. Never edit it by hand.


export type ClientOptions = {
    baseUrl: `${string}://{api_url}` | `${string}://${string}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{files_url}` | `${string}://{public_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | `${string}://{operator_url}` | (string & {});
};

export type Webhooks2 = ReceiveObjectCreatedWebhookRequest | ReceiveObjectReplacedWebhookRequest | ReceiveObjectUpdatedWebhookRequest | ReceiveObjectMovedWebhookRequest | ReceiveObjectVisibilityChangedWebhookRequest | ReceiveObjectExpiryChangedWebhookRequest | ReceiveObjectDeletedWebhookRequest | ReceiveObjectExpiredWebhookRequest | ReceiveObjectRestoredWebhookRequest | ReceiveObjectPurgedWebhookRequest | ReceiveUploadStartedWebhookRequest | ReceiveUploadCompletedWebhookRequest | ReceiveUploadAbortedWebhookRequest | ReceiveShareCreatedWebhookRequest | ReceiveShareUpdatedWebhookRequest | ReceiveShareVisitedWebhookRequest | ReceiveShareDownloadedWebhookRequest | ReceiveShareSpentWebhookRequest | ReceiveShareEndedWebhookRequest | ReceiveFileRequestCreatedWebhookRequest | ReceiveFileRequestUpdatedWebhookRequest | ReceiveFileRequestReceivedWebhookRequest | ReceiveFileRequestFullWebhookRequest | ReceiveFileRequestEndedWebhookRequest | ReceiveUploadTokenUsedUpWebhookRequest | ReceiveQuotaReachedWebhookRequest | ReceiveAiBudgetReachedWebhookRequest | ReceiveKeyCreatedWebhookRequest | ReceiveKeyUpdatedWebhookRequest | ReceiveKeyRevokedWebhookRequest | ReceiveDeployQueuedWebhookRequest | ReceiveDeployStartedWebhookRequest | ReceiveDeployEndedWebhookRequest | ReceiveDeployFilteredWebhookRequest | ReceiveWebhookTestWebhookRequest;

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

/**
 * Up to 5 keys of lowercase letters, digits and `-`, which do not begin with `cubby-`. Keys and values may have 512 bytes
 * in all. Values must not contain control characters, such as line ends.
 *
 */
export type Metadata = {
    [key: string]: string;
};

/**
 * SHA-256 in lowercase hex.
 */
export type Sha256 = string;

/**
 * A file in a list.
 */
export type ObjectEntry = {
    id: ObjectId;
    /**
     * Bytes of the file.
     */
    size: number;
    created_at: Timestamp;
    expires_at?: Timestamp;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file, and for a legacy file whose URL serves the public file of the same key.
     */
    url: string | null;
    /**
     * Changes when the content changes; without quotes.
     */
    etag: string;
    /**
     * The type that it is served with; present when `fields` names it.
     */
    content_type?: string;
    /**
     * The name under which people see the file; present when `fields` names it. Null if it has none.
     */
    original_name?: string | null;
    /**
     * Present when `fields` names it.
     */
    metadata?: Metadata;
    /**
     * Present when `fields` names it; null while it is still computed.
     */
    sha256?: Sha256 | null;
};

/**
 * One page of the list of files.
 */
export type ObjectPage = {
    /**
     * The files of this page, in byte order of their keys within each space, or in the order that was asked for.
     */
    objects: Array<ObjectEntry>;
    /**
     * Whole key prefixes that end in `/`; present when `delimiter` was sent.
     */
    folders?: Array<string>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * Every code that the storage and application API can answer. Each has one HTTP status wherever it occurs.
 * `x-enum-descriptions` has for each code its HTTP status, its meaning and what to do about it. The server sends a
 * part of this text as `message`.
 *
 */
export type ErrorCode = 'ACCESS_DENIED' | 'ACCOUNT_SUSPENDED' | 'MISSING_SCOPE' | 'RESOURCE_NOT_ALLOWED' | 'PREFIX_NOT_ALLOWED' | 'PREFIX_REQUIRED' | 'UPLOAD_TOKEN_NOT_ALLOWED' | 'UPLOAD_TOKEN_USED' | 'UPLOAD_TOKEN_TOO_LARGE' | 'ORIGIN_NOT_ALLOWED' | 'PERMISSION_DENIED' | 'UPGRADE_REQUIRED' | 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_UPLOADS' | 'SERVER_OVERLOADED' | 'INTERNAL_SERVER_ERROR' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'INVALID_BODY' | 'BODY_TOO_LARGE' | 'INVALID_OBJECT' | 'OBJECT_NOT_FOUND' | 'OBJECT_ALREADY_EXISTS' | 'OBJECT_IS_LEGACY' | 'SAME_OBJECT' | 'TOO_MANY_OBJECTS' | 'NOTHING_TO_UPDATE' | 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OVERWRITE' | 'INVALID_CONDITION' | 'INVALID_SORT' | 'INVALID_ORDER' | 'INVALID_KIND' | 'INVALID_SIZE_RANGE' | 'INVALID_DATE_RANGE' | 'INVALID_FIELDS' | 'INVALID_SHARE_TITLE' | 'INVALID_SHARE_MESSAGE' | 'CONDITION_NOT_MET' | 'INVALID_CHECKSUM' | 'CHECKSUM_MISMATCH' | 'INVALID_FILE' | 'INVALID_FILE_TYPE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'FILE_TOO_SMALL' | 'FILE_TOO_LARGE' | 'INVALID_CONTENT_TYPE' | 'STORAGE_QUOTA_EXCEEDED' | 'INSUFFICIENT_STORAGE' | 'UPLOAD_FAILED' | 'LIST_FAILED' | 'DELETE_FAILED' | 'COPY_FAILED' | 'UPDATE_FAILED' | 'VISIBILITY_CHANGE_FAILED' | 'PRIVATE_STORAGE_UNAVAILABLE' | 'PUBLIC_STORAGE_UNAVAILABLE' | 'INVALID_CONTINUATION_TOKEN' | 'INVALID_LIMIT' | 'INVALID_DELIMITER' | 'INVALID_DESTINATION' | 'INVALID_MOVE' | 'INVALID_DOWNLOAD_EXPIRES' | 'INVALID_REDIRECT' | 'INVALID_FILENAME' | 'INVALID_UPLOAD_TOKEN' | 'UPLOAD_NOT_FOUND' | 'INVALID_UPLOAD_HEADER' | 'UNSUPPORTED_TUS_VERSION' | 'UNSUPPORTED_UPLOAD_TYPE' | 'UPLOAD_OFFSET_MISMATCH' | 'UPLOAD_CHECKSUM_MISMATCH' | 'UPLOAD_BUSY' | 'UPLOAD_COMPLETED' | 'UPLOAD_IS_FINAL' | 'TOO_MANY_OPEN_UPLOADS' | 'TOO_MANY_CONCURRENT_CHUNKS' | 'INVALID_CHUNK_PART' | 'CHUNK_TOO_LARGE' | 'CHUNK_TOO_SMALL' | 'EMPTY_CHUNK' | 'NO_CHUNKS_UPLOADED' | 'INVALID_SIZE' | 'INVALID_SENT_SIZE' | 'SIZE_MISMATCH' | 'INVALID_MAX_SIZE' | 'INVALID_ALLOWED_EXTENSIONS' | 'INVALID_ALLOWED_ORIGINS' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_USES' | 'INVALID_MAX_DOWNLOADS' | 'INVALID_PASSWORD' | 'INVALID_LANDING' | 'INVALID_SHARE' | 'SHARE_NOT_FOUND' | 'TOO_MANY_SHARES' | 'SHARE_PASSWORD_REQUIRED' | 'SHARE_EXHAUSTED' | 'SHARE_EXPIRED' | 'BUNDLE_EMPTY' | 'BUNDLE_TOO_LARGE' | 'INVALID_FILE_REQUEST' | 'INVALID_REQUEST_TITLE' | 'INVALID_REQUEST_NOTE' | 'INVALID_DEADLINE' | 'INVALID_GRACE' | 'INVALID_MAX_FILES' | 'INVALID_MAX_BYTES' | 'INVALID_SENDER_FOLDERS' | 'INVALID_REQUEST_STATE' | 'INVALID_SENDER_NAME' | 'FILE_REQUEST_NOT_FOUND' | 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_EXPIRED' | 'FILE_REQUEST_FULL' | 'FILE_REQUEST_PASSWORD_REQUIRED' | 'NOTHING_SENT' | 'TOO_MANY_FILE_REQUESTS' | 'LINK_NOT_FOUND' | 'API_KEY_REQUIRED' | 'LEGACY_API_KEY' | 'INVALID_CREDENTIAL' | 'INVALID_RULES' | 'INVALID_IMAGE_PRESETS' | 'INVALID_IMAGE_VARIANT' | 'IMAGE_SIGNATURE_REQUIRED' | 'NOT_AN_IMAGE' | 'IMAGE_TOO_LARGE' | 'IMAGE_UNREADABLE' | 'IMAGE_TOO_COSTLY' | 'IMAGE_QUEUE_FULL' | 'TOO_MANY_RULES' | 'INVALID_RULE_PREFIX' | 'DUPLICATE_RULE_PREFIX' | 'INVALID_RULE_PRIVATE' | 'INVALID_RULE_EXPIRE' | 'INVALID_RULE_MAX_SIZE' | 'INVALID_RULE_EXTENSIONS' | 'INVALID_RULE_CACHE_CONTROL' | 'INVALID_RULE_DELETE_AFTER' | 'INVALID_KEY_NAME' | 'INVALID_SCOPES' | 'INVALID_RESOURCES' | 'INVALID_PREFIXES' | 'INVALID_AI_LIMITS' | 'INVALID_GROUP_BY' | 'CONFLICTING_RESOURCES' | 'APIKEY_LIMIT_REACHED' | 'APIKEY_NOT_FOUND' | 'APP_NOT_FOUND' | 'DEPLOYMENT_NOT_FOUND' | 'DEPLOYMENT_LOG_NOT_FOUND' | 'INVALID_DEPLOY_FILTER' | 'DEPLOY_HOOK_NOT_FOUND' | 'INVALID_REF' | 'INVALID_COMMIT' | 'INVALID_REPOSITORY' | 'INVALID_GIT_HOST' | 'COMMIT_STATUS_NOT_FOUND' | 'INVALID_STATUS_ORIGIN' | 'INVALID_STATUS_CONTEXT' | 'INVALID_STATUS_URL' | 'INVALID_ACCESS_TOKEN' | 'INVALID_SECRET' | 'INVALID_TIME_RANGE' | 'INVALID_INCLUDE_4XX' | 'UNABLE_TO_FETCH_ERRORS' | 'KEEP_CALM' | 'INVALID_USER_CODE' | 'INVALID_FORM_TOKEN' | 'NOT_READY' | 'ACCOUNT_NOT_FOUND' | 'INVALID_SEARCH' | 'INVALID_ACTIVITY_FILTER' | 'JOB_NOT_FOUND' | 'CLOCK_JUMPED' | 'BACKUP_TARGET_MISSING' | 'BACKUP_TARGET_UNUSABLE' | 'BACKUP_RUNNING' | 'INVALID_AUDIT_PLACE' | 'STORAGE_UNAVAILABLE' | 'MALFORMED_REQUEST' | 'HEADERS_TOO_LARGE' | 'REQUEST_TIMEOUT' | 'INVALID_WEBHOOK_URL' | 'INVALID_WEBHOOK_TYPES' | 'INVALID_DELIVERY_STATE' | 'WEBHOOK_NOT_FOUND' | 'EVENT_NOT_FOUND' | 'TOO_MANY_WEBHOOKS' | 'INVALID_CALLBACK_METADATA' | 'TOO_MANY_EVENT_STREAMS' | 'WEBHOOK_REPLAY_RUNNING' | 'INVALID_RULE_KEEP_DELETED' | 'INVALID_RULE_KEEP_VERSIONS' | 'INVALID_KEEP_DELETED' | 'INVALID_VERSION' | 'TOO_MANY_VERSIONS' | 'VERSION_NOT_FOUND' | 'VERSION_KEPT' | 'RESTORE_FAILED' | 'PURGE_FAILED' | 'INVALID_FOLDER_ACTION' | 'FOLDER_JOB_NOT_FOUND' | 'TOO_MANY_FOLDER_JOBS' | 'CSRF_TOKEN_INVALID' | 'HTTPS_REQUIRED' | 'SESSION_NOT_FOUND' | 'HOST_NOT_ALLOWED';

/**
 * The error shape of the storage and application API.
 */
export type Error = {
    /**
     * The request failed.
     */
    status: 'error';
    code: ErrorCode;
    /**
     * What happened and what to do next, for people. Its wording may change.
     */
    message: string;
    /**
     * The prefix of the rule with the error.
     */
    prefix?: string;
};

/**
 * 1 to 128 letters, digits, `_`, `.` and `-`, without an extension. It does not end in an expiry mark (`-ex7`, `-ex6h`).
 */
export type ObjectName = string;

/**
 * 1 to 8 folders joined by `/`, each of 1 to 64 letters, digits, `_`, `.` and `-`; 256 characters in all. A trailing `/`
 * is dropped. An empty one means none.
 *
 */
export type ObjectPrefixOrNone = string;

/**
 * Whether a browser shows the file or saves it.
 */
export type Disposition = 'inline' | 'attachment';

/**
 * `immutable`, `max-age=N` with N from 60 to 31536000 seconds, or `no-cache` (Enterprise).
 */
export type CacheControl = string;

/**
 * A form with one file.
 */
export type FileUpload = {
    /**
     * The file, with its filename.
     */
    file: Blob | File;
};

/**
 * The stored file.
 */
export type UploadedObject = {
    id: ObjectId;
    /**
     * The name as sent or pinned.
     */
    name: string;
    /**
     * The prefix as sent or pinned, without a trailing `/`; absent if there is none.
     */
    prefix?: string;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    sha256: Sha256;
    /**
     * Changes when the content changes; without quotes. `If-Match` takes it in quotes.
     */
    etag: string;
    /**
     * Whether an earlier file of that name was replaced.
     */
    replaced: boolean;
    expires_at?: Timestamp;
};

/**
 * Days in the trash.
 */
export type KeepDeletedDays = number;

/**
 * The files to delete - `object` or `objects`.
 */
export type DeleteRequest = {
    object?: ObjectId;
    /**
     * Ids of the files, up to 100.
     */
    objects?: Array<ObjectId>;
    /**
     * The trash keeps the files for at least this many days, whatever the rules say. Without it, and with 0, the rules alone
     * decide.
     *
     */
    keep_deleted_days?: KeepDeletedDays;
};

/**
 * The id of one version of a file. Later ones sort behind.
 */
export type VersionId = string;

/**
 * The result for each file. Present if the request named several files, or has `keep_deleted_days`.
 */
export type DeletionReport = {
    /**
     * Ids of the deleted files.
     */
    deleted: Array<ObjectId>;
    /**
     * The deleted files that the trash keeps.
     */
    kept: Array<{
        id: ObjectId;
        /**
         * Restores the file, as `restoreTrash` takes it.
         */
        version: VersionId;
    }>;
    /**
     * Ids without a file.
     */
    not_found: Array<ObjectId>;
    /**
     * Files that could not be deleted and are still there. Delete them again.
     */
    failed: Array<{
        id: ObjectId;
        /**
         * Why the file could not be deleted.
         */
        code: 'DELETE_FAILED';
    }>;
};

/**
 * A duration string, or a number of whole days; null means never. From 1 hour to 1825 days; below 7 days needs Enterprise.
 */
export type JsonDurationOrNull = string | null | number;

/**
 * Keys to set, or to remove with a null value. Null in place of the object removes all keys; an empty object changes
 * nothing. After the change a file may have up to 5 keys and 512 bytes of keys and values. Values must not contain
 * control characters, such as line ends.
 * Setting needs Pro or Enterprise, removing does not.
 *
 */
export type MetadataChange = {
    [key: string]: string | null;
} | null;

/**
 * The files to change - `object` or `objects` - and the changes, at least one.
 */
export type UpdateRequest = {
    object?: ObjectId;
    /**
     * Ids of the files, up to 50.
     */
    objects?: Array<ObjectId>;
    /**
     * `true` makes the file private, `false` publishes it.
     */
    private?: boolean;
    /**
     * The new expiry, counted from now; null keeps the file for good.
     */
    expire?: JsonDurationOrNull;
    /**
     * `immutable`, `max-age=N` with N from 60 to 31536000 seconds, or `no-cache` (Enterprise); null removes it.
     */
    cache_control?: string | null;
    /**
     * Whether a browser shows the file or saves it; null removes the setting.
     */
    disposition?: 'inline' | 'attachment' | null;
    metadata?: MetadataChange;
    /**
     * The name under which people see, share and save the file, of one file only. Up to 255 characters, without `/`, `\`
     * and control characters, and not only dots and blanks. A name of a program is refused for a file whose key has none. The
     * id stays; `copyObject` with `move` changes it. Null removes the name, and the end of the key takes its place.
     *
     */
    original_name?: string | null;
};

/**
 * The file is changed.
 */
export type UpdatedObject = {
    /**
     * The id from the request.
     */
    object: string;
    /**
     * The file was changed.
     */
    ok: true;
    /**
     * Whether the id changed. If so, links to the old id stop working.
     */
    changed: boolean;
    id: ObjectId;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * When the file is deleted; null means never.
     */
    expires_at: Timestamp | null;
};

/**
 * The file could not be changed; `code` has the reason.
 */
export type UpdateFailure = {
    /**
     * The id from the request.
     */
    object: string;
    /**
     * The file is unchanged.
     */
    ok: false;
    /**
     * Why the file could not be changed.
     */
    code: 'OBJECT_NOT_FOUND' | 'PERMISSION_DENIED' | 'OBJECT_IS_LEGACY' | 'INVALID_OBJECT_METADATA' | 'VISIBILITY_CHANGE_FAILED' | 'PRIVATE_STORAGE_UNAVAILABLE' | 'PUBLIC_STORAGE_UNAVAILABLE' | 'UPDATE_FAILED';
};

/**
 * The result for one file.
 */
export type UpdateResult = UpdatedObject | UpdateFailure;

/**
 * The results of an update.
 */
export type UpdateReport = {
    /**
     * One result for each file, in the order of the request.
     */
    results: Array<UpdateResult>;
};

/**
 * All details of a file.
 */
export type ObjectInfo = {
    id: ObjectId;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * The served Content-Type, derived from the extension.
     */
    content_type: string;
    /**
     * Changes when the content changes; without quotes.
     */
    etag: string;
    created_at: Timestamp;
    /**
     * When the file is deleted; null means never.
     */
    expires_at: Timestamp | null;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file, and for a legacy file whose URL serves the public file of the same key.
     */
    url: string | null;
    /**
     * The Cache-Control header as served, if one was set; null means the default of the public host, `public, max-age=60`.
     */
    cache_control: string | null;
    /**
     * The Content-Disposition header as served; null if there is none.
     */
    content_disposition: string | null;
    /**
     * The name under which people see the file - as uploaded, or as an update changed it; null if it has none.
     */
    original_name: string | null;
    /**
     * The metadata of the file, keys and values; empty if there is none.
     */
    metadata: {
        [key: string]: string;
    };
    /**
     * Uploaded before the September 2026 update.
     */
    legacy: boolean;
    /**
     * SHA-256 of the bytes; null while it is unknown, for example after a large upload whose parts came out of order.
     */
    sha256: Sha256 | null;
};

/**
 * The file to copy or move, and its destination.
 */
export type CopyRequest = {
    source: ObjectId;
    /**
     * The destination of the copy.
     */
    destination: {
        name: ObjectName;
        prefix?: ObjectPrefixOrNone;
        /**
         * Whether the copy is private. Default - as the source, or private if the rule of its prefix says so.
         */
        private?: boolean;
        /**
         * The copy's expiry, counted from now; null keeps it for good. Default - the source's date.
         */
        expire?: JsonDurationOrNull;
        /**
         * Adds a random hash to the stored name. Private copies always carry it; `false` for a private copy answers INVALID_OBJECT_SECURITY_HASH.
         */
        security_hash?: boolean;
    };
    /**
     * Removes the source once the copy is stored.
     */
    move?: boolean;
    /**
     * Replaces an existing file at the destination. Otherwise an existing file answers 409.
     */
    overwrite?: boolean;
};

/**
 * The new file of a copy or move.
 */
export type CopiedObject = {
    id: ObjectId;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    expires_at?: Timestamp;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * Changes when the content changes; without quotes. `If-Match` takes it in quotes.
     */
    etag: string;
    /**
     * The id of the source as sent.
     */
    source: string;
    /**
     * Whether the source was removed.
     */
    moved: boolean;
    /**
     * Whether an earlier file at the destination was replaced.
     */
    replaced: boolean;
};

/**
 * An address from which a file can be fetched without a credential.
 */
export type DownloadLink = {
    /**
     * A temporary link on the files host, or the public URL.
     */
    url: string;
    /**
     * When a temporary link ends, never after its file expires; null for the public URL, which does not end.
     */
    expires_at: Timestamp | null;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Bytes of the file.
     */
    size: number;
    /**
     * The served Content-Type.
     */
    content_type: string;
};

/**
 * Opaque handle of a chunked upload, valid with credentials of its account. Every response about the upload has the same string.
 */
export type ChunkedUploadHandle = string;

/**
 * A stored part.
 */
export type ChunkedPart = {
    /**
     * Its number; above 2048 only in an upload begun over S3.
     */
    part: number;
    /**
     * Its size in bytes; above 32 MiB, or 0, only in an upload begun over S3.
     */
    size: number;
    /**
     * Changes when its bytes change; without quotes.
     */
    etag: string;
};

/**
 * The stored parts of an open upload.
 */
export type ChunkedUploadStatus = {
    id: ObjectId;
    /**
     * The stored parts by number; an upload begun over S3 may have up to 10000.
     */
    parts: Array<ChunkedPart>;
    /**
     * The lowest part number that is not stored. 2049 if all are stored; 10001 for an upload begun over S3.
     */
    next_part: number;
    /**
     * Bytes of the stored parts.
     */
    size_so_far: number;
};

/**
 * An open upload, and the file that it will become.
 */
export type StartedChunkedUpload = {
    upload: ChunkedUploadHandle;
    id: ObjectId;
    /**
     * Whether the file will be private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL that the file will have; null for a private file.
     */
    url: string | null;
    expires_at?: Timestamp;
    /**
     * The limits of the parts.
     */
    chunk: {
        /**
         * Minimum size in bytes of every part except the last.
         */
        min_size: 5242880;
        /**
         * Maximum size of a part in bytes.
         */
        max_size: 33554432;
        /**
         * Maximum number of parts.
         */
        max_parts: 2048;
        /**
         * Maximum size of the whole file in bytes; lowered by a rule or token and by the rest of the quota, to which the file that it replaces is added.
         */
        max_object_size: number;
    };
};

/**
 * Reference to an open chunked upload.
 */
export type ChunkedUploadReference = {
    upload: ChunkedUploadHandle;
};

/**
 * Success without further data.
 */
export type Success = {
    /**
     * The request succeeded.
     */
    status: 'success';
};

/**
 * The upload to complete, and optionally the checksum of the whole file.
 */
export type ChunkedUploadCompletion = {
    upload: ChunkedUploadHandle;
    /**
     * SHA-256 of the whole file. If the bytes have another one, the upload is not completed.
     */
    checksum_sha256?: Sha256;
};

/**
 * The file of a completed upload.
 */
export type CompletedChunkedUpload = {
    id: ObjectId;
    /**
     * Whether the file is private; it has no public URL then.
     */
    private: boolean;
    /**
     * Public URL; null for a private file.
     */
    url: string | null;
    expires_at?: Timestamp;
    /**
     * Bytes of the whole file; below 512 only for an upload begun over S3.
     */
    size: number;
    /**
     * Changes when the content changes; without quotes. `If-Match` takes it in quotes.
     */
    etag: string;
    /**
     * Number of its parts; above 2048 only for an upload begun over S3.
     */
    parts: number;
    /**
     * SHA-256 of the file. Null if the parts of a large file came out of order and no checksum was sent; the file's details show it later.
     */
    sha256: Sha256 | null;
    /**
     * Whether an earlier file of this id was replaced.
     */
    replaced: boolean;
};

/**
 * A chunked upload that is not completed yet.
 */
export type OpenChunkedUpload = {
    id: ObjectId;
    initiated: Timestamp;
    upload: ChunkedUploadHandle;
};

/**
 * The open chunked uploads of an account.
 */
export type OpenChunkedUploads = {
    /**
     * The uploads, oldest first. Up to 32 of this API and 1,000 that were begun over S3.
     */
    uploads: Array<OpenChunkedUpload>;
};

/**
 * How far an upload is.
 */
export type UploadState = {
    id: ObjectId;
    /**
     * Whether the file is private.
     */
    private: boolean;
    /**
     * Public address; null for a private file.
     */
    url: string | null;
    /**
     * Bytes that the server has, durably.
     */
    offset: number;
    /**
     * Size of the whole file in bytes; null while it is not known.
     */
    size: number | null;
    /**
     * Whether the file exists.
     */
    complete: boolean;
    /**
     * When the upload is aborted unless bytes arrive before; null when it is complete.
     */
    expires_at: Timestamp | null;
};

/**
 * A deleted or replaced file that the trash keeps.
 */
export type TrashedVersion = {
    version: VersionId;
    /**
     * The id that the file had, and has again after a restore.
     */
    id: ObjectId;
    /**
     * Whether the file was deleted, or replaced by another one under the same id.
     */
    reason: 'deleted' | 'replaced';
    /**
     * When it was deleted or replaced.
     */
    deleted_at: Timestamp;
    /**
     * When it is purged. Not later than the file's own expiry.
     */
    purge_at: Timestamp;
    /**
     * Bytes of the file. They count towards the quota until it is purged.
     */
    size: number;
    /**
     * The ETag that the file had, without quotes.
     */
    etag: string;
    /**
     * SHA-256 of the bytes; null while it is still computed.
     */
    sha256: Sha256 | null;
    /**
     * Whether the file was private.
     */
    private: boolean;
    /**
     * When this version was written.
     */
    created_at: Timestamp;
    /**
     * The expiry of the file; null if it has none.
     */
    expires_at: Timestamp | null;
    /**
     * The name under which people saw the file; null if it had none.
     */
    original_name: string | null;
};

/**
 * One page of the trash.
 */
export type TrashPage = {
    /**
     * The kept versions of this page.
     */
    versions: Array<TrashedVersion>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * The versions to purge - `version` or `versions`.
 */
export type PurgeRequest = {
    version?: VersionId;
    /**
     * Ids of the versions, up to 100.
     */
    versions?: Array<VersionId>;
};

/**
 * The result for each version.
 */
export type PurgeReport = {
    /**
     * The versions that are gone for good.
     */
    purged: Array<VersionId>;
    /**
     * The versions that were not purged, in the order of the request.
     */
    failed: Array<{
        version: VersionId;
        /**
         * Why the version was not purged.
         */
        code: 'VERSION_NOT_FOUND' | 'VERSION_KEPT' | 'PURGE_FAILED';
    }>;
};

/**
 * The versions to restore - `version` or `versions`.
 */
export type RestoreRequest = {
    version?: VersionId;
    /**
     * Ids of the versions, up to 100.
     */
    versions?: Array<VersionId>;
    /**
     * Whether a version may take the place of a file that has its id now.
     */
    overwrite?: boolean;
};

/**
 * The result for each version.
 */
export type RestoreReport = {
    /**
     * The versions that are files again, in the order of the request.
     */
    restored: Array<{
        version: VersionId;
        id: ObjectId;
    }>;
    /**
     * The versions that could not be restored, in the order of the request.
     */
    failed: Array<{
        version: VersionId;
        /**
         * Why the version could not be restored.
         */
        code: 'VERSION_NOT_FOUND' | 'OBJECT_ALREADY_EXISTS' | 'RESTORE_FAILED';
    }>;
};

/**
 * A job over a folder, and how far it has come.
 */
export type FolderJob = {
    /**
     * Id of the job.
     */
    id: string;
    /**
     * What is done with each file.
     */
    action: 'move' | 'copy' | 'delete' | 'restore' | 'purge' | 'update';
    /**
     * The folder, without a trailing slash.
     */
    prefix: string;
    /**
     * The folder that files are moved or copied to; null for other actions.
     */
    destination: string | null;
    /**
     * Whether it only reports.
     */
    dry_run: boolean;
    /**
     * `counting` the files, `running`, `done`, or `cancelled`.
     */
    state: 'counting' | 'running' | 'done' | 'cancelled';
    /**
     * The files that were found so far, and all of them once `state` is no longer `counting`.
     */
    total: number;
    /**
     * The files that were changed, or would be.
     */
    done: number;
    /**
     * The files that could not be changed.
     */
    failed: number;
    created_at: Timestamp;
    /**
     * When it ended; null while it runs.
     */
    ended_at: Timestamp | null;
};

/**
 * The jobs of an account over its folders.
 */
export type FolderJobs = {
    /**
     * The jobs, newest first.
     */
    jobs: Array<FolderJob>;
};

/**
 * 1 to 8 folders joined by `/`, each of 1 to 64 letters, digits, `_`, `.` and `-`; 256 characters in all. A trailing `/` is dropped.
 */
export type ObjectPrefix = string;

/**
 * A job over all files of a folder.
 */
export type NewFolderJob = {
    /**
     * What is done with each file.
     */
    action: 'move' | 'copy' | 'delete' | 'restore' | 'purge' | 'update';
    prefix: ObjectPrefix;
    /**
     * The folder to move or copy to. Required for these actions.
     */
    destination?: ObjectPrefix;
    /**
     * Whether a move or copy may replace files at the destination.
     */
    overwrite?: boolean;
    /**
     * The visibility that an update sets.
     */
    private?: boolean;
    /**
     * The expiry that an update sets, counted from the change; null keeps the files for good.
     */
    expire?: JsonDurationOrNull;
    /**
     * For `delete`: the trash keeps the files for at least this many days, whatever the rules say. With 0 the rules alone
     * decide.
     *
     */
    keep_deleted_days?: KeepDeletedDays;
    /**
     * For `restore`: the id of a job that deleted files. Only those are restored, and none that was deleted otherwise.
     *
     */
    deleted_by?: string;
    /**
     * Only reports what would be done.
     */
    dry_run?: boolean;
};

/**
 * A job over a folder, with its failures.
 */
export type FolderJobReport = {
    /**
     * Id of the job.
     */
    id: string;
    /**
     * What is done with each file.
     */
    action: 'move' | 'copy' | 'delete' | 'restore' | 'purge' | 'update';
    /**
     * The folder, without a trailing slash.
     */
    prefix: string;
    /**
     * The folder that files are moved or copied to; null for other actions.
     */
    destination: string | null;
    /**
     * Whether it only reports.
     */
    dry_run: boolean;
    /**
     * `counting` the files, `running`, `done`, or `cancelled`.
     */
    state: 'counting' | 'running' | 'done' | 'cancelled';
    /**
     * The files that were found so far, and all of them once `state` is no longer `counting`.
     */
    total: number;
    /**
     * The files that were changed, or would be.
     */
    done: number;
    /**
     * The files that could not be changed.
     */
    failed: number;
    created_at: Timestamp;
    /**
     * When it ended; null while it runs.
     */
    ended_at: Timestamp | null;
    /**
     * The first files that could not be changed.
     */
    failures: Array<{
        id: ObjectId;
        code: ErrorCode;
    }>;
};

/**
 * A lowercase file extension without a leading dot, such as `pdf` or `tar.gz`.
 */
export type Extension = string;

/**
 * The pinned options of an upload token, its lifetime and its number of uses.
 */
export type NewUploadToken = {
    name?: ObjectName;
    prefix?: ObjectPrefixOrNone;
    /**
     * Whether the files are private.
     */
    private?: boolean;
    /**
     * `false` switches the hash off, so that an upload replaces the file of that name. It needs `name`. Without `name` files
     * always get the hash, and private files always have it.
     *
     */
    security_hash?: boolean;
    /**
     * When the files are deleted, counted from their upload; null keeps them for good.
     */
    expire?: JsonDurationOrNull;
    /**
     * Maximum size of a file in bytes.
     */
    max_size?: number;
    /**
     * The allowed extensions. An entry matches the whole suffix or its last part. Types that are blocked everywhere stay blocked.
     */
    allowed_extensions?: Array<Extension>;
    /**
     * The origins of the pages that may use the token: scheme, host and optionally port, without path or wildcard. A request
     * with another `Origin`, also `null`, answers 403. A request without `Origin` is allowed: browsers send it with every
     * upload, and other programs could send any.
     *
     */
    allowed_origins?: Array<string>;
    /**
     * Added to every file (Pro and Enterprise).
     */
    metadata?: Metadata;
    /**
     * Comes back as `callback_metadata` in the events of the files that are uploaded with the token, such as the id of a user.
     * It is not stored with the files, and the browser does not see it.
     *
     */
    callback_metadata?: Metadata;
    /**
     * Lifetime of the token in seconds, at most that of the key that creates it.
     */
    expires_in?: number;
    /**
     * Number of uploads that the token may start.
     */
    max_uses?: number;
};

/**
 * A token with which a browser uploads. No later response shows it.
 */
export type UploadToken = {
    /**
     * The token, for the `Authorization` header of uploads. Opaque.
     */
    token: string;
    expires_at: Timestamp;
    /**
     * Number of uploads that the token may start.
     */
    max_uses: number;
};

/**
 * Id of a share link, also the last part of its address.
 */
export type ShareId = string;

/**
 * A share link.
 */
export type Share = {
    id: ShareId;
    /**
     * The link, on the files host.
     */
    url: string;
    /**
     * The file. For a bundle, the folder that holds all of its files, as an id that ends in `/`.
     */
    object: ObjectId;
    /**
     * The name under which people see the file; only for `file`. Null if it has none.
     */
    original_name?: string | null;
    /**
     * What the link leads to - one `file`, `files` that it lists, or all files of a `folder`.
     */
    kind: 'file' | 'files' | 'folder';
    /**
     * Number of files that the link was made with; only for `files`.
     */
    files?: number;
    /**
     * The folder, without a trailing slash; only for `folder`.
     */
    prefix?: string;
    /**
     * When the link ends - at its own expiry, or when its file expires if that is sooner.
     */
    expires_at: Timestamp;
    /**
     * Number of downloads that the link allows; null means no cap.
     */
    max_downloads: number | null;
    /**
     * Number of downloads that the link had. Without a cap, those that began.
     */
    downloads: number;
    /**
     * Number of downloads that are left; null means no cap.
     */
    remaining_downloads: number | null;
    /**
     * Whether the link needs a password.
     */
    password: boolean;
    /**
     * Whether a browser sees a page before the file or the archive.
     */
    landing: boolean;
    /**
     * The heading of a page that shows the link; absent without one.
     */
    title?: string;
    /**
     * Words of the sender; absent without any.
     */
    message?: string;
    created_at: Timestamp;
};

/**
 * The share links of an account.
 */
export type Shares = {
    /**
     * The links, newest first.
     */
    shares: Array<Share>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * What a share link leads to - `object`, `objects` or `prefix` - and the limits of the link.
 */
export type NewShare = {
    object?: ObjectId;
    /**
     * Ids of the files of a bundle, up to 1000. The link keeps to these files, and shows those that are left.
     */
    objects?: Array<ObjectId>;
    /**
     * A folder to share. The link shows all files that are in it and in its folders at the time of a visit, public and private ones.
     */
    prefix?: ObjectPrefix;
    /**
     * Lifetime of the link, in seconds.
     */
    expires_in?: number;
    /**
     * Number of downloads that the link allows. Default - no cap.
     */
    max_downloads?: number;
    /**
     * The password that the link asks for before it serves the file (Pro and Enterprise). Any characters that a person can type, so no control characters.
     */
    password?: string;
    /**
     * Shows browsers a page before the file. With `max_downloads` every client gets the page, and only its button opens the file. Default - false for one file, true for a bundle.
     */
    landing?: boolean;
    /**
     * The heading of a page that shows the link, instead of the file's name.
     */
    title?: string;
    /**
     * Words of the sender, which a page that shows the link shows too. Line ends are kept.
     */
    message?: string;
};

/**
 * A new share link.
 */
export type CreatedShare = {
    id: ShareId;
    /**
     * The link, on the files host.
     */
    url: string;
    /**
     * The file. For a bundle, the folder that holds all of its files, as an id that ends in `/`.
     */
    object: ObjectId;
    /**
     * What the link leads to - one `file`, `files` that it lists, or all files of a `folder`.
     */
    kind: 'file' | 'files' | 'folder';
    /**
     * Number of files that the link was made with; only for `files`.
     */
    files?: number;
    /**
     * The folder, without a trailing slash; only for `folder`.
     */
    prefix?: string;
    /**
     * When the link ends - at its own expiry, or when its file expires if that is sooner.
     */
    expires_at: Timestamp;
    /**
     * Number of downloads that the link allows; null means no cap.
     */
    max_downloads: number | null;
    /**
     * Whether the link needs a password.
     */
    password: boolean;
    /**
     * Whether a browser sees a page before the file.
     */
    landing: boolean;
    /**
     * The file, or a file of the bundle, can also be fetched at its public URL, so that password, cap and expiry do not protect it.
     */
    object_is_public: boolean;
    /**
     * A warning for people, only if a file is public.
     */
    message?: string;
};

/**
 * Reference to a share link.
 */
export type ShareReference = {
    id: ShareId;
};

/**
 * The changes of a share link. What is left out stays.
 */
export type ShareChange = {
    id: ShareId;
    /**
     * Lifetime of the link from now on, in seconds. It may be shorter or longer than what is left.
     */
    expires_in?: number;
    /**
     * Number of downloads that the link allows, with those that it had before; null removes the cap.
     */
    max_downloads?: number | null;
    /**
     * The new password (Pro and Enterprise), which ends the visits that used the former one; null removes it.
     */
    password?: string | null;
    /**
     * Whether browsers see a page before the file.
     */
    landing?: boolean;
    /**
     * The heading of a page that shows the link, instead of the file's name; null removes it.
     */
    title?: string | null;
    /**
     * Words of the sender, which a page that shows the link shows too. Line ends are kept; null removes it.
     */
    message?: string | null;
};

/**
 * One page of the files that a share link leads to.
 */
export type ShareFiles = {
    /**
     * The files of this page.
     */
    files: Array<{
        object: ObjectId;
        /**
         * The name in the archive, with folders.
         */
        name: string;
        /**
         * Bytes.
         */
        size: number;
        /**
         * When this form of the file was written.
         */
        created_at: Timestamp;
    }>;
    /**
     * Number of files on all pages.
     */
    total: number;
    /**
     * Bytes of the files on all pages.
     */
    size: number;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * Id of a file request. It opens nothing; the address of the page has another secret.
 */
export type FileRequestId = string;

/**
 * `open`: the page takes files. `closed`: its owner has closed it. `expired`: its deadline has passed. A request whose limit
 * is reached stays `open` with nothing remaining.
 *
 */
export type FileRequestState = 'open' | 'closed' | 'expired';

/**
 * A file request.
 */
export type FileRequest = {
    id: FileRequestId;
    /**
     * The page for senders, on the files host. Everybody who has its address can send files, so keys without
     * `blob:write` get null.
     *
     */
    url: string | null;
    /**
     * The heading of the page.
     */
    title: string;
    /**
     * What the page tells the senders; absent without a note.
     */
    note?: string;
    /**
     * The folder in the private space that files are put into.
     */
    prefix: string;
    state: FileRequestState;
    /**
     * When the page stops taking files; null without a deadline.
     */
    deadline: string | null;
    /**
     * How long after the deadline an upload that began before it may go on, in seconds.
     */
    grace: number;
    /**
     * Number of files that the request takes in all; null means no limit.
     */
    max_files: number | null;
    /**
     * Bytes that the request takes in all; null means no limit but the quota.
     */
    max_bytes: number | null;
    /**
     * Bytes that one file may have; null means what the server takes.
     */
    max_size: number | null;
    /**
     * The allowed extensions; null means all that are not blocked everywhere.
     */
    allowed_extensions: Array<Extension> | null;
    /**
     * Whether the page asks for a password.
     */
    password: boolean;
    /**
     * Whether each sender gets a folder.
     */
    sender_folders: boolean;
    /**
     * Number of files that have arrived.
     */
    files: number;
    /**
     * Bytes that have arrived.
     */
    bytes: number;
    /**
     * Number of senders. A browser counts once, and a form without cookies each time.
     */
    senders: number;
    /**
     * Number of files that the request still takes; null means no limit.
     */
    remaining_files: number | null;
    /**
     * Bytes that the request still takes; null means no limit but the quota.
     */
    remaining_bytes: number | null;
    /**
     * Number of files that are being sent. Each holds its place for ten minutes after its last bytes. Closing the request frees
     * all of them.
     *
     */
    held_files: number;
    /**
     * Bytes that files under way hold, with all that was announced of them. They are part of `remaining_bytes`.
     */
    held_bytes: number;
    created_at: Timestamp;
    /**
     * When its owner closed it; null while it is not closed.
     */
    closed_at: string | null;
};

/**
 * One page of the file requests of an account.
 */
export type FileRequests = {
    /**
     * The requests of this page, newest first.
     */
    file_requests: Array<FileRequest>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * The folder of a file request, what its page says, and its limits.
 */
export type NewFileRequest = {
    prefix: ObjectPrefix;
    /**
     * The heading of the page.
     */
    title: string;
    /**
     * What you want to tell the senders. Line ends are kept.
     */
    note?: string;
    /**
     * When the page stops taking files: an instant of RFC 3339, at most 366 days ahead. Default - none.
     *
     */
    deadline?: string;
    /**
     * How long after the deadline an upload that began before it may go on, in seconds.
     */
    grace?: number;
    /**
     * Number of files that the request takes in all. Default - no limit.
     */
    max_files?: number;
    /**
     * Bytes that the request takes in all. Default - no limit but the quota.
     */
    max_bytes?: number;
    /**
     * Bytes that one file may have. Default - what the server takes.
     */
    max_size?: number;
    /**
     * The allowed extensions. An entry matches the whole suffix or its last part. Types that are blocked everywhere stay blocked.
     */
    allowed_extensions?: Array<Extension>;
    /**
     * The password that the page asks for first (Pro and Enterprise). Any characters that a person can type, so no control characters.
     */
    password?: string;
    /**
     * Asks each sender for a name, and puts what they send into a folder of that name.
     */
    sender_folders?: boolean;
};

/**
 * Reference to a file request.
 */
export type FileRequestReference = {
    id: FileRequestId;
};

/**
 * The changes of a file request. What is left out stays.
 */
export type FileRequestChange = {
    id: FileRequestId;
    /**
     * `closed` ends the page at once, also uploads under way, and frees the room that they hold. `open` opens it again.
     * A request whose deadline has passed needs a new deadline for that.
     *
     */
    state?: 'open' | 'closed';
    /**
     * The heading of the page.
     */
    title?: string;
    /**
     * What you want to tell the senders. Line ends are kept. Null removes it.
     */
    note?: string | null;
    /**
     * When the page stops taking files; null removes the deadline: an instant of RFC 3339, at most 366 days ahead.
     * Default - none.
     *
     */
    deadline?: string | null;
    /**
     * How long after the deadline an upload that began before it may go on, in seconds.
     */
    grace?: number;
    /**
     * Number of files that the request takes in all; null removes the limit. Default - no limit.
     */
    max_files?: number | null;
    /**
     * Bytes that the request takes in all; null removes the limit. Default - no limit but the quota.
     */
    max_bytes?: number | null;
    /**
     * Bytes that one file may have; null removes the limit. Default - what the server takes.
     */
    max_size?: number | null;
    /**
     * The allowed extensions; null removes the limit. An entry matches the whole suffix or its last part. Types that are blocked everywhere stay blocked.
     */
    allowed_extensions?: Array<Extension> | null;
    /**
     * The password that the page asks for first (Pro and Enterprise), which ends the visits that used the former one; null removes it. Any characters that a person can type, so no control characters.
     */
    password?: string | null;
    /**
     * Whether senders give a name and get a folder. It applies to new senders.
     */
    sender_folders?: boolean;
};

/**
 * Access everywhere, nowhere, or within these prefixes.
 */
export type S3Access = boolean | Array<string>;

/**
 * The key pair of the S3-compatible gateway that belongs to an API key.
 */
export type S3Credentials = {
    /**
     * `CB`, the account id and a suffix.
     */
    access_key_id: string;
    /**
     * The secret; it gives the same access as the API key.
     */
    secret_access_key: string;
    /**
     * The address of the S3-compatible gateway.
     */
    endpoint: string;
    /**
     * The region to configure; there is one.
     */
    region: 'auto';
    /**
     * The existing buckets.
     */
    buckets: Array<'public' | 'private' | 'legacy'>;
    /**
     * The rights of the pair.
     */
    access: {
        read: S3Access;
        write: S3Access;
    };
    /**
     * When the pair ends, with its key; null means never.
     */
    expires_at: Timestamp | null;
};

/**
 * Days (`30` or `30d`) or hours (`6h`), from 1 hour to 1825 days. Below 7 days needs Enterprise.
 */
export type Duration = string;

/**
 * The rule for files under one prefix. The longest matching prefix applies. An option that is not set is absent.
 */
export type Rule = {
    /**
     * The prefix, with a trailing `/`.
     */
    prefix: string;
    /**
     * Whether new files are private if the upload does not set it.
     */
    private?: boolean;
    expire?: Duration;
    /**
     * Maximum size of a file in bytes.
     */
    max_size?: number;
    /**
     * The allowed extensions.
     */
    extensions?: Array<Extension>;
    cache_control?: CacheControl;
    /**
     * Files are deleted this many days after they were written.
     */
    delete_after_days?: number;
    /**
     * The trash keeps deleted and replaced files for this many days.
     */
    keep_deleted_days?: number;
    /**
     * The trash keeps at most this many versions of a file.
     */
    keep_versions?: number;
    created_at: Timestamp;
    /**
     * When automatic deletion starts, 24 hours after the rule was saved; present with `delete_after_days`.
     */
    active_from?: Timestamp;
};

/**
 * A variant of images with a name. Addresses of the account's files may ask for it without a signature, by its name or by
 * its parameters. `w` or `h` is required.
 *
 */
export type ImagePreset = {
    /**
     * Its name. It takes the place of a preset of the operator with the same name.
     */
    name: string;
    /**
     * The largest width, from 1 to 4096 pixels.
     */
    w?: number;
    /**
     * The largest height, from 1 to 4096 pixels.
     */
    h?: number;
    /**
     * Whether the whole image fits into width and height (`contain`), or fills both and is cut around its centre (`cover`).
     */
    fit?: 'contain' | 'cover';
    /**
     * Quality of JPEG, WebP and AVIF, from 1 to 100. Without it 80, and 50 for AVIF. PNG has none.
     */
    q?: number;
    /**
     * The format. `auto` is the smallest one that `Accept` names, or else the file's own if it is JPEG or PNG.
     */
    f?: 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';
};

/**
 * The prefix rules, the image presets, and the days in the trash of an account.
 */
export type Settings = {
    /**
     * The rules by prefix.
     */
    rules: Array<Rule>;
    /**
     * The presets for image variants, by name, without those of the operator.
     */
    image_presets: Array<ImagePreset>;
    /**
     * For how many days the console keeps in the trash what a person deletes there. 30 if it was never set.
     */
    keep_deleted_days: KeepDeletedDays;
};

/**
 * A duration string, or a number of whole days. From 1 hour to 1825 days; below 7 days needs Enterprise.
 */
export type JsonDuration = Duration | number;

/**
 * The rule for files under one prefix. The longest matching prefix applies.
 */
export type NewRule = {
    prefix: ObjectPrefix;
    /**
     * Whether new files are private if the upload does not set it.
     */
    private?: boolean;
    /**
     * Expiry of new files if the upload does not set it.
     */
    expire?: JsonDuration;
    /**
     * Maximum size of a file in bytes. Applies to REST uploads, and to copies and moves (also over S3), but not to S3 uploads.
     */
    max_size?: number;
    /**
     * The allowed extensions. An entry matches the whole suffix or its last part. Applies to REST uploads, and to copies and moves (also over S3), but not to S3 uploads.
     */
    extensions?: Array<Extension>;
    /**
     * Cache-Control of new files if the upload does not set it.
     */
    cache_control?: CacheControl;
    /**
     * Files are deleted this many days after they were written. This includes existing files and files written over S3. Only `keep_deleted_days` keeps them. Below 7 needs Enterprise.
     */
    delete_after_days?: number;
    /**
     * The trash keeps deleted and replaced files for this many days. They count towards the quota meanwhile. Without it, a deletion cannot be undone.
     */
    keep_deleted_days?: number;
    /**
     * The trash keeps at most this many versions of a file, the newest ones. Needs `keep_deleted_days`. It applies to what is
     * kept already, too. Without it, the trash keeps all versions for their days.
     *
     */
    keep_versions?: number;
};

/**
 * The new settings. What is left out stays as it is. At least one is required.
 */
export type NewSettings = {
    /**
     * The new list of prefix rules. The plan may allow fewer.
     */
    rules?: Array<NewRule>;
    /**
     * The new list of presets for image variants.
     */
    image_presets?: Array<ImagePreset>;
    /**
     * For how many days the console keeps in the trash what a person deletes there. It sends them with each deletion, and 0
     * leaves it to the rules. Other clients send their own.
     *
     */
    keep_deleted_days?: KeepDeletedDays;
};

/**
 * The key with which an account signs addresses of image variants.
 */
export type ImageKey = {
    /**
     * `cbi_` and 43 characters. The key of an HMAC-SHA256, as it stands.
     */
    key: string;
};

/**
 * The stored files of an account, the amount that its plan includes, and the cost of the rest.
 */
export type AccountStats = {
    /**
     * The files that are stored now.
     */
    usage: {
        /**
         * Number of files, without the trash.
         */
        objects: number;
        /**
         * Bytes of the files and of the trash, without parts of open uploads.
         */
        storage: number;
        /**
         * What the trash keeps. Its bytes are part of `storage`.
         */
        trash: {
            /**
             * Number of kept versions.
             */
            objects: number;
            /**
             * Bytes of the kept versions.
             */
            storage: number;
        };
    };
    /**
     * The amount that the account's plan includes.
     */
    plan: {
        /**
         * Bytes that the plan includes.
         */
        included: number;
    };
    /**
     * The estimated cost in Brazilian reais (BRL).
     */
    billing: {
        /**
         * Bytes above the plan's amount.
         */
        extraStorage: number;
        /**
         * BRL for the bytes above the plan's amount, 0.20 for each started GiB.
         */
        storagePrice: number;
        /**
         * BRL for the number of files. Reserved, always 0.
         */
        objectsPrice: 0;
        /**
         * Total in BRL for this calendar month.
         */
        totalEstimate: number;
    };
    /**
     * This calendar month in UTC.
     */
    month: {
        /**
         * Number of whole days of the month that were measured so far.
         */
        days: number;
        /**
         * Mean of the stored bytes over those days. It may have a fraction.
         */
        average_storage: number;
        /**
         * Number of requests of the account, as `GET /v1/account/usage` counts them; up to a minute old.
         */
        requests: number;
        /**
         * Bytes of the bodies of their responses; up to a minute old.
         */
        egress_bytes: number;
    };
};

/**
 * What an account stored and was sent on one day.
 */
export type UsageDay = {
    /**
     * The day in UTC.
     */
    day: string;
    /**
     * Mean of the stored bytes, with the trash. It may have a fraction.
     */
    storage: number;
    /**
     * Mean of the number of files, without the trash. It may have a fraction.
     */
    objects: number;
    /**
     * Number of requests with a credential of the account, a link of it or one of its public files, at all hosts. A
     * request counts once, on the day on which its response ended.
     *
     */
    requests: number;
    /**
     * Bytes of the bodies of these responses. Of a response that was cut off, the bytes that were handed to the network.
     */
    egress_bytes: number;
};

/**
 * What an account stored and was sent on some days.
 */
export type UsageHistory = {
    /**
     * The first day.
     */
    from: string;
    /**
     * The last day.
     */
    to: string;
    /**
     * The measured days, the oldest first. Other days are left out.
     */
    days: Array<UsageDay>;
};

/**
 * The rights of a key. `*` alone is full access, including future scopes.
 */
export type ApiKeyScopes = [
    '*'
] | Array<'account:read' | 'apps:read' | 'apps:control' | 'apps:write' | 'apps:deploy' | 'files:read' | 'files:write' | 'envs:read' | 'envs:write' | 'snapshots:read' | 'snapshots:write' | 'databases:read' | 'databases:write' | 'databases:credentials' | 'workspaces:manage' | 'ai:chat' | 'blob:read' | 'blob:write'>;

/**
 * Limits of a key in the AI gateway, under those of the plan. A limit that is left out does not exist. Days begin at 00:00
 * UTC, minutes with the clock.
 *
 */
export type KeyAiLimits = {
    /**
     * Requests that may begin in a minute.
     */
    requests_per_minute?: number;
    /**
     * Requests of a day.
     */
    requests_per_day?: number;
    /**
     * Tokens of a day, input and output together.
     */
    tokens_per_day?: number;
    /**
     * Fair use of a day. Tokens with input counted once and output four times.
     */
    spend_per_day?: number;
    /**
     * Cost of a day, in the currency of the operator's prices. Counted to a billionth.
     */
    cost_per_day?: number;
    /**
     * The models that the key may use, by the names of `GET /v2/ai/models`. Default - all.
     */
    models?: Array<string>;
};

/**
 * An API key, without its secret.
 */
export type ApiKey = {
    /**
     * Id of the key; not secret.
     */
    id: string;
    /**
     * The name of the key, for people.
     */
    name: string;
    scopes: ApiKeyScopes;
    /**
     * The applications to which the key is restricted; absent if there is no restriction.
     */
    resources?: Array<string>;
    /**
     * The prefixes to which the key is restricted; absent if there is no restriction.
     */
    prefixes?: Array<string>;
    /**
     * Its limits in the AI gateway; absent if it has none.
     */
    ai?: KeyAiLimits;
    created_at: Timestamp;
    /**
     * When a request last used the key; null before the first use.
     */
    last_used_at: Timestamp | null;
    /**
     * When the key expires; null means never.
     */
    expires_at: Timestamp | null;
    /**
     * The last four characters of the secret.
     */
    last4: string;
};

/**
 * The live API keys of an account.
 */
export type ApiKeys = {
    /**
     * The keys, oldest first.
     */
    keys: Array<ApiKey>;
};

/**
 * Name, scopes, restrictions, limits and lifetime of an API key.
 */
export type NewApiKey = {
    /**
     * The name of the key, for people; 1 to 64 printable characters.
     */
    name: string;
    scopes: ApiKeyScopes;
    /**
     * Ids of the applications to which the key is restricted. Default - all.
     */
    resources?: Array<string>;
    /**
     * The prefixes to which the key is restricted. Default - all.
     */
    prefixes?: Array<ObjectPrefix>;
    ai?: KeyAiLimits;
    /**
     * Lifetime of the key, in days or as a text such as `90d` or `12h`. Default - the key does not expire. A key ends at the latest with the key that creates it.
     */
    expires_in?: JsonDuration;
};

/**
 * An API key with its secret. No later response shows the secret.
 */
export type ApiKeyWithSecret = ApiKey & {
    /**
     * The secret. Only this response shows it.
     */
    key: string;
};

/**
 * The limits to change. A limit that is left out stays, and null removes it. Null in place of the object removes all of them.
 *
 */
export type KeyAiLimitsChange = {
    /**
     * Requests that may begin in a minute.
     */
    requests_per_minute?: number | null;
    /**
     * Requests of a day.
     */
    requests_per_day?: number | null;
    /**
     * Tokens of a day, input and output together.
     */
    tokens_per_day?: number | null;
    /**
     * Fair use of a day. Tokens with input counted once and output four times.
     */
    spend_per_day?: number | null;
    /**
     * Cost of a day, in the currency of the operator's prices. Counted to a billionth.
     */
    cost_per_day?: number | null;
    /**
     * The models that the key may use, by the names of `GET /v2/ai/models`.
     */
    models?: Array<string> | null;
} | null;

/**
 * What is to change about an API key.
 */
export type KeyChange = {
    ai: KeyAiLimitsChange;
};

/**
 * Id of the account.
 */
export type AccountId = string;

/**
 * The plan of the account.
 */
export type Plan = 'none' | 'hobby' | 'standard' | 'pro' | 'enterprise';

/**
 * The account of the caller.
 */
export type SessionAccount = {
    id: AccountId;
    /**
     * The name of the account, for people.
     */
    name: string;
    plan: Plan;
};

/**
 * The key of the caller, without its secret.
 */
export type SessionKey = {
    /**
     * Id of the key; not secret.
     */
    id: string;
    /**
     * The name of the key, for people.
     */
    name: string;
    /**
     * The last four characters of the secret.
     */
    last4: string;
};

/**
 * The caller, with the account and the rights.
 */
export type Session = {
    /**
     * Id of the session; not secret. Null for a request with a key.
     */
    id: string | null;
    account: SessionAccount;
    key: SessionKey;
    scopes: ApiKeyScopes;
    /**
     * The applications to which the key is restricted; null if there is no restriction.
     */
    resources: Array<string> | null;
    /**
     * The prefixes to which the key is restricted; null if there is no restriction.
     */
    prefixes: Array<string> | null;
    /**
     * When the sign-in was; null for a request with a key.
     */
    created_at: Timestamp | null;
    /**
     * When the session ends, or the key if that is earlier. Null for a key that does not expire.
     */
    expires_at: Timestamp | null;
    /**
     * The value of `X-Cubby-CSRF` in all requests of this session that are not GET or HEAD. It stays the same while the
     * session lasts. Null for a request with a key.
     *
     */
    csrf_token: string | null;
};

/**
 * A session of a browser, without its secret.
 */
export type ListedSession = {
    /**
     * Id of the session; not secret.
     */
    id: string;
    /**
     * Id of the API key of the sign-in.
     */
    key_id: string;
    created_at: Timestamp;
    last_used_at: Timestamp;
    expires_at: Timestamp;
    /**
     * The address from which the sign-in came.
     */
    source_ip: string;
    /**
     * The browser of the sign-in as it described itself, at most 200 characters; null if it did not.
     */
    user_agent: string | null;
    /**
     * Whether it is the session of this request.
     */
    current: boolean;
};

/**
 * The sessions of an account.
 */
export type Sessions = {
    /**
     * The sessions that have not ended, newest first.
     */
    sessions: Array<ListedSession>;
};

/**
 * A sign-in.
 */
export type NewSession = {
    /**
     * The API key (`cbk_…`). It needs no certain scope.
     */
    api_key: string;
    /**
     * Whether the session lasts 30 days, also after the browser is closed. Otherwise it lasts 12 hours.
     */
    remember?: boolean;
};

/**
 * The kind of event. `key.updated`: a key has other limits in the AI gateway. `key.ai_limit_reached`: such a limit of a
 * day has rejected a request, for the first time on the day. `object.damaged`: the server found that the stored bytes of
 * the file are not what was uploaded, or are missing. `object.repaired`: it has brought them back. `object.restored` and
 * `object.purged`: a version has left the trash, as a file or for good. `settings.changed`: the account has other days
 * for what the console deletes.
 *
 */
export type ActivityType = 'object.uploaded' | 'object.deleted' | 'object.updated' | 'object.copied' | 'object.damaged' | 'object.repaired' | 'object.restored' | 'object.purged' | 'chunked.started' | 'chunked.completed' | 'chunked.aborted' | 'share.created' | 'share.updated' | 'share.revoked' | 'file_request.created' | 'file_request.updated' | 'file_request.deleted' | 'key.created' | 'key.updated' | 'key.ai_limit_reached' | 'key.revoked' | 'rules.changed' | 'image_presets.changed' | 'settings.changed';

/**
 * The kind of credential, or the part of the server. What came through a file request has `upload_token`, and its id in `details`.
 */
export type ActivityAuth = 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';

/**
 * One event in the account.
 */
export type Activity = {
    /**
     * Id of the entry, unique within the account.
     */
    id: string;
    type: ActivityType;
    at: Timestamp;
    /**
     * The file of the event. Absent if there is none, and for a key restricted to prefixes if the file lies outside of them.
     */
    object?: ObjectId;
    /**
     * Details that depend on `type`, such as `size` in bytes, the id of the `source` of a copy, or `key` and `name` of an
     * API key. `original_name` is the name under which people see the file, unless its key ends in that name. For a share
     * link only the file is named, because the link's id opens it. A new secret of an API key is
     * `key.created` with `regenerated`. The removal of an expired file has `expired`. Fields may be added.
     *
     */
    details: {
        [key: string]: unknown;
    };
    /**
     * The client's address; null for actions of the server itself.
     */
    source_ip: string | null;
    /**
     * The client's `User-Agent`, up to 512 bytes; null if it sent none.
     */
    user_agent: string | null;
    auth: ActivityAuth;
    /**
     * Id of the API key that did it, also by a session or an upload token. Null without one, such as for a file request.
     */
    key_id: string | null;
};

/**
 * One page of the account's activity.
 */
export type ActivityPage = {
    /**
     * The entries of this page, newest first.
     */
    activity: Array<Activity>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * The type of an event.
 *
 * - `object.created`: an upload, a completed chunked upload or a copy has made a file.
 * - `object.replaced`: the same at the id of an existing file, which it replaced.
 * - `object.updated`: headers or metadata of a file have changed.
 * - `object.moved`: a file has a new name or folder. `from` is its former id.
 * - `object.visibility_changed`, `object.expiry_changed`: the visibility or the expiry was set. `from` is the id before.
 * - `object.deleted`: a request or a rule has deleted a file. `object.expired`: its time was over.
 * - `object.restored`: a version is a file again. `object.purged`: a version has left the trash for good, by a request or
 * because its time there was over.
 * - `upload.started`, `upload.completed`, `upload.aborted`: a chunked upload.
 * - `share.created`, `share.updated`, `share.visited`, `share.downloaded`, `share.spent`, `share.ended`: a share link
 * was created, opened, downloaded from, has no downloads left, or has ended: it was revoked, it expired, or it lost
 * its file. Each link ends once. The event of an expiry follows within minutes. A link without downloads left that
 * loses its file ends when its own time is over.
 * - `file_request.created`, `file_request.updated`, `file_request.received`, `file_request.full`, `file_request.ended`: a file
 * request was created or changed, has received a file, takes no more files, or has ended: it was closed or deleted, or
 * its deadline has passed. The event of a deadline follows within minutes.
 * - `upload_token.used_up`: an upload token has no uses left.
 * - `quota.reached`: the stored bytes have reached 80, 95 or 100 percent of the quota.
 * - `ai.budget_reached`: charges have reached 80 percent of a budget of the AI gateway for its day or week, or 100, or a
 * request did not fit any more. Each once in a period.
 * - `key.created`, `key.updated`, `key.revoked`: an API key was created, has other limits in the AI gateway, or was revoked.
 * - `deploy.queued`, `deploy.started`, `deploy.ended`: a deploy of an application. It ends by its result, by a newer push
 * of its branch, or because it was cancelled; `state` says which.
 * - `deploy.filtered`: the filters of an application did not take a push. 20 pushes in 15 seconds have it.
 * - `webhook.test`: a test that was asked for.
 *
 */
export type EventType = 'object.created' | 'object.replaced' | 'object.updated' | 'object.moved' | 'object.visibility_changed' | 'object.expiry_changed' | 'object.deleted' | 'object.expired' | 'object.restored' | 'object.purged' | 'upload.started' | 'upload.completed' | 'upload.aborted' | 'share.created' | 'share.updated' | 'share.visited' | 'share.downloaded' | 'share.spent' | 'share.ended' | 'file_request.created' | 'file_request.updated' | 'file_request.received' | 'file_request.full' | 'file_request.ended' | 'upload_token.used_up' | 'quota.reached' | 'ai.budget_reached' | 'key.created' | 'key.updated' | 'key.revoked' | 'deploy.queued' | 'deploy.started' | 'deploy.ended' | 'deploy.filtered' | 'webhook.test';

/**
 * An event in the account. A webhook delivers the same object as its body.
 */
export type Event = {
    /**
     * Id of the event. It stays the same when the event is delivered again.
     */
    id: string;
    type: EventType;
    /**
     * The time of the change.
     */
    timestamp: Timestamp;
    account_id: AccountId;
    /**
     * Details that depend on `type`. The section "Webhooks" of this contract has a schema for each type. Fields may be
     * added. The whole event has less than 20 KB.
     *
     */
    data: {
        [key: string]: unknown;
    };
};

/**
 * One page of the account's events.
 */
export type EventPage = {
    /**
     * The events of this page, oldest first.
     */
    events: Array<Event>;
    /**
     * Requests what follows, now or later.
     */
    cursor: string;
    /**
     * Whether events behind the sent cursor are no longer kept.
     */
    truncated: boolean;
};

/**
 * A JSON Web Key Set (RFC 7517).
 */
export type ReceiptKeys = {
    /**
     * The public keys.
     */
    keys: Array<{
        /**
         * The type of the key.
         */
        kty: 'OKP';
        /**
         * Its curve.
         */
        crv: 'Ed25519';
        /**
         * The algorithm of signatures.
         */
        alg: 'EdDSA';
        /**
         * What the key is for.
         */
        use: 'sig';
        /**
         * Names the key in the head of receipts.
         */
        kid: string;
        /**
         * The key itself, in base64url.
         */
        x: string;
    }>;
};

/**
 * An endpoint for events, with its state.
 */
export type EventWebhook = {
    /**
     * Id of the webhook.
     */
    id: string;
    /**
     * The address that events are sent to. It may hold a secret of the receiver, so keys without `blob:write` get only
     * its scheme, host and port.
     *
     */
    url: string;
    /**
     * The types that are sent; null for all.
     */
    types: Array<string> | null;
    /**
     * The prefixes of the files that events are sent for; null for all.
     */
    prefixes: Array<string> | null;
    /**
     * The form of the body.
     */
    format: 'standard' | 's3';
    /**
     * The note for people.
     */
    description: string;
    /**
     * Whether events are sent.
     */
    enabled: boolean;
    /**
     * Why it is disabled. `gone`: the endpoint answered 410. `failing`: nothing was confirmed for five days.
     * `request`: a request has disabled it.
     *
     */
    disabled_reason: 'gone' | 'failing' | 'request' | null;
    /**
     * The Ed25519 key of the `v1a` signatures, `whpk_` and base64.
     */
    public_key: string;
    /**
     * Until when the former secret signs too; null without one.
     */
    former_secret_until: string | null;
    /**
     * Number of deliveries that wait, counted up to 10000.
     */
    pending: number;
    /**
     * Number of attempts that failed since the last confirmed one.
     */
    consecutive_failures: number;
    /**
     * When a delivery was last confirmed; null before the first.
     */
    last_success_at: string | null;
    /**
     * Why the last attempt failed; null after a confirmed one.
     */
    last_error: string | null;
    created_at: Timestamp;
};

/**
 * The webhooks of the account.
 */
export type Webhooks = {
    /**
     * The webhooks, oldest first.
     */
    webhooks: Array<EventWebhook>;
};

/**
 * An endpoint for events, and which events it gets.
 */
export type NewEventWebhook = {
    /**
     * The `http` or `https` address that events are sent to. It has no user name, no password and no fragment.
     */
    url: string;
    /**
     * Sends only events of these types. `object.*` stands for all types that begin so. Default - all types.
     */
    types?: Array<string>;
    /**
     * Sends only events about files under these prefixes. Default - all files, and events about none.
     */
    prefixes?: Array<string>;
    /**
     * A note for people.
     */
    description?: string;
    /**
     * The form of the body. `standard` is an event of this contract. `s3` has the `Records` of Amazon S3, and events about files only.
     */
    format?: 'standard' | 's3';
};

/**
 * A webhook with its secret, which is shown only now.
 */
export type WebhookWithSecret = EventWebhook & {
    /**
     * The secret of the `v1` signatures, `whsec_` and base64. Keep it in the receiver.
     */
    secret: string;
};

/**
 * The fields to change. Null removes a filter.
 */
export type WebhookChange = {
    /**
     * The `http` or `https` address that events are sent to. It has no user name, no password and no fragment.
     */
    url?: string;
    /**
     * Sends only events of these types. `object.*` stands for all types that begin so. Default - all types.
     */
    types?: Array<string> | null;
    /**
     * Sends only events about files under these prefixes. Default - all files, and events about none.
     */
    prefixes?: Array<string> | null;
    /**
     * A note for people.
     */
    description?: string;
    /**
     * Whether events are sent.
     */
    enabled?: boolean;
};

/**
 * A test event.
 */
export type WebhookTest = {
    /**
     * Id of the event.
     */
    event: string;
};

/**
 * The delivery of one event to one webhook.
 */
export type WebhookDelivery = {
    /**
     * Id of the event.
     */
    event: string;
    type: EventType;
    /**
     * The time of the event.
     */
    timestamp: Timestamp;
    /**
     * `pending`: it waits, or waits for an earlier event of the same file. `delivered`: it was confirmed. `failed`: it was given up.
     */
    state: 'pending' | 'delivered' | 'failed';
    /**
     * Number of attempts so far, at most 10.
     */
    attempts: number;
    /**
     * The HTTP status of the last attempt; null if there was none.
     */
    status: number | null;
    /**
     * Why the last attempt failed; null if it did not.
     */
    error: string | null;
    /**
     * Duration of the last attempt in milliseconds.
     */
    duration_ms: number | null;
    /**
     * When the last attempt began; null before the first.
     */
    attempted_at: string | null;
    /**
     * When the next attempt is due; null without one, and while it waits for an earlier event.
     */
    next_attempt_at: string | null;
};

/**
 * One page of the deliveries of a webhook.
 */
export type WebhookDeliveryPage = {
    /**
     * The deliveries of this page, newest event first.
     */
    deliveries: Array<WebhookDelivery>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * Either one event, or a range of time.
 */
export type WebhookReplay = {
    /**
     * Id of the event to deliver again.
     */
    event?: string;
    /**
     * Delivers the events from this time on again. ISO 8601 with Z or an offset.
     */
    from?: string;
    /**
     * The end of the range. Default - now.
     */
    to?: string;
};

/**
 * 1 to 64 letters, digits, `_` or `-`.
 */
export type ChatFunctionName = string;

/**
 * A function call that the model requests.
 */
export type ChatToolCall = {
    /**
     * Id of the call. The tool message with its result repeats this id.
     */
    id: string;
    /**
     * The kind of tool.
     */
    type: 'function';
    /**
     * The function and its arguments.
     */
    function: {
        name: ChatFunctionName;
        /**
         * The arguments as JSON text, as the model wrote them. Check them before use.
         */
        arguments: string;
    };
};

/**
 * One message of the conversation. `content` is required, but may be null or absent in an assistant message with
 * `tool_calls`. `tool_call_id` is required in a tool message, which answers the call of that `id`. Anything else is
 * `invalid_messages`. Tool messages that do not match the calls before them are `invalid_request`.
 *
 */
export type ChatMessage = {
    /**
     * The role of the speaker. `developer` is the newer name of `system`. It is accepted if the operator has switched on the
     * forms of clients (`CUBBY_AI=open`).
     *
     */
    role: 'system' | 'user' | 'assistant' | 'tool' | 'developer';
    /**
     * The text. A list of up to 256 text parts is accepted if the operator has switched on the forms of clients
     * (`CUBBY_AI=open`), or if one of the parts names a file of this account; they are joined with line breaks.
     * Otherwise, and with any other part, it is `multimodal_not_supported`.
     *
     */
    content?: string | Array<{
        /**
         * `text`, `file`, or `refusal` in the messages of an assistant.
         */
        type: string;
        /**
         * The text of a part of type `text`.
         */
        text?: string;
        /**
         * The text of a part of type `refusal`.
         */
        refusal?: string;
        /**
         * The file of a part of type `file`. Its text takes the place of the part. The key needs the scope `blob:read`
         * too. With `file_data` it is `multimodal_not_supported`.
         *
         */
        file?: {
            /**
             * The id of a file of this account: `pub/<account_id>/<key>`, `prv/<account_id>/<key>` or `<account_id>/<key>`.
             *
             */
            file_id?: string | null;
        } | null;
    }> | null;
    /**
     * Distinguishes speakers of the same role.
     */
    name?: string | null;
    /**
     * Assistant messages only - what the model thought, from the response. It goes back to the model's server if the operator has
     * switched on the forms of clients (`CUBBY_AI=open`), and is ignored otherwise.
     *
     */
    reasoning_content?: string | null;
    /**
     * The same for servers that have this field instead. Send it back in the field in which it came, and also `reasoning_details`
     * and `extra_content`, the latter in calls too. Some servers reject the results of a call without them.
     *
     */
    reasoning?: string | null;
    /**
     * Assistant messages only - the calls from the response. An empty list counts as absent, in any message.
     */
    tool_calls?: Array<ChatToolCall> | null;
    /**
     * Only in tool messages, and required there - the `id` of the call that this message answers.
     */
    tool_call_id?: string | null;
};

/**
 * A function that the model may call. A function with the name `web_search` replaces the gateway's own web search. With the forms
 * of clients, tools of other types are left out, because the gateway cannot run them.
 *
 */
export type ChatTool = {
    /**
     * `function`.
     */
    type: string;
    /**
     * The function as described to the model, required for the type `function`.
     */
    function?: {
        name: ChatFunctionName;
        /**
         * Tells the model what the function does and when to call it.
         */
        description?: string | null;
        /**
         * The parameters as a JSON Schema.
         */
        parameters?: {
            [key: string]: unknown;
        } | null;
        /**
         * Whether the arguments must match the schema exactly; passed to the model.
         */
        strict?: boolean | null;
    };
};

/**
 * Whether the model may (`auto`), must (`required`) or must not (`none`) call a function, or which one it must call.
 */
export type ChatToolChoice = 'none' | 'auto' | 'required' | {
    /**
     * The kind of tool.
     */
    type: 'function';
    /**
     * The function that must be called.
     */
    function: {
        name: ChatFunctionName;
    };
} | null;

/**
 * Plain text, or any JSON object.
 */
export type ChatPlainFormat = {
    /**
     * The kind of text.
     */
    type: 'text' | 'json_object';
};

/**
 * JSON that matches a schema.
 */
export type ChatSchemaFormat = {
    /**
     * The kind of text.
     */
    type: 'json_schema';
    /**
     * The schema, with its name and description for the model.
     */
    json_schema: {
        name: ChatFunctionName;
        /**
         * Tells the model what the answer is for.
         */
        description?: string | null;
        /**
         * The JSON Schema that the answer must match.
         */
        schema?: {
            [key: string]: unknown;
        } | null;
        /**
         * Whether the answer must match the schema exactly; passed to the model.
         */
        strict?: boolean | null;
    };
};

/**
 * The format of the answer.
 */
export type ChatResponseFormat = ({
    type: 'text' | 'json_object';
} & ChatPlainFormat) | ({
    type: 'json_schema';
} & ChatSchemaFormat);

/**
 * A conversation and how to continue it. Unknown fields are ignored, and null counts as absent. The fields from `n` to
 * `functions` are ignored too, unless the operator has switched on the forms of clients (`CUBBY_AI=open`). Then
 * the model gets what it may know, and what cannot be kept is rejected.
 *
 */
export type ChatRequest = {
    /**
     * Name of the model, as `GET /v2/ai/models` lists it, or another name that the operator has given to one of them. Without
     * it, `cubic` answers. `cubic` also answers requests for other names, unless the operator rejects them
     * (`model_not_found`).
     *
     */
    model?: string | null;
    /**
     * The whole conversation so far, oldest first; nothing is kept between requests. Up to 100 messages, unless the operator
     * has set another limit for the plan or the account.
     *
     */
    messages: Array<ChatMessage>;
    /**
     * Maximum number of tokens in the answer. A value above the plan's output limit is lowered to it silently.
     */
    max_tokens?: number | null;
    /**
     * Maximum number of tokens in the answer. The newer name of `max_tokens`, used if both are sent.
     */
    max_completion_tokens?: number | null;
    /**
     * How random the model's choice of words is, from 0 to 2.
     */
    temperature?: number | null;
    /**
     * The share of most likely words from which the model chooses, from 0 to 1.
     */
    top_p?: number | null;
    /**
     * The answer ends before any of these texts.
     */
    stop?: string | Array<string> | null;
    /**
     * The same seed with the same request gives the same answer, as far as the model supports this.
     */
    seed?: number | null;
    /**
     * From -2 to 2. Above 0 the model avoids words that occurred at all.
     */
    presence_penalty?: number | null;
    /**
     * From -2 to 2. Above 0 the model avoids words that occurred often.
     */
    frequency_penalty?: number | null;
    /**
     * Functions that the model may call. Their definitions count towards the context window. Up to 32, unless the operator
     * has set another limit for the plan or the account.
     *
     */
    tools?: Array<ChatTool> | null;
    tool_choice?: ChatToolChoice;
    /**
     * Whether one answer may call several functions.
     */
    parallel_tool_calls?: boolean | null;
    /**
     * Requests plain text, any JSON object, or JSON that matches a schema.
     */
    response_format?: ChatResponseFormat | null;
    /**
     * `true` streams the answer as server-sent events. Unless the operator has switched streaming on
     * (`CUBBY_AI=open`), it is rejected with `stream_not_supported`.
     *
     */
    stream?: boolean | null;
    /**
     * Options of a stream. They have no effect without `stream`.
     */
    stream_options?: {
        /**
         * Whether one more chunk with the tokens of the whole request comes before the end.
         */
        include_usage?: boolean | null;
    } | null;
    /**
     * Rejected, because audio is not supported.
     */
    audio?: null;
    /**
     * `["text"]` or absent.
     */
    modalities?: [
        'text'
    ] | null;
    /**
     * Number of answers. There is always one. With the forms of clients, more are rejected.
     */
    n?: number | null;
    /**
     * Whether the answer has the probabilities of its tokens. It never has. With the forms of clients, `true` is rejected.
     */
    logprobs?: boolean | null;
    /**
     * Number of likely tokens in `logprobs`. With the forms of clients, more than 0 is rejected.
     */
    top_logprobs?: number | null;
    /**
     * How much likelier each token is, by its number, from -100 to 100. With the forms of clients, the model gets it.
     */
    logit_bias?: {
        [key: string]: number;
    } | null;
    /**
     * How long the model thinks before it answers. With the forms of clients, the model gets it.
     */
    reasoning_effort?: string | null;
    /**
     * How long the answer is. With the forms of clients, the model gets it.
     */
    verbosity?: string | null;
    /**
     * There is one tier. With the forms of clients, any but `auto` and `default` is rejected.
     */
    service_tier?: string | null;
    /**
     * Whether the answer is kept. It never is. With the forms of clients, `true` is rejected.
     */
    store?: boolean | null;
    /**
     * The older form of `tools`. With the forms of clients, a list that is not empty is rejected.
     */
    functions?: Array<unknown> | null;
};

/**
 * An address that the text of an answer cites.
 */
export type ChatUrlCitation = {
    /**
     * The kind of annotation.
     */
    type: 'url_citation';
    /**
     * The address, its title, and where the text cites it.
     */
    url_citation: {
        /**
         * The page that is cited.
         */
        url: string;
        /**
         * The page's title.
         */
        title: string;
        /**
         * Where the citation begins in `content`, in UTF-16 code units.
         */
        start_index: number;
        /**
         * Where it ends, exclusive, in UTF-16 code units.
         */
        end_index: number;
    };
};

/**
 * The next message of a conversation, and its usage.
 */
export type ChatCompletion = {
    /**
     * Id of this completion.
     */
    id: string;
    /**
     * The kind of this object, as chat clients know it.
     */
    object: 'chat.completion';
    /**
     * When it was created, in seconds since 1970 (Unix time).
     */
    created: number;
    /**
     * The listed name of the model that has answered, also if the request sent another name. It is `cubic` unless the operator has named others, and never the name that the model has behind the gateway.
     */
    model: string;
    /**
     * The answers; there is always one.
     */
    choices: [
        {
            /**
             * Its index among the answers, always 0.
             */
            index: 0;
            /**
             * The message of the model.
             */
            message: {
                /**
                 * The role of the speaker.
                 */
                role: 'assistant';
                /**
                 * The text; null when the answer is only tool calls.
                 */
                content: string | null;
                /**
                 * What the model thought before it answered. It is there if the model's server sends it, and the operator has
                 * switched on the forms of clients (`CUBBY_AI=open`).
                 *
                 */
                reasoning_content?: string;
                /**
                 * The same, from servers that send this field instead. Some also send `reasoning_details`, or `extra_content` in
                 * messages and calls, which only they can read.
                 *
                 */
                reasoning?: string;
                /**
                 * Functions to call; present when `finish_reason` is `tool_calls`.
                 */
                tool_calls?: Array<ChatToolCall>;
                /**
                 * The places where the text cites results of the gateway's web search; absent if it cites none.
                 */
                annotations?: Array<ChatUrlCitation>;
            };
            /**
             * `stop` - the answer is complete; `length` - the output limit cut it off; `tool_calls` - the model waits for
             * results; `content_filter` - the model's own filter cut it off.
             *
             */
            finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
        }
    ];
    /**
     * The tokens of the completion, including web searches.
     */
    usage: {
        /**
         * Tokens of the request, including those of web searches.
         */
        prompt_tokens: number;
        /**
         * Tokens of the answer.
         */
        completion_tokens: number;
        /**
         * Tokens of both together.
         */
        total_tokens: number;
        /**
         * Parts of the request, if the model's server says so.
         */
        prompt_tokens_details?: {
            /**
             * Tokens that the model's server had read before. They are charged as the others.
             */
            cached_tokens: number;
        };
        /**
         * Parts of the answer, if the model's server says so.
         */
        completion_tokens_details?: {
            /**
             * Tokens of the model's thoughts.
             */
            reasoning_tokens: number;
        };
    };
};

/**
 * Every code that the AI gateway can answer. Each has one HTTP status wherever it occurs.
 * `x-enum-descriptions` has for each code its HTTP status, its meaning and what to do about it. The server sends a
 * part of this text as `message`.
 *
 */
export type ChatErrorCode = 'invalid_body' | 'invalid_messages' | 'invalid_tools' | 'invalid_tool_choice' | 'invalid_temperature' | 'invalid_max_tokens' | 'stream_not_supported' | 'multimodal_not_supported' | 'file_not_text' | 'invalid_input' | 'invalid_query' | 'embeddings_not_supported' | 'responses_not_supported' | 'messages_not_supported' | 'context_length_exceeded' | 'invalid_request' | 'access_denied' | 'account_suspended' | 'csrf_token_invalid' | 'missing_scope' | 'upload_token_not_allowed' | 'upgrade_required' | 'model_not_allowed' | 'not_found' | 'model_not_found' | 'file_not_found' | 'method_not_allowed' | 'body_too_large' | 'concurrent_limit_reached' | 'rate_limit_exceeded' | 'key_rate_limit_exceeded' | 'daily_request_limit_reached' | 'daily_spend_limit_reached' | 'daily_limit_reached' | 'weekly_limit_reached' | 'daily_cost_limit_reached' | 'key_daily_request_limit_reached' | 'key_daily_spend_limit_reached' | 'key_daily_limit_reached' | 'key_daily_cost_limit_reached' | 'rate_limited' | 'storage_unavailable' | 'internal_server_error' | 'server_overloaded' | 'daily_capacity_reached';

/**
 * The error shape of chat clients.
 */
export type ChatError = {
    /**
     * The error.
     */
    error: {
        /**
         * What happened and what to do next, for people. Its wording may change.
         */
        message: string;
        /**
         * The kind of error, as chat clients know it.
         */
        type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'server_error';
        /**
         * Always null; `message` names the field.
         */
        param: null;
        code: ChatErrorCode;
    };
};

/**
 * Texts to turn into vectors. Unknown fields are ignored, and null counts as absent.
 */
export type EmbeddingRequest = {
    /**
     * Any value is accepted; the gateway always answers as `cubic-embeddings`.
     */
    model?: string | null;
    /**
     * One text, or 1 to 2048 texts. None may be empty. In place of a text, its tokens as the model's own numbers, from 0 to
     * 2147483647.
     *
     */
    input: string | Array<string> | Array<number> | Array<Array<number>>;
    /**
     * `float` - numbers, the default; `base64` - the bytes of the numbers, each a float of 32 bits with its lowest byte first.
     *
     */
    encoding_format?: 'float' | 'base64' | null;
    /**
     * Number of dimensions of each vector, if the model can shorten them.
     */
    dimensions?: number | null;
};

/**
 * The vectors of a request, and its usage.
 */
export type EmbeddingList = {
    /**
     * The kind of this object, as chat clients know it.
     */
    object: 'list';
    /**
     * One vector for each text, in the order of the texts.
     */
    data: Array<{
        /**
         * The kind of this object, as chat clients know it.
         */
        object: 'embedding';
        /**
         * Index of the text, from 0.
         */
        index: number;
        /**
         * The vector as numbers, or as the base64 of their bytes.
         */
        embedding: Array<number> | string;
    }>;
    /**
     * The public name of the model, independent of the model behind the gateway.
     */
    model: 'cubic-embeddings';
    /**
     * The tokens of the texts.
     */
    usage: {
        /**
         * Tokens of all texts together.
         */
        prompt_tokens: number;
        /**
         * The same tokens, as clients expect them.
         */
        total_tokens: number;
    };
};

/**
 * One block: `text`, or `tool_use` and `thinking` in a message of the assistant, or `tool_result` in one of the user.
 * Blocks of other types, such as those of tools that run elsewhere, are left out, and so are the thoughts of other
 * servers. `document` and `search_result` are given to the model as text, also a `document` that names a file of this
 * account. Those without a text, and pictures, are `multimodal_not_supported`. A `tool_reference` is the name of its
 * tool.
 *
 */
export type MessagesBlock = {
    /**
     * The type of this block.
     */
    type: string;
    /**
     * The text, for the type `text`.
     */
    text?: string | null;
    /**
     * Id of the call, for the type `tool_use`.
     */
    id?: string | null;
    /**
     * The function, for the type `tool_use`.
     */
    name?: string | null;
    /**
     * The arguments, for the type `tool_use`.
     */
    input?: {
        [key: string]: unknown;
    } | null;
    /**
     * Where the text is from, for the types `document` and `search_result`. A `document` has its text in it, or names a
     * file of this account, as `{"type":"file","file_id":"prv/<account_id>/<key>"}`. The key then needs the scope
     * `blob:read` too.
     *
     */
    source?: string | {
        [key: string]: unknown;
    } | null;
    /**
     * The title, for the types `document` and `search_result`. It comes before the text.
     */
    title?: string | null;
    /**
     * What the model should know about a `document` that names a file. It comes before the text.
     */
    context?: string | null;
    /**
     * The name of a tool, for the type `tool_reference`.
     */
    tool_name?: string | null;
    /**
     * The text of a block of the type `thinking`, from the response.
     */
    thinking?: string | null;
    /**
     * The signature of a block of the type `thinking`, from the response. With another one the block is left out.
     */
    signature?: string | null;
    /**
     * Id of the call, for the type `tool_result`.
     */
    tool_use_id?: string | null;
    /**
     * What the function returned, for the type `tool_result`, as a text or its blocks. Blocks of unknown types are left out.
     *
     */
    content?: string | Array<{
        /**
         * The type of this block.
         */
        type: string;
        /**
         * The text.
         */
        text?: string | null;
    }> | null;
    /**
     * Whether the function failed. The model then gets `Error:` before the text.
     */
    is_error?: boolean | null;
};

/**
 * One message of the conversation. Results that do not match the calls before them are `invalid_request`.
 */
export type MessagesMessage = {
    /**
     * The role of the speaker. Messages of the `system` may stand anywhere.
     */
    role: 'user' | 'assistant' | 'system';
    /**
     * The text, or blocks. Texts of several blocks are joined with line breaks.
     */
    content: string | Array<MessagesBlock>;
};

/**
 * A function that the model may call. A function with the name `web_search` replaces the gateway's own web search. Tools with
 * another `type` than `custom` are left out, because the gateway cannot run them.
 *
 */
export type MessagesTool = {
    /**
     * `custom` or absent.
     */
    type?: string | null;
    /**
     * The name of the function, required. 1 to 64 letters, digits, `_` or `-`.
     */
    name?: string | null;
    /**
     * Tells the model what the function does and when to call it.
     */
    description?: string | null;
    /**
     * The arguments as a JSON Schema.
     */
    input_schema?: {
        [key: string]: unknown;
    } | null;
    /**
     * Whether the arguments must match the schema exactly; passed to the model.
     */
    strict?: boolean | null;
};

/**
 * Requests JSON that matches a schema. The model gets it. How strictly it is kept depends on the model.
 */
export type MessagesFormat = {
    /**
     * The kind of format.
     */
    type: 'json_schema';
    /**
     * The answer as a JSON Schema.
     */
    schema: {
        [key: string]: unknown;
    };
} | null;

/**
 * A conversation and how to continue it. Unknown fields are ignored, and null counts as absent.
 */
export type MessagesRequest = {
    /**
     * Name of the model, as `GET /v2/ai/models` lists it, or another name that the operator has given to one of them. Without
     * it, `cubic` answers. `cubic` also answers requests for other names, unless the operator rejects them
     * (`model_not_found`).
     *
     */
    model?: string | null;
    /**
     * The whole conversation so far, oldest first; nothing is kept between requests. Up to 2,000 messages, unless the operator
     * has set another limit for the plan or the account.
     *
     */
    messages: Array<MessagesMessage>;
    /**
     * Instructions of the system, as a text or its blocks. Blocks are joined with line breaks.
     */
    system?: string | Array<MessagesBlock> | null;
    /**
     * Maximum number of tokens in the answer. A value above the account's output limit is lowered to it silently.
     */
    max_tokens?: number | null;
    /**
     * The answer ends before any of these texts.
     */
    stop_sequences?: Array<string> | null;
    /**
     * How random the model's choice of words is, from 0 to 2.
     */
    temperature?: number | null;
    /**
     * The share of most likely words from which the model chooses, from 0 to 1.
     */
    top_p?: number | null;
    /**
     * Functions that the model may call. Their definitions count towards the context window. Up to 128, unless the operator
     * has set another limit for the plan or the account.
     *
     */
    tools?: Array<MessagesTool> | null;
    /**
     * Whether the model may (`auto`), must (`any`) or must not (`none`) call a function, or which one it must call (`tool`).
     */
    tool_choice?: {
        /**
         * The kind of choice.
         */
        type: 'auto' | 'any' | 'none' | 'tool';
        /**
         * The function, for the type `tool`.
         */
        name?: string | null;
        /**
         * Whether one answer may call only one function.
         */
        disable_parallel_tool_use?: boolean | null;
    } | null;
    /**
     * `true` streams the answer as server-sent events.
     */
    stream?: boolean | null;
    /**
     * Whether the answer has what the model thought, in blocks of the type `thinking`. How much it thinks is up to the model's
     * server, which gets `budget_tokens` as an effort, unless `output_config.effort` names one.
     *
     */
    thinking?: {
        /**
         * With `disabled` the answer has no thoughts, with any other type it has them.
         */
        type?: string | null;
        /**
         * With `omitted` the blocks have no text, and the `signature` carries it.
         */
        display?: string | null;
        /**
         * The tokens of thoughts, for the type `enabled`. Below 4,096 the effort is `low`, below 16,384 it is `medium`, and
         * from there it is `high`.
         *
         */
        budget_tokens?: number | null;
    } | null;
    /**
     * The form of the answer, and the effort for it.
     */
    output_config?: {
        format?: MessagesFormat;
        /**
         * How long the model thinks before it answers. The model gets it, `max` and `xhigh` as `high`.
         */
        effort?: string | null;
    } | null;
    /**
     * The older name of `output_config.format`, used if that is absent.
     */
    output_format?: MessagesFormat;
};

/**
 * A text of the model. The text itself names the addresses of a web search.
 */
export type MessagesTextBlock = {
    /**
     * The type of this block.
     */
    type: 'text';
    /**
     * The text.
     */
    text: string;
};

/**
 * A call of a function that the model requests.
 */
export type MessagesToolUse = {
    /**
     * The type of this block.
     */
    type: 'tool_use';
    /**
     * Id of the call. The `tool_result` of the call repeats it.
     */
    id: string;
    name: ChatFunctionName;
    /**
     * The arguments. Check them before use, because a model wrote them. Arguments that are no JSON object are the text
     * `arguments` of this object.
     *
     */
    input: {
        [key: string]: unknown;
    };
};

/**
 * What the model thought before it answered. It is there if the request has `thinking`, and the model's server sends it. A
 * further block without a text has what the server sent later, for itself alone.
 *
 */
export type MessagesThinking = {
    /**
     * The type of this block.
     */
    type: 'thinking';
    /**
     * The text. Empty if the request has `thinking.display` as `omitted`.
     */
    thinking: string;
    /**
     * Shows that the block is from the gateway. Send the block back unchanged, and the model's server gets its thoughts back.
     */
    signature: string;
};

/**
 * The next message of a conversation, and its usage.
 */
export type MessagesAnswer = {
    /**
     * Id of this message.
     */
    id: string;
    /**
     * The kind of this object.
     */
    type: 'message';
    /**
     * The role of the speaker.
     */
    role: 'assistant';
    /**
     * The listed name of the model that has answered, also if the request sent another name. It is `cubic` unless the operator has named others, and never the name that the model has behind the gateway.
     */
    model: string;
    /**
     * The thoughts, the text and the calls of functions.
     */
    content: Array<MessagesTextBlock | MessagesToolUse | MessagesThinking>;
    /**
     * `end_turn` - the answer is complete, or a stop sequence ended it; `max_tokens` - the output limit cut it off;
     * `tool_use` - the model waits for results; `refusal` - the model's own filter cut it off.
     *
     */
    stop_reason: 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';
    /**
     * Always null, because the model's server does not tell which sequence ended the answer.
     */
    stop_sequence: null;
    /**
     * The tokens of the message, including web searches.
     */
    usage: {
        /**
         * Tokens of the request, including those of web searches, without those that were cached.
         */
        input_tokens: number;
        /**
         * Tokens of the answer.
         */
        output_tokens: number;
        /**
         * The gateway does not count them.
         */
        cache_creation_input_tokens: 0;
        /**
         * Further tokens of the request, which the model's server had read before; 0 if it does not say. They are charged
         * as the others.
         *
         */
        cache_read_input_tokens: number;
    };
};

/**
 * The error shape of the Messages API.
 */
export type MessagesError = {
    /**
     * Says that it is an error.
     */
    type: 'error';
    /**
     * The error.
     */
    error: {
        /**
         * The kind of error, as clients of messages know it.
         */
        type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'not_found_error' | 'request_too_large' | 'rate_limit_error' | 'api_error' | 'overloaded_error';
        /**
         * What happened and what to do next, for people. Its wording may change.
         */
        message: string;
        code: ChatErrorCode;
    };
};

/**
 * The size of a request in the form of the Messages API.
 */
export type MessagesTokens = {
    /**
     * Tokens of the messages, the system and the functions together.
     */
    input_tokens: number;
};

/**
 * A model that the gateway offers.
 */
export type ChatModel = {
    /**
     * The name of the model, as requests may send it. `cubic` is the default and always there. `cubic-embeddings` is there if the operator has named such a model.
     */
    id: string;
    /**
     * The kind of this object, as chat clients know it.
     */
    object: 'model';
    /**
     * When the model was first offered, in seconds since 1970 (Unix time).
     */
    created: number;
    /**
     * The owner of the model.
     */
    owned_by: 'cubby';
};

/**
 * The models of the gateway, in the list form of chat clients.
 */
export type ChatModels = {
    /**
     * The kind of this object, as chat clients know it.
     */
    object: 'list';
    /**
     * The models. The first one is for chats.
     */
    data: Array<ChatModel>;
};

/**
 * A model that the gateway offers, in the form of the Messages API.
 */
export type MessagesModel = {
    /**
     * The kind of this object.
     */
    type: 'model';
    /**
     * The name of the model, as requests may send it.
     */
    id: string;
    /**
     * The same name.
     */
    display_name: string;
    /**
     * When the model was first offered.
     */
    created_at: Timestamp;
    /**
     * Every listed model can be asked.
     */
    lifecycle: 'active';
    /**
     * Always null.
     */
    deprecated_at: null;
    /**
     * Always null.
     */
    line: null;
    /**
     * Always null, because the gateway does not know what the model can do.
     */
    capabilities: null;
    /**
     * The context window of the account, in tokens.
     */
    max_input_tokens: number;
    /**
     * The most tokens of an answer to the account.
     */
    max_tokens: number;
};

/**
 * The models of the gateway, in the list form of the Messages API. There is one page.
 */
export type MessagesModels = {
    /**
     * The models. The first one is for chats.
     */
    data: Array<MessagesModel>;
    /**
     * There is one page.
     */
    has_more: false;
    /**
     * The name of the first model; null if the key may use none.
     */
    first_id: string | null;
    /**
     * The name of the last model; null if the key may use none.
     */
    last_id: string | null;
};

/**
 * The models, in the form of the client. Those that send `Anthropic-Version` get that of the Messages API, all others that of chats.
 */
export type AiModels = ChatModels | MessagesModels;

/**
 * An error in the form of the client. Those that send `Anthropic-Version` get that of the Messages API, all others that of chats.
 */
export type AiError = ChatError | MessagesError;

/**
 * A model, in the form of the client. Those that send `Anthropic-Version` get that of the Messages API, all others that of chats.
 */
export type AiModel = ChatModel | MessagesModel;

/**
 * One request to a model, without its contents.
 */
export type AiRequest = {
    /**
     * Id of the entry, unique within the account.
     */
    id: string;
    /**
     * `X-Request-Id` of the response. A client may choose it, so it need not be unique.
     */
    request_id: string;
    /**
     * When the request came.
     */
    at: Timestamp;
    /**
     * Id of the API key.
     */
    key_id: string;
    /**
     * Name of the model, as it was asked for.
     */
    model: string;
    /**
     * The route, by the last part of its path; `chat` is `/v2/ai/chat/completions`.
     */
    operation: 'chat' | 'responses' | 'messages' | 'embeddings';
    /**
     * Whether the answer was to come as a stream.
     */
    stream: boolean;
    /**
     * `answered`, `aborted` if the client disconnected, or the code of the error.
     */
    outcome: string;
    /**
     * Tokens of the input that were charged.
     */
    input_tokens: number;
    /**
     * Tokens of the output that were charged.
     */
    output_tokens: number;
    /**
     * What was charged for them, in the currency of the page. 0 for models without prices.
     */
    cost: number;
    /**
     * Whether the answer came from the cache, which costs nothing.
     */
    cached: boolean;
    /**
     * Milliseconds from the end of the request's body to the end of the answer.
     */
    duration_ms: number;
    /**
     * Milliseconds to the first piece of a stream; null if it was none, or no piece came.
     */
    first_token_ms: number | null;
    /**
     * Number of attempts at servers of a model. Above 1 after failures, searches, and for many texts.
     */
    upstream_attempts: number;
    /**
     * What the gateway left out of the request, as `X-Cubby-Ignored` of its response; null for nothing.
     */
    ignored: string | null;
};

/**
 * One page of the account's requests to models.
 */
export type AiRequestPage = {
    /**
     * The requests of this page, newest first.
     */
    requests: Array<AiRequest>;
    /**
     * For how many days requests are kept; 0 if the operator has not switched the list on.
     */
    kept_days: number;
    /**
     * The currency of costs, as ISO 4217 has it; absent if the operator has named none.
     */
    currency?: string;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * One part of a text. An `input_file` with a `file_id` is the text of that file. Anything else but text is
 * `multimodal_not_supported`, also an `input_file` with `file_data` or `file_url`.
 *
 */
export type ResponsesPart = {
    /**
     * `input_text`, `output_text`, `text`, `refusal` or `input_file`.
     */
    type?: string | null;
    /**
     * The text.
     */
    text?: string | null;
    /**
     * The text of a part of type `refusal`.
     */
    refusal?: string | null;
    /**
     * The id of a file of this account, for the type `input_file`: `pub/<account_id>/<key>`, `prv/<account_id>/<key>` or
     * `<account_id>/<key>`. The key needs the scope `blob:read` too.
     *
     */
    file_id?: string | null;
};

/**
 * One item of the conversation. Without a `type` it is a `message`. Items of the types `message`, `function_call` and
 * `function_call_output` are passed to the model. Of items of other types, such as `custom_tool_call`, the text in `input` or
 * `output` is passed to the model. Those without one, such as `web_search_call`, are left out. `reasoning` from a response of
 * the gateway goes back to the model's server with the answer behind it, and is left out if it is from another server.
 * `item_reference` is rejected. Further fields, such as `id` and `status`, are ignored. Outputs that do not match the
 * calls before them are `invalid_request`.
 *
 */
export type ResponsesItem = {
    /**
     * `message`, `function_call` or `function_call_output`. Of other types only the text is kept.
     */
    type?: string | null;
    /**
     * Messages only - `system`, `developer`, `user` or `assistant`. `developer` means the same as `system`.
     */
    role?: string | null;
    /**
     * Messages only - the text, or its parts. Parts are joined with line breaks.
     */
    content?: string | Array<ResponsesPart> | {
        [key: string]: unknown;
    } | null;
    /**
     * Calls and their outputs - names the call. The output of a call has the same.
     */
    call_id?: string | null;
    /**
     * Calls only - the name of the function. 1 to 64 letters, digits, `_` or `-`, unless it has a namespace.
     */
    name?: string | null;
    /**
     * Calls only - the namespace of the function, if it has one.
     */
    namespace?: string | null;
    /**
     * Calls only - the arguments as JSON text, as the model wrote them.
     */
    arguments?: string | {
        [key: string]: unknown;
    } | null;
    /**
     * Items of other types only - what a tool got, of any type. A text is passed to the model, a number is not.
     */
    input?: string | Array<unknown> | {
        [key: string]: unknown;
    } | number | boolean | null;
    /**
     * Items of the type `reasoning` only - from the response.
     */
    encrypted_content?: string | null;
    /**
     * Outputs only - what the function returned, as a text or its parts.
     */
    output?: string | Array<ResponsesPart> | {
        [key: string]: unknown;
    } | null;
};

/**
 * A function of a namespace. One without a name that models take is left out.
 */
export type ResponsesNamespaceTool = {
    /**
     * `function`, which is the default. Tools of other types are left out.
     */
    type?: string | null;
    /**
     * The name of the function in its namespace.
     */
    name?: string | null;
    /**
     * Tells the model what the function does and when to call it.
     */
    description?: string | null;
    /**
     * The parameters as a JSON Schema.
     */
    parameters?: {
        [key: string]: unknown;
    } | null;
    /**
     * Whether the arguments must match the schema exactly; passed to the model.
     */
    strict?: boolean | null;
};

/**
 * A function that the model may call, or a `namespace` of functions. A function with the name `web_search` replaces the
 * gateway's own web search. Tools of other types, such as `web_search` and `mcp`, are left out, because the gateway cannot
 * run them.
 *
 */
export type ResponsesTool = {
    /**
     * `function` or `namespace`. Tools of other types are left out.
     */
    type: string;
    /**
     * The name of the function, required. 1 to 64 letters, digits, `_` or `-`. A namespace may have other names.
     */
    name?: string | null;
    /**
     * Tells the model what the function does and when to call it.
     */
    description?: string | null;
    /**
     * The parameters as a JSON Schema.
     */
    parameters?: {
        [key: string]: unknown;
    } | null;
    /**
     * Whether the arguments must match the schema exactly; passed to the model.
     */
    strict?: boolean | null;
    /**
     * The functions of a `namespace`, which count as functions of the request. Each `function_call` names its `namespace`.
     * Tools of other types are left out.
     *
     */
    tools?: Array<ResponsesNamespaceTool> | null;
};

/**
 * Whether the model may (`auto`), must (`required`) or must not (`none`) call a function. An object of the type `function`
 * names the one that it must call. One of the type `allowed_tools` has those in `tools` that it may or must call, as its
 * `mode` says.
 *
 */
export type ResponsesToolChoice = string | {
    /**
     * `function` or `allowed_tools`.
     */
    type?: string;
    /**
     * The function, for the type `function`.
     */
    name?: string;
    /**
     * `auto` or `required`, for the type `allowed_tools`.
     */
    mode?: string;
    /**
     * The functions, for the type `allowed_tools`.
     */
    tools?: Array<{
        /**
         * `function`, which is the default.
         */
        type?: string;
        /**
         * The name of the function.
         */
        name?: string;
    }>;
} | null;

/**
 * The format of the text. `name` is required for the type `json_schema`, and only that has the further fields.
 */
export type ResponsesTextFormat = {
    /**
     * `text`, `json_object` or `json_schema`.
     */
    type: 'text' | 'json_object' | 'json_schema';
    /**
     * The name of the schema. 1 to 64 letters, digits, `_` or `-`.
     */
    name?: string | null;
    /**
     * Tells the model what the answer is for.
     */
    description?: string | null;
    /**
     * The JSON Schema that the answer must match.
     */
    schema?: {
        [key: string]: unknown;
    } | null;
    /**
     * Whether the answer must match the schema exactly; passed to the model.
     */
    strict?: boolean | null;
} | null;

/**
 * Items of a conversation, and how to continue it. Unknown fields are ignored, and null counts as absent. The fields from
 * `store` to `service_tier` ask for things that the gateway does not have. Values that a client could miss are rejected.
 *
 */
export type ResponsesRequest = {
    /**
     * Name of the model, as `GET /v2/ai/models` lists it, or another name that the operator has given to one of them. Without
     * it, `cubic` answers. `cubic` also answers requests for other names, unless the operator rejects them
     * (`model_not_found`).
     *
     */
    model?: string | null;
    /**
     * One text of the user, or the items of the whole conversation so far, oldest first; nothing is kept between requests. Up
     * to 2,000 items, unless the operator has set another limit for the plan or the account.
     *
     */
    input: string | Array<ResponsesItem>;
    /**
     * Instructions of the system, before all items.
     */
    instructions?: string | null;
    /**
     * Maximum number of tokens in the answer. A value above the plan's output limit is lowered to it silently.
     */
    max_output_tokens?: number | null;
    /**
     * How random the model's choice of words is, from 0 to 2.
     */
    temperature?: number | null;
    /**
     * The share of most likely words from which the model chooses, from 0 to 1.
     */
    top_p?: number | null;
    /**
     * From -2 to 2. Above 0 the model avoids words that occurred at all.
     */
    presence_penalty?: number | null;
    /**
     * From -2 to 2. Above 0 the model avoids words that occurred often.
     */
    frequency_penalty?: number | null;
    /**
     * Functions that the model may call. Their definitions count towards the context window. Up to 128, unless the operator
     * has set another limit for the plan or the account.
     *
     */
    tools?: Array<ResponsesTool> | null;
    tool_choice?: ResponsesToolChoice;
    /**
     * Whether one answer may call several functions.
     */
    parallel_tool_calls?: boolean | null;
    /**
     * The form of the text.
     */
    text?: {
        /**
         * Requests plain text, any JSON object, or JSON that matches a schema.
         */
        format?: ResponsesTextFormat;
        /**
         * How long the answer is. The model gets it.
         */
        verbosity?: string | null;
    } | null;
    /**
     * How the model thinks. Its thoughts are not passed on.
     */
    reasoning?: {
        /**
         * How long the model thinks before it answers. The model gets it.
         */
        effort?: string | null;
    } | null;
    /**
     * Up to 16 texts of the caller. The answer repeats them.
     */
    metadata?: {
        [key: string]: string;
    } | null;
    /**
     * `true` streams the answer as server-sent events.
     */
    stream?: boolean | null;
    /**
     * Whether the answer is kept. It never is, and `true` is rejected.
     */
    store?: boolean | null;
    /**
     * Rejected, because no answer is kept. Send all items.
     */
    previous_response_id?: null;
    /**
     * Rejected, because no conversation is kept. Send all items.
     */
    conversation?: null;
    /**
     * Rejected, because no prompts are kept. Send the text.
     */
    prompt?: null;
    /**
     * `true` is rejected, because answers come at once.
     */
    background?: boolean | null;
    /**
     * `disabled`: a conversation that exceeds the context window is rejected. `auto` is rejected, because the gateway drops no items.
     */
    truncation?: string | null;
    /**
     * Further output: `reasoning.encrypted_content` gives items of the type `reasoning` the field `encrypted_content`.
     * `message.output_text.logprobs` is rejected, and others are ignored.
     *
     */
    include?: Array<string> | null;
    /**
     * Number of likely tokens with their probabilities. There are none, and more than 0 is rejected.
     */
    top_logprobs?: number | null;
    /**
     * There is one tier. Any but `auto` and `default` is rejected.
     */
    service_tier?: string | null;
};

/**
 * A message of the model.
 */
export type ResponsesMessage = {
    /**
     * The type of this item.
     */
    type: 'message';
    /**
     * Id of this item.
     */
    id: string;
    /**
     * `incomplete` if the answer ended within this item.
     */
    status: 'in_progress' | 'completed' | 'incomplete';
    /**
     * The role of the speaker.
     */
    role: 'assistant';
    /**
     * The parts of the text; there is one.
     */
    content: Array<{
        /**
         * The type of this part.
         */
        type: 'output_text';
        /**
         * The text.
         */
        text: string;
        /**
         * The places where the text cites results of the gateway's web search.
         */
        annotations: Array<{
            /**
             * The type of this annotation.
             */
            type: 'url_citation';
            /**
             * The address.
             */
            url: string;
            /**
             * The title of the page.
             */
            title: string;
            /**
             * Index of the first character of the citation in the text.
             */
            start_index: number;
            /**
             * Index after the last character.
             */
            end_index: number;
        }>;
        /**
         * Always empty.
         */
        logprobs: Array<unknown>;
    }>;
};

/**
 * A call of a function that the model requests.
 */
export type ResponsesFunctionCall = {
    /**
     * The type of this item.
     */
    type: 'function_call';
    /**
     * Id of this item.
     */
    id: string;
    /**
     * `incomplete` if the answer ended within this item.
     */
    status: 'in_progress' | 'completed' | 'incomplete';
    /**
     * Id of the call. The item with its output repeats this id.
     */
    call_id: string;
    /**
     * The namespace of the function, if it has one.
     */
    namespace?: string;
    /**
     * The name of the function, in its namespace if it has one.
     */
    name: string;
    /**
     * The arguments as JSON text, as the model wrote them. Check them before use.
     */
    arguments: string;
};

/**
 * What the model thought before it answered, if its server sends that. With `reasoning.encrypted_content` in `include`, a further
 * item without a text has what the server sent later, for itself alone.
 *
 */
export type ResponsesReasoning = {
    /**
     * The type of this item.
     */
    type: 'reasoning';
    /**
     * Id of this item.
     */
    id: string;
    /**
     * `incomplete` if the answer ended within this item.
     */
    status: 'in_progress' | 'completed' | 'incomplete';
    /**
     * Always empty.
     */
    summary: Array<unknown>;
    /**
     * The parts of the thoughts; there is one once they have begun.
     */
    content: Array<{
        /**
         * The type of this part.
         */
        type: 'reasoning_text';
        /**
         * The text.
         */
        text: string;
    }>;
    /**
     * The same, for the model's server. It is there if `include` has `reasoning.encrypted_content`. Send the item back with the
     * conversation, and the server gets its thoughts back. It is not encrypted, because it is no secret.
     *
     */
    encrypted_content?: string;
};

/**
 * The tokens of the response, including web searches; null until it has ended.
 */
export type ResponsesUsage = {
    /**
     * Tokens of the request, including those of web searches.
     */
    input_tokens: number;
    /**
     * Parts of them.
     */
    input_tokens_details: {
        /**
         * Tokens that the model's server had read before; 0 if it does not say. They are charged as the others.
         *
         */
        cached_tokens: number;
    };
    /**
     * Tokens of the answer, including the model's thoughts.
     */
    output_tokens: number;
    /**
     * Parts of them.
     */
    output_tokens_details: {
        /**
         * Tokens of the model's thoughts; 0 if its server does not say.
         */
        reasoning_tokens: number;
    };
    /**
     * Tokens of both together.
     */
    total_tokens: number;
} | null;

/**
 * The next items of a conversation, their usage, and the fields of the request that applied.
 */
export type ResponsesAnswer = {
    /**
     * Id of this response.
     */
    id: string;
    /**
     * The kind of this object.
     */
    object: 'response';
    /**
     * When it was created, in seconds since 1970 (Unix time).
     */
    created_at: number;
    /**
     * When it was completed, in seconds since 1970; null unless it was.
     */
    completed_at: number | null;
    /**
     * `incomplete` if `incomplete_details` has the reason why the answer ended early.
     */
    status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
    /**
     * Why the answer ended early; null unless it did.
     */
    incomplete_details: {
        /**
         * `max_output_tokens` - the output limit cut it off; `content_filter` - the model's own filter did.
         */
        reason: 'max_output_tokens' | 'content_filter';
    } | null;
    /**
     * The listed name of the model that has answered, also if the request sent another name. It is `cubic` unless the operator has named others, and never the name that the model has behind the gateway.
     */
    model: string;
    /**
     * The instructions of the request.
     */
    instructions: string | null;
    /**
     * The next items.
     */
    output: Array<ResponsesMessage | ResponsesFunctionCall | ResponsesReasoning>;
    /**
     * Why it failed; null unless it did. Only events of a stream have it.
     */
    error: {
        /**
         * One of the codes of error responses.
         */
        code: string;
        /**
         * What happened and what to do next, for people.
         */
        message: string;
    } | null;
    /**
     * The functions of the request.
     */
    tools: Array<{
        /**
         * The kind of tool.
         */
        type: 'function';
        name: ChatFunctionName;
        /**
         * What the function does.
         */
        description: string | null;
        /**
         * The parameters as a JSON Schema.
         */
        parameters: {
            [key: string]: unknown;
        } | null;
        /**
         * Whether the arguments must match the schema exactly.
         */
        strict: boolean | null;
    }>;
    /**
     * The choice of the request.
     */
    tool_choice: string | {
        [key: string]: unknown;
    };
    /**
     * Items are never dropped.
     */
    truncation: 'disabled';
    /**
     * Whether the answer may call several functions.
     */
    parallel_tool_calls: boolean;
    /**
     * The form of the text.
     */
    text: {
        /**
         * The format of the request.
         */
        format: {
            [key: string]: unknown;
        };
        /**
         * The length of the request.
         */
        verbosity?: string;
    };
    usage: ResponsesUsage;
    /**
     * How the model thinks.
     */
    reasoning: {
        /**
         * The effort of the request.
         */
        effort: string | null;
        /**
         * Always null.
         */
        summary: null;
    };
    /**
     * The texts of the request.
     */
    metadata: {
        [key: string]: string;
    };
    /**
     * The temperature of the request, otherwise 1.
     */
    temperature: number;
    /**
     * The share of the request, otherwise 1.
     */
    top_p: number;
    /**
     * The penalty of the request, otherwise 0.
     */
    presence_penalty: number;
    /**
     * The penalty of the request, otherwise 0.
     */
    frequency_penalty: number;
    /**
     * The maximum of the request; null without one.
     */
    max_output_tokens: number | null;
    /**
     * Always false.
     */
    store: false;
    /**
     * Always false.
     */
    background: false;
    /**
     * Always 0.
     */
    top_logprobs: 0;
    /**
     * There is one tier.
     */
    service_tier: 'default';
    /**
     * Always null.
     */
    previous_response_id: null;
    /**
     * Always null.
     */
    max_tool_calls: null;
    /**
     * Always null.
     */
    safety_identifier: null;
    /**
     * Always null.
     */
    prompt_cache_key: null;
};

/**
 * The usage in one window of time, and its limit.
 */
export type ChatUsageWindow = {
    /**
     * The used amount: requests, tokens, or tokens with output counted four times.
     */
    used: number;
    /**
     * The limit, in the same measure (requests or tokens); null when the plan sets no limit.
     */
    limit: number | null;
    resets_at: Timestamp;
};

/**
 * The usage in one measure, today and this week.
 */
export type ChatUsage = {
    /**
     * Since 00:00 UTC.
     */
    today: ChatUsageWindow;
    /**
     * Since Monday 00:00 UTC.
     */
    week: ChatUsageWindow;
};

/**
 * The cost in one window of time, and its limit.
 */
export type ChatCostWindow = {
    /**
     * What was charged, in the currency of the response.
     */
    used: number;
    /**
     * The limit, in the same currency; null without one.
     */
    limit: number | null;
    resets_at: Timestamp;
};

/**
 * The limits of a single request and of requests at once, as they apply to the account.
 */
export type ChatAccountLimits = {
    /**
     * Tokens of the messages and tool definitions of a request together.
     */
    context_tokens: number;
    /**
     * The most tokens of an answer.
     */
    output_tokens: number;
    /**
     * Requests at once.
     */
    concurrent: number;
    /**
     * Seconds from the start of one request to the start of the next.
     */
    pacing_seconds: number;
    /**
     * Tools of a request to Open Responses or the Messages API.
     */
    tools: number;
    /**
     * Messages or items of a request to Open Responses or the Messages API.
     */
    messages: number;
    /**
     * The number of tools of a chat completion.
     */
    chat_tools: number;
    /**
     * The number of messages of a chat completion.
     */
    chat_messages: number;
};

/**
 * The usage of a key, against its own limits.
 */
export type ChatKeyUsage = {
    /**
     * Charged requests of today.
     */
    requests: ChatUsageWindow;
    /**
     * Tokens of today, input and output together.
     */
    tokens: ChatUsageWindow;
    /**
     * Tokens of today, input counted once and output four times.
     */
    spend: ChatUsageWindow;
    /**
     * Cost of today. 0 for models without prices.
     */
    cost: ChatCostWindow;
    /**
     * Charged requests of this minute.
     */
    minute: ChatUsageWindow;
    /**
     * The models that the key may use; absent without a restriction.
     */
    models?: Array<string>;
};

/**
 * Requests, tokens and fair use of today and of this week, the cost of today, and the limits of a request.
 */
export type ChatUsageReport = {
    /**
     * Answered requests.
     */
    requests: ChatUsage;
    /**
     * Tokens, input and output together.
     */
    tokens: ChatUsage;
    /**
     * Tokens, input counted once and output four times.
     */
    spend: ChatUsage;
    /**
     * Cost of today. 0 for models without prices.
     */
    cost: ChatCostWindow;
    /**
     * The currency of costs, as ISO 4217 has it; absent if the operator has named none.
     */
    currency?: string;
    limits: ChatAccountLimits;
    /**
     * Usage of the key that asks, against its own limits; absent if it has none.
     */
    key?: ChatKeyUsage;
};

/**
 * Usage that was added up. `day`, `key_id` and `model` are there as far as the usage is grouped by them.
 */
export type ChatUsageGroup = {
    /**
     * The day in UTC.
     */
    day?: string;
    /**
     * Id of the key, which may have ended since.
     */
    key_id?: string;
    /**
     * Name of the key.
     */
    key_name?: string;
    /**
     * The name of the model.
     */
    model?: string;
    /**
     * Charged requests.
     */
    requests: number;
    /**
     * Tokens of the input.
     */
    input_tokens: number;
    /**
     * Tokens of the output.
     */
    output_tokens: number;
    /**
     * Tokens, input counted once and output four times.
     */
    spend: number;
    /**
     * What it cost, in the currency of the response, to a billionth. 0 for models without prices. Each request is counted at
     * the prices with which it began.
     *
     */
    cost: number;
    /**
     * Requests that a cache answered. They are not among `requests`.
     */
    cached_requests: number;
};

/**
 * The usage of the AI gateway on some days, in groups.
 */
export type ChatUsageHistory = {
    /**
     * The first day.
     */
    from: string;
    /**
     * The last day.
     */
    to: string;
    /**
     * The currency of costs, as ISO 4217 has it; absent if the operator has named none.
     */
    currency?: string;
    /**
     * The groups, in the order of day, key and model. Those without usage are left out.
     */
    data: Array<ChatUsageGroup>;
    /**
     * Whether there is another page.
     */
    has_more: boolean;
};

/**
 * Id of an application; opaque to clients.
 */
export type AppId = string;

/**
 * An application.
 */
export type App = {
    id: AppId;
    /**
     * The name of the application, for people.
     */
    name: string;
    created_at: Timestamp;
    /**
     * Whether it came with the account. It stands for the public files and links.
     */
    built_in: boolean;
};

/**
 * The applications that a key may use.
 */
export type Apps = {
    /**
     * The built-in one first, then oldest first.
     */
    apps: Array<App>;
};

/**
 * The access token for the repository, and the secret that signs its deliveries.
 */
export type NewWebhook = {
    /**
     * A personal access token of the repository host, used to read the repository. `@` removes the webhook. No response shows it.
     */
    access_token: string;
    /**
     * The secret with which the repository host signs its deliveries. Without one, deliveries are not checked.
     */
    secret?: string;
};

/**
 * The webhook of an application.
 */
export type Webhook = {
    /**
     * The address to register on the repository. Anyone who knows it can queue deploys, unless there is a secret.
     */
    webhook: string;
};

/**
 * Which pushes of an application are deployed.
 */
export type DeployFilters = {
    /**
     * Deploys only branches that one of these globs matches. Empty - all branches.
     */
    include_branches: Array<string>;
    /**
     * Never deploys branches that one of these globs matches.
     */
    exclude_branches: Array<string>;
    /**
     * Deploys only pushes that change a file that one of these globs matches. Empty - all files.
     */
    include_paths: Array<string>;
    /**
     * Files that one of these globs matches do not count as changed.
     */
    exclude_paths: Array<string>;
};

/**
 * Which pushes of an application are deployed.
 */
export type NewDeployFilters = {
    /**
     * Deploys only branches that one of these globs matches. Empty - all branches.
     */
    include_branches?: Array<string>;
    /**
     * Never deploys branches that one of these globs matches.
     */
    exclude_branches?: Array<string>;
    /**
     * Deploys only pushes that change a file that one of these globs matches. Empty - all files.
     */
    include_paths?: Array<string>;
    /**
     * Files that one of these globs matches do not count as changed.
     */
    exclude_paths?: Array<string>;
};

/**
 * The deploy hook of an application.
 */
export type DeployHook = {
    /**
     * The address to clone from.
     */
    repository: string;
    /**
     * The branch of deploys that name none.
     */
    branch: string;
    /**
     * The kind of the host. It decides how an access token is sent.
     */
    host: 'github' | 'gitlab' | 'gitea' | 'forgejo' | 'bitbucket-cloud' | 'bitbucket-data-center';
    created_at: Timestamp;
    /**
     * When it was last used, to 15 seconds; null before.
     */
    used_at: Timestamp | null;
};

/**
 * What a deploy hook deploys.
 */
export type NewDeployHook = {
    /**
     * The address to clone from, with `https`, `http` or `file`. It has no user name, password, query or fragment.
     */
    repository: string;
    /**
     * The branch of deploys that name none.
     */
    branch?: string;
    /**
     * The kind of the host. It decides how an access token is sent.
     */
    host?: 'github' | 'gitlab' | 'gitea' | 'forgejo' | 'bitbucket-cloud' | 'bitbucket-data-center';
};

/**
 * The deploy hook of an application, with its address.
 */
export type DeployHookWithUrl = {
    /**
     * The address that queues deploys. Only this response shows it.
     */
    url: string;
    /**
     * The address to clone from.
     */
    repository: string;
    /**
     * The branch of deploys that name none.
     */
    branch: string;
    /**
     * The kind of the host. It decides how an access token is sent.
     */
    host: 'github' | 'gitlab' | 'gitea' | 'forgejo' | 'bitbucket-cloud' | 'bitbucket-data-center';
    created_at: Timestamp;
};

/**
 * How deploys are reported to the git host.
 */
export type CommitStatus = {
    /**
     * Scheme, host and port of the repository's address.
     */
    origin: string;
    /**
     * The kind of the host.
     */
    host: 'github' | 'gitlab' | 'gitea' | 'forgejo';
    /**
     * The name of the status.
     */
    context: string;
    /**
     * Where the status leads; null for nowhere.
     */
    target_url: string | null;
    /**
     * When the last report was sent; null before the first.
     */
    sent_at: Timestamp | null;
    /**
     * Why the host did not take the last report; null if it did.
     */
    error: string | null;
};

/**
 * How deploys are reported to the git host.
 */
export type NewCommitStatus = {
    /**
     * A token that may set statuses of commits. No response shows it.
     */
    access_token: string;
    /**
     * Scheme, host and port of the repository's address. `http` only for private hosts that the operator allows.
     */
    origin: string;
    /**
     * The kind of the host.
     */
    host?: 'github' | 'gitlab' | 'gitea' | 'forgejo';
    /**
     * The name of the status, in printable ASCII.
     */
    context?: string;
    /**
     * Where the status leads. `{deploy_id}` stands for the id of the deploy.
     */
    target_url?: string;
};

/**
 * `pending` - queued; `running` - being deployed; `success` and `error` - ended; `superseded` - a newer push of the branch
 * arrived before this deploy began; `cancelled` - ended before its command had.
 *
 */
export type DeploymentState = 'pending' | 'running' | 'success' | 'error' | 'superseded' | 'cancelled';

/**
 * One deploy of an application.
 */
export type Deployment = {
    /**
     * Id of the deploy.
     */
    id: string;
    state: DeploymentState;
    /**
     * The branch that was pushed.
     */
    branch: string;
    /**
     * The commit, in lowercase hex. All zeros until the runner has read the branch, if a deploy hook named no commit.
     */
    commit: string;
    /**
     * First line of the commit's message; null if the push did not contain it.
     */
    message: string | null;
    /**
     * Whether somebody asked to cancel the deploy before it ended.
     */
    cancel_requested: boolean;
    created_at: Timestamp;
    updated_at: Timestamp;
};

/**
 * What is connected to the application, and its newest deploy.
 */
export type CurrentDeployment = {
    /**
     * The address that is registered on the repository; null when none is set.
     */
    webhook: string | null;
    /**
     * Whether the application has a deploy hook.
     */
    deploy_hook: boolean;
    /**
     * Whether deploys are reported to a git host.
     */
    commit_status: boolean;
    /**
     * The newest deploy; null before the first.
     */
    last: Deployment | null;
};

/**
 * One page of the application's deploys.
 */
export type DeploymentPage = {
    /**
     * The deploys of this page, newest first.
     */
    deployments: Array<Deployment>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * Some lines of the output of a deploy.
 */
export type DeploymentLogs = {
    /**
     * The lines, without line breaks.
     */
    lines: Array<string>;
    /**
     * Requests the lines that follow.
     */
    cursor: string;
    /**
     * Whether the deploy has ended and these were its last lines.
     */
    complete: boolean;
};

/**
 * Errors of each status, most first.
 */
export type EdgeErrorsByStatus = Array<{
    /**
     * The HTTP status.
     */
    status: number;
    /**
     * Number of responses with it.
     */
    requests: number;
}>;

/**
 * The error responses of the edge in a window of time, counted in five ways.
 */
export type EdgeErrors = {
    /**
     * The number of errors.
     */
    summary: {
        /**
         * All counted errors.
         */
        total: number;
        /**
         * Errors of each class of status.
         */
        by_class: {
            /**
             * Errors with a status from 400 to 499; 0 unless `include_4xx` was sent.
             */
            '4xx': number;
            /**
             * Errors with a status from 500 to 599.
             */
            '5xx': number;
        };
    };
    by_status: EdgeErrorsByStatus;
    /**
     * In order of time.
     */
    timeseries: Array<{
        /**
         * When the bucket begins. It may begin before the window.
         */
        date: Timestamp;
        /**
         * Number of errors by status.
         */
        buckets: {
            [key: string]: number;
        };
        /**
         * All errors of this bucket.
         */
        total: number;
    }>;
    /**
     * Up to 20 paths and methods with the most errors, most first.
     */
    top_paths: Array<{
        /**
         * The path without query, with ids as `:id`, at most 256 bytes; `__other__` for all paths without a name of their own.
         */
        path: string;
        /**
         * The method of the requests, such as GET; OTHER for unusual ones.
         */
        method: string;
        /**
         * Errors of this path and method.
         */
        total: number;
        by_status: EdgeErrorsByStatus;
    }>;
    /**
     * Most errors first.
     */
    by_method: Array<{
        /**
         * The method of the requests, such as GET; OTHER for unusual ones.
         */
        method: string;
        /**
         * Errors of this method.
         */
        total: number;
        by_status: EdgeErrorsByStatus;
    }>;
};

/**
 * What a deploy hook deploys.
 */
export type NewHookDeploy = {
    /**
     * The branch, with or without `refs/heads/`. Default - the branch of the hook.
     */
    ref?: string;
    /**
     * The commit, in lowercase hex. Default - the newest one of the branch.
     */
    commit?: string;
};

/**
 * The payload of the repository host. Each host has its own fields.
 */
export type GitPush = {
    [key: string]: unknown;
};

/**
 * The payload in a form, as some repository hosts send it.
 */
export type GitPushForm = {
    /**
     * The payload as JSON text.
     */
    payload: string;
};

/**
 * A scope of an API key, without full access.
 */
export type DeviceScope = 'account:read' | 'apps:read' | 'apps:control' | 'apps:write' | 'apps:deploy' | 'files:read' | 'files:write' | 'envs:read' | 'envs:write' | 'snapshots:read' | 'snapshots:write' | 'databases:read' | 'databases:write' | 'databases:credentials' | 'workspaces:manage' | 'ai:chat' | 'blob:read' | 'blob:write';

/**
 * `client_name` or `client_id`, and `scopes` or `scope`. If both of a pair are sent, the first counts.
 */
export type DeviceCodeRequest = {
    /**
     * The name of the client. The person who approves sees it, and the key gets this name. 1 to 64 printable characters.
     */
    client_name?: string;
    /**
     * The name of `client_name` in RFC 8628, sent by OAuth clients. Clients need not be registered.
     */
    client_id?: string;
    /**
     * The requested rights of the key, as a list or as one text of scopes separated by spaces. Request only the scopes that the client needs. Full access (`*`) cannot be requested.
     */
    scopes?: Array<DeviceScope> | string;
    /**
     * The name of `scopes` in RFC 8628 - one text of scopes separated by spaces. One of the two is required here.
     */
    scope?: string;
};

/**
 * Both codes of a device approval (RFC 8628, section 3.2).
 */
export type DeviceCode = {
    /**
     * The code with which the client asks for its key. Keep it secret.
     */
    device_code: string;
    /**
     * The code that the client shows and the person types at `verification_uri`. It has only consonants, so that it forms no words.
     */
    user_code: string;
    /**
     * The activation page. It never carries the code, so that nobody approves by following a link.
     */
    verification_uri: string;
    /**
     * Seconds until both codes expire.
     */
    expires_in: 900;
    /**
     * Seconds to wait between two requests for the key.
     */
    interval: 5;
};

/**
 * Every code that device approval can answer. Each has one HTTP status wherever it occurs. `x-enum-descriptions`
 * has for each code its HTTP status, its meaning and what to do about it. The server sends a part of this text as
 * `error_description`.
 *
 */
export type OAuthErrorCode = 'invalid_request' | 'invalid_scope' | 'invalid_grant' | 'unsupported_grant_type' | 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'body_too_large' | 'rate_limited' | 'storage_unavailable' | 'server_overloaded' | 'internal_server_error';

/**
 * The error shape of RFC 6749, section 5.2.
 */
export type OAuthError = {
    error: OAuthErrorCode;
    /**
     * What happened and what to do next, for people. Its wording may change.
     */
    error_description: string;
};

/**
 * One of the forms of the activation page, chosen by `action`.
 */
export type ActivationForm = {
    /**
     * The form that is sent.
     */
    action: 'sign_in' | 'look_up' | 'approve' | 'refuse' | 'sign_out';
    /**
     * The value from the form. It ties the form to this browser.
     */
    form_token: string;
    /**
     * For `sign_in` - an API key of scope `*`.
     */
    api_key?: string;
    /**
     * For `look_up`, `approve` and `refuse` - the code on the screen of the client. Case, spaces and the dash do not matter.
     */
    user_code?: string;
};

/**
 * Request for the key of a device approval (RFC 8628, section 3.4).
 */
export type DeviceTokenRequest = {
    /**
     * The `device_code` of the first response.
     */
    device_code: string;
    /**
     * Sent by OAuth clients; optional.
     */
    grant_type?: 'urn:ietf:params:oauth:grant-type:device_code';
};

/**
 * The key, in the shape of RFC 6749, section 5.1.
 */
export type DeviceToken = {
    /**
     * The API key. It is returned once.
     */
    access_token: string;
    /**
     * The key is sent as a bearer token (RFC 6750).
     */
    token_type: 'Bearer';
    /**
     * Lifetime of the key in seconds, 90 days, or less if the key that approved it ends earlier.
     */
    expires_in: number;
    /**
     * The scopes of the key, separated by spaces.
     */
    scope: string;
};

/**
 * The forms of a link's pages. The password page sends `password`, the page before a file `download` or `file`. A program may send both at once.
 */
export type SharePasswordForm = {
    /**
     * The password of the link. It may be longer than it was when set, because some keyboards send a letter and its accents separately.
     */
    password?: string;
    /**
     * Opens the link. The response is the file, or the archive of a bundle.
     */
    download?: '1';
    /**
     * Opens one file of a bundle, by its number on the page, or by its address in a folder. A link to one file opens that.
     */
    file?: string;
};

/**
 * The form of the page. Each part `file` is one file, up to 1000 of them. `sender` comes before the files; other parts are
 * ignored. A filename may contain the folders above the file, as browsers send it for a chosen folder.
 *
 */
export type FileRequestForm = {
    /**
     * Who sends the files. Needed if the request has folders for senders.
     */
    sender?: string;
    /**
     * The files, each with its filename.
     */
    file: Array<Blob | File>;
};

/**
 * A file of a form, as the sender sees it. It does not say where the file was put.
 */
export type SentFile = {
    /**
     * The name as sent, with its folders, without what cannot be part of a name.
     */
    name: string;
    /**
     * Bytes of the stored file; absent if it was not stored.
     */
    size?: number;
    /**
     * SHA-256 of the stored bytes in hex; absent if the file was not stored.
     */
    sha256?: string;
    received_at?: Timestamp;
    /**
     * Why the file was not stored; absent if it was.
     */
    code?: ErrorCode;
    /**
     * The same for people.
     */
    message?: string;
};

/**
 * What became of the files of a form. At least one of them was stored.
 */
export type SentFiles = {
    /**
     * The files in the order in which they were sent. Of those beyond 1000, the first is named and not stored.
     */
    files: Array<SentFile>;
    /**
     * A signed statement about the stored files, as a compact JWS (RFC 7515): what arrived here, when, and under which name.
     * `/v1/receipts/keys` has the keys to verify it.
     *
     */
    receipt: string;
};

/**
 * The form of the password page of a file request.
 */
export type FileRequestPasswordForm = {
    /**
     * The password of the request. It may be longer than it was when set, because some keyboards send a letter and its accents separately.
     */
    password: string;
};

/**
 * A file that a sender is about to send to a file request.
 */
export type NewSentUpload = {
    /**
     * The name, with the folders above the file.
     */
    name: string;
    /**
     * Size of the whole file in bytes. Exactly as many must follow.
     */
    size: number;
    /**
     * Who sends the file. Needed by the first file of a sender, if the request has folders for senders.
     */
    sender?: string;
};

/**
 * How far a file is that a sender sends to a file request. It does not say where the file is put.
 */
export type SentUpload = {
    /**
     * Names the upload in its address. Only the sender with this cookie reaches it.
     */
    upload: string;
    /**
     * The name as sent, with its folders, without what cannot be part of a name.
     */
    name: string;
    /**
     * Bytes that the server has, durably. The next request continues there.
     */
    offset: number;
    /**
     * Size of the whole file in bytes.
     */
    size: number;
    /**
     * Whether the whole file is stored.
     */
    complete: boolean;
    /**
     * When the upload is dropped unless bytes arrive before; null when it is complete.
     */
    expires_at: Timestamp | null;
};

/**
 * The operator who calls.
 */
export type OperatorSession = {
    /**
     * Id of the session; not secret. Null for a request with a key.
     */
    id: string | null;
    key: SessionKey;
    /**
     * When the sign-in was; null for a request with a key.
     */
    created_at: Timestamp | null;
    /**
     * When the session ends, or the key if that is earlier. Null for a key that does not expire.
     */
    expires_at: Timestamp | null;
    /**
     * The value of `X-Cubby-CSRF` in all requests of this session that are not GET or HEAD. It stays the same while the
     * session lasts. Null for a request with a key.
     *
     */
    csrf_token: string | null;
};

/**
 * A sign-in of an operator.
 */
export type NewOperatorSession = {
    /**
     * The operator key (`cbo_…`).
     */
    operator_key: string;
};

/**
 * Limits of an account in the AI gateway, in place of those of its plan. A limit that is left out is the one of the plan.
 *
 */
export type AccountAiLimits = {
    /**
     * Tokens of the messages and tool definitions of a request together.
     */
    context_tokens?: number;
    /**
     * The most tokens of an answer.
     */
    output_tokens?: number;
    /**
     * Tools of a request, in every form of requests.
     */
    tools?: number;
    /**
     * Messages of a request, in every form of requests. In Open Responses, items of `input`.
     */
    messages?: number;
    /**
     * Requests at once.
     */
    concurrent?: number;
    /**
     * Seconds from the start of one request to the start of the next. 0 allows any pace.
     */
    pacing_seconds?: number;
    /**
     * Cost of a day, in the currency of the prices. Counted to a billionth. No plan has such a limit by itself.
     */
    cost_per_day?: number;
};

/**
 * An account, as operators see it.
 */
export type OperatorAccount = {
    account_id: AccountId;
    /**
     * The name of the account, for people.
     */
    name: string;
    plan: Plan;
    /**
     * `suspended`: an operator stopped it. `deleted`: it is removed from `removed_from` on, and can be restored until
     * then.
     *
     */
    state: 'active' | 'suspended' | 'deleted';
    created_at: Timestamp;
    /**
     * How many bytes it may store - its own quota, or twice what its plan includes.
     */
    quota_bytes: number;
    /**
     * Its own quota in bytes; null for the quota of its plan.
     */
    own_quota_bytes: number | null;
    /**
     * Its own budget of the AI gateway in tokens a day; null for the budget of its plan. It applies on Enterprise only.
     */
    own_ai_budget: number | null;
    /**
     * Its own limits in the AI gateway; null for those of its plan.
     */
    own_ai_limits: AccountAiLimits | null;
    /**
     * Bytes of its files.
     */
    used_bytes: number;
    /**
     * Number of its files.
     */
    used_objects: number;
    /**
     * When an operator suspended it; null if it is not suspended.
     */
    suspended_at: Timestamp | null;
    /**
     * When an operator deleted it; null if it is not deleted.
     */
    deleted_at: Timestamp | null;
    /**
     * From when on a job removes it; null if it is not deleted.
     */
    removed_from: Timestamp | null;
};

/**
 * One page of accounts.
 */
export type OperatorAccounts = {
    /**
     * The accounts of this page, oldest first.
     */
    accounts: Array<OperatorAccount>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * Name and plan of a new account.
 */
export type OperatorNewAccount = {
    /**
     * The name of the account, for people; 1 to 64 printable characters.
     */
    name: string;
    plan: Plan;
};

/**
 * A new account, with its key.
 */
export type OperatorNewAccountKey = {
    account_id: AccountId;
    /**
     * The name of the account, for people.
     */
    name: string;
    plan: Plan;
    /**
     * Id of the key; not secret.
     */
    key_id: string;
    /**
     * The secret of the key. Only this response shows it.
     */
    api_key: string;
};

/**
 * An account, with the number of its live keys.
 */
export type OperatorAccountDetails = OperatorAccount & {
    /**
     * Number of keys that are neither revoked nor expired.
     */
    live_keys: number;
};

/**
 * The limits in the AI gateway to change. A limit that is left out stays, and null restores the one of the plan. Null in
 * place of the object restores all of them.
 *
 */
export type AccountAiLimitsChange = {
    /**
     * Tokens of the messages and tool definitions of a request together.
     */
    context_tokens?: number | null;
    /**
     * The most tokens of an answer.
     */
    output_tokens?: number | null;
    /**
     * Tools of a request, in every form of requests.
     */
    tools?: number | null;
    /**
     * Messages of a request, in every form of requests. In Open Responses, items of `input`.
     */
    messages?: number | null;
    /**
     * Requests at once.
     */
    concurrent?: number | null;
    /**
     * Seconds from the start of one request to the start of the next. 0 allows any pace.
     */
    pacing_seconds?: number | null;
    /**
     * Cost of a day, in the currency of the prices. Counted to a billionth. No plan has such a limit by itself.
     */
    cost_per_day?: number | null;
} | null;

/**
 * The fields to change.
 */
export type OperatorAccountChange = {
    plan?: Plan;
    /**
     * Its own quota in bytes; null restores the quota of its plan.
     */
    own_quota_bytes?: number | null;
    /**
     * Its own budget of the AI gateway in tokens a day; null restores the budget of its plan.
     */
    own_ai_budget?: number | null;
    own_ai_limits?: AccountAiLimitsChange;
};

/**
 * A key of an account, without its secret.
 */
export type OperatorKeyOfAccount = {
    /**
     * Id of the key; not secret.
     */
    key_id: string;
    /**
     * The name of the key, for people.
     */
    name: string;
    /**
     * Whether the key works.
     */
    state: 'live' | 'expired' | 'revoked';
    scopes: ApiKeyScopes;
    /**
     * The applications to which the key is restricted; null if there is no restriction.
     */
    resources: Array<string> | null;
    /**
     * The prefixes to which the key is restricted; null if there is no restriction.
     */
    prefixes: Array<string> | null;
    /**
     * Its limits in the AI gateway; absent if it has none.
     */
    ai?: KeyAiLimits;
    created_at: Timestamp;
    /**
     * When a request last used the key; null before the first use.
     */
    last_used_at: Timestamp | null;
    /**
     * When the key expires; null means never.
     */
    expires_at: Timestamp | null;
    /**
     * When the key was revoked; null if it was not.
     */
    revoked_at: Timestamp | null;
    /**
     * The last four characters of the secret.
     */
    last4: string;
};

/**
 * The keys of an account.
 */
export type OperatorKeysOfAccount = {
    /**
     * All keys, oldest first.
     */
    keys: Array<OperatorKeyOfAccount>;
};

/**
 * Name, scopes, restrictions and lifetime of an API key.
 */
export type OperatorNewKey = NewApiKey;

/**
 * A new key, with its secret.
 */
export type OperatorNewKeyWithSecret = {
    /**
     * Id of the key; not secret.
     */
    key_id: string;
    /**
     * The secret. Only this response shows it.
     */
    api_key: string;
    scopes: ApiKeyScopes;
};

/**
 * The applications of an account.
 */
export type OperatorApps = {
    /**
     * The built-in one first, then oldest first.
     */
    apps: Array<App>;
};

/**
 * The name of a new application.
 */
export type OperatorAppName = {
    /**
     * The name of the application, for people; 1 to 64 printable characters.
     */
    name: string;
};

/**
 * A revoked key.
 */
export type OperatorRevokedKey = {
    /**
     * Id of the key.
     */
    key_id: string;
    account_id: AccountId;
    /**
     * The name of the key, for people.
     */
    name: string;
    /**
     * When it was revoked first.
     */
    revoked_at: Timestamp;
};

/**
 * The background jobs.
 */
export type OperatorJobs = {
    /**
     * In the order in which they run.
     */
    jobs: Array<{
        /**
         * Its name.
         */
        job: string;
        /**
         * Whether it waits after a jump of the clock, until an operator confirms the clock.
         */
        waits_for_clock: boolean;
        /**
         * Its last run on any server or command line; null before the first one.
         */
        last_run: {
            started_at: Timestamp;
            /**
             * Number of milliseconds that it took.
             */
            duration_ms: number;
            /**
             * Number of items that it did; null if it failed. The server's log has the error.
             */
            count: number | null;
        } | null;
    }>;
    /**
     * A jump of the clock that nobody has confirmed; null if there is none.
     */
    clock_jump: {
        noticed_at: Timestamp;
        /**
         * Number of milliseconds that the clock jumped; negative when it went back.
         */
        by_ms: number;
    } | null;
};

/**
 * The result of a job.
 */
export type OperatorJobResult = {
    /**
     * Its name.
     */
    job: string;
    /**
     * Number of items that it did; null while it goes on.
     */
    count: number | null;
};

/**
 * Whether automatic deletion waited.
 */
export type OperatorClock = {
    /**
     * Whether automatic deletion was waiting for this.
     */
    was_waiting: boolean;
};

/**
 * The configuration in force.
 */
export type OperatorConfiguration = {
    /**
     * The settings, in the order of the manual.
     */
    settings: Array<{
        /**
         * The name of its variable.
         */
        name: string;
        /**
         * Its value, for people. A secret is only said to be set.
         */
        value: string | null;
        /**
         * Whether the environment set it.
         */
        source: 'default' | 'environment';
    }>;
};

/**
 * The whole installation.
 */
export type OperatorInstallation = {
    /**
     * The version of Cubby.
     */
    version: string;
    /**
     * The version of Node.js.
     */
    node_version: string;
    /**
     * The database that holds the rows.
     */
    database: 'sqlite' | 'postgres';
    /**
     * Where larger files are.
     */
    blobs: 'folder' | 'bucket';
    /**
     * Number of accounts, with suspended and deleted ones.
     */
    accounts: number;
    /**
     * Number of files of all accounts.
     */
    used_objects: number;
    /**
     * Bytes of the files of all accounts. Copies of a file share its bytes, so the disk may hold fewer.
     */
    used_bytes: number;
    /**
     * Number of blobs whose bytes the job `reap-blobs` removes next.
     */
    blobs_to_delete: number;
    /**
     * Number of public addresses that the CDN has yet to drop.
     */
    purges_waiting: number;
    /**
     * The room on the disk of the data folder.
     */
    disk: {
        /**
         * Whether uploads are refused for lack of room.
         */
        full: boolean;
        /**
         * Free bytes at the last look.
         */
        free_bytes: number;
        /**
         * Free bytes below which uploads are refused.
         */
        min_free_bytes: number;
        /**
         * Bytes that are set aside for deletions on a full disk.
         */
        reserve_bytes: number;
    };
};

/**
 * The backups in a target.
 */
export type OperatorBackups = {
    /**
     * The folder or bucket, without secrets.
     */
    target: string;
    /**
     * The states that can be restored, oldest first.
     */
    generations: Array<{
        /**
         * Its name, for `cubby restore --generation`.
         */
        generation: string;
        taken_at: Timestamp;
        /**
         * Bytes of its database; null if the rows are in PostgreSQL, whose own tools copy them.
         */
        database_bytes: number | null;
        /**
         * The larger files.
         */
        blobs: {
            /**
             * Their number.
             */
            count: number;
            /**
             * Their bytes.
             */
            bytes: number;
        };
        /**
         * The ids of blobs that were damaged or missing in the store, so the backup lacks them.
         */
        damaged_blobs: Array<string>;
    }>;
};

/**
 * How far something is.
 */
export type OperatorProgress = {
    /**
     * Bytes that are done.
     */
    bytes: number;
    /**
     * Bytes of the whole.
     */
    total_bytes: number;
    /**
     * Files that are done; null for a step without files.
     */
    files: number | null;
    /**
     * Files of the whole; null for a step without files.
     */
    total_files: number | null;
    /**
     * Seconds that the rest takes at the speed so far; null when it has ended or has just begun.
     */
    seconds_left: number | null;
};

/**
 * The last backup to a target, running or ended.
 */
export type OperatorBackupRun = {
    /**
     * The folder or bucket, without secrets.
     */
    target: string;
    /**
     * Whether backups include the database. `false` if it is PostgreSQL: a backup then has the larger files alone. Copy the
     * database with its own tools, such as `pg_dump`, before each backup. Files of up to 16 KiB are in it.
     *
     */
    includes_rows: boolean;
    /**
     * `running`; `done`: the generation is whole; `failed`: see `error`; `lost`: its process has not been heard of for a
     * minute, so it was probably killed. The next backup goes on where it was.
     *
     */
    state: 'running' | 'done' | 'failed' | 'lost';
    started_at: Timestamp;
    /**
     * When its process last wrote these figures.
     */
    seen_at: Timestamp;
    /**
     * When it was done or failed; null before.
     */
    ended_at: Timestamp | null;
    /**
     * The step that it does or did last, in words for people.
     */
    doing: string;
    /**
     * How far this step is; null if nobody knows how much it is.
     */
    progress: OperatorProgress | null;
    /**
     * Why it failed, in words for people; null if it did not.
     */
    error: string | null;
    /**
     * The newest generation that is known to be whole; null if there is none yet.
     */
    last_generation: {
        /**
         * Its name.
         */
        generation: string;
        completed_at: Timestamp;
    } | null;
};

/**
 * The scrub, which reads every file in the background and compares it with its hash.
 */
export type OperatorScrub = {
    /**
     * In so many days it reads every file once; null if it is switched off.
     */
    days: number | null;
    /**
     * Number of contents that were damaged or missing when they were last read. Copies of a file share its content.
     */
    damaged_files: number;
    /**
     * The round through all files that goes on, or ended last; null before the first one.
     */
    round: {
        started_at: Timestamp;
        /**
         * Whether an operator started it, so that it does not wait for its days.
         */
        requested: boolean;
        /**
         * When everything was read; null before.
         */
        ended_at: Timestamp | null;
        /**
         * How far it is. The whole counts each file of each account. Copies of a file share its content, which is read
         * once, so a round may end before its total.
         *
         */
        progress: OperatorProgress;
    } | null;
};

/**
 * What keeps the installation safe over years.
 */
export type OperatorUpkeep = {
    /**
     * The last backup to each target.
     */
    backups: Array<OperatorBackupRun>;
    scrub: OperatorScrub;
};

/**
 * One page of addresses that the CDN has yet to drop.
 */
export type OperatorPurges = {
    /**
     * The purges of this page, oldest change first.
     */
    purges: Array<{
        /**
         * Its id.
         */
        purge_id: string;
        /**
         * The address, as clients see it.
         */
        url: string;
        /**
         * Number of calls of the hook with this address that failed. After 60 it is given up.
         */
        failed_tries: number;
        /**
         * When it is sent at the earliest. A call that runs has until then.
         */
        due_at: Timestamp;
    }>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * What was done.
 */
export type AuditAction = 'account.created' | 'account.plan_changed' | 'account.quota_changed' | 'account.ai_budget_changed' | 'account.ai_limits_changed' | 'account.suspended' | 'account.resumed' | 'account.deleted' | 'account.restored' | 'account.removed' | 'key.created' | 'key.regenerated' | 'key.imported' | 'key.ai_limits_changed' | 'key.revoked' | 'app.created' | 'share.created' | 'share.updated' | 'share.revoked' | 'file_request.created' | 'file_request.updated' | 'file_request.deleted' | 'session.started' | 'job.run' | 'clock.confirmed' | 'backup.started' | 'scrub.started' | 'deploys.runner_started' | 'deploy.cancelled' | 'deploy.repeated' | 'edge_log.import_started' | 'legacy.imported' | 'store.repaired' | 'store.restored' | 'store.move_started' | 'store.move_cancelled' | 'database.migrated' | 'configuration.changed' | 'master_key.accepted' | 'master_key.rotated' | 'master_key.grace_ended' | 'key_encryption_key.rotated' | 'operator_key.created' | 'operator_key.revoked';

/**
 * An entry of the audit log. Its hash is the SHA-256, in hexadecimal, of a JSON array without spaces: `previous_hash`,
 * `sequence`, the time in milliseconds since 1970, `action`, the actor's `kind`, `id` and `address`, `account_id`,
 * `subject` and `details`.
 *
 */
export type OperatorAuditEntry = {
    /**
     * Number of the entry; the first one has 1.
     */
    sequence: number;
    at: Timestamp;
    action: AuditAction;
    /**
     * Who did it.
     */
    actor: {
        /**
         * The kind of the actor. `server` is the server itself.
         */
        kind: 'operator_key' | 'command_line' | 'api_key' | 'server';
        /**
         * The id of the key, or the system user of the command line; null for the server.
         */
        id: string | null;
        /**
         * The address of the client; null without one.
         */
        address: string | null;
    };
    /**
     * The account that it is about; null for the installation.
     */
    account_id: AccountId | null;
    /**
     * The id of the key, application, job or file that it is about; null without one.
     */
    subject: string | null;
    /**
     * Further facts, by the names that clients see.
     */
    details: {
        [key: string]: unknown;
    };
    /**
     * The hash of the entry before; 64 zeros for the first one.
     */
    previous_hash: string;
    /**
     * The hash of this entry.
     */
    hash: string;
};

/**
 * One page of the audit log.
 */
export type OperatorAuditPage = {
    /**
     * The entries of this page, oldest first.
     */
    entries: Array<OperatorAuditEntry>;
    /**
     * Requests the next page; absent on the last page.
     */
    continuationToken?: string;
};

/**
 * The result of a check of the audit log.
 */
export type OperatorAuditVerdict = {
    /**
     * Whether every entry is unchanged and in its place.
     */
    ok: boolean;
    /**
     * Number of entries.
     */
    entries: number;
    /**
     * The last entry. Keep it elsewhere, and name it in `expect` of a later check.
     */
    head: {
        /**
         * Number of the last entry; 0 in an empty log.
         */
        sequence: number;
        /**
         * Its hash.
         */
        hash: string;
    };
    /**
     * The first problems, in words for people.
     */
    problems: Array<string>;
};

/**
 * The servers of the installation.
 */
export type OperatorReplicas = {
    /**
     * In the order of their start.
     */
    replicas: Array<{
        /**
         * Its id. It changes with each start, and when the server was cut off from the database.
         */
        id: string;
        /**
         * The name of its machine or container.
         */
        host: string;
        /**
         * Its version of Cubby.
         */
        version: string;
        /**
         * When it was started.
         */
        started_at: Timestamp;
        /**
         * When it last told the database that it runs.
         */
        seen_at: Timestamp;
        /**
         * The background jobs that it runs, by name.
         */
        leases: Array<{
            /**
             * The job.
             */
            job: string;
            /**
             * The account that it works on; null if it has the whole job.
             */
            account_id: string | null;
        }>;
        /**
         * Its connections to the database; null over SQLite.
         */
        pool: {
            /**
             * Number of connections that it may open.
             */
            size: number;
            /**
             * Number of connections that are in use.
             */
            in_use: number;
            /**
             * Number of statements and transactions that wait for a connection.
             */
            waiting: number;
        } | null;
        /**
         * Milliseconds of a round trip to the database; null over SQLite and before the first measurement.
         */
        round_trip_ms: number | null;
        /**
         * Milliseconds that the clock of its machine is behind that of the database; negative if it is ahead. Null over
         * SQLite and before the first measurement.
         *
         */
        clock_lag_ms: number | null;
    }>;
};

/**
 * Whether the server can serve.
 */
export type Readiness = {
    /**
     * The server can serve.
     */
    status: 'success';
    /**
     * `full` if the disk has less free space than the configured minimum. Uploads then answer `INSUFFICIENT_STORAGE`;
     * everything else works.
     *
     */
    storage: 'available' | 'full';
    /**
     * `unavailable` while the bucket that holds larger files does not work. Requests for their bytes then answer
     * `STORAGE_UNAVAILABLE` at once; small files and everything else work.
     *
     */
    large_files: 'available' | 'unavailable';
};

/**
 * What an event about a file says.
 */
export type EventFileData = {
    /**
     * The file as it is after the change, or was before it was removed.
     */
    object: {
        id: ObjectId;
        /**
         * Bytes of the file.
         */
        size: number;
        /**
         * Changes when the bytes change.
         */
        etag: string;
        /**
         * SHA-256 of the bytes in hex; null while a job computes it.
         */
        sha256: string | null;
        /**
         * The served Content-Type.
         */
        content_type: string;
        /**
         * Whether the file is private.
         */
        private: boolean;
        created_at: Timestamp;
        /**
         * When the file expires; null if it does not.
         */
        expires_at: string | null;
        /**
         * The name under which people see the file; null if it has none.
         */
        original_name: string | null;
        /**
         * The metadata of the file.
         */
        metadata: {
            [key: string]: string;
        };
    };
    /**
     * The id before a move, or a change of visibility, expiry or headers.
     */
    from?: string;
    /**
     * The id of the file that was copied.
     */
    source?: string;
    /**
     * Whether a move has replaced another file.
     */
    replaced?: boolean;
    /**
     * The fields that the update changed.
     */
    changed?: Array<string>;
    /**
     * Whether a change was undone, because the CDN could not drop the public file.
     */
    undone?: boolean;
    /**
     * The upload token that the file was uploaded with.
     */
    upload_token?: {
        /**
         * Id of the token, which is not the token itself.
         */
        id: string;
    };
    /**
     * The `callback_metadata` of that token.
     */
    callback_metadata?: {
        [key: string]: string;
    };
    /**
     * The file request through which the file came.
     */
    file_request?: {
        id: FileRequestId;
    };
    /**
     * The kind of credential, or the part of the server.
     */
    auth: 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';
};

/**
 * What an event about a chunked upload says.
 */
export type EventUploadData = {
    /**
     * The file.
     */
    object: {
        id: ObjectId;
    };
    /**
     * Bytes of the file or of the stored parts; null if the size was not announced.
     */
    size?: number | null;
    /**
     * Number of parts.
     */
    parts?: number;
    /**
     * The upload token that the upload was started with. Only when it is complete.
     */
    upload_token?: {
        /**
         * Id of the token, which is not the token itself.
         */
        id: string;
    };
    /**
     * The `callback_metadata` of that token.
     */
    callback_metadata?: {
        [key: string]: string;
    };
    /**
     * The kind of credential, or the part of the server.
     */
    auth: 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';
};

/**
 * What an event about a share link says. It does not contain the id of the link.
 */
export type EventShareData = {
    /**
     * The file. For a bundle, the folder that holds all of its files, as an id that ends in `/`.
     */
    object: {
        id: ObjectId;
    };
    /**
     * The link.
     */
    share: {
        created_at: Timestamp;
        expires_at: Timestamp;
        /**
         * Number of downloads that the link allows; null without a cap.
         */
        max_downloads: number | null;
        /**
         * Number of downloads that are left; null without a cap.
         */
        remaining_downloads: number | null;
    };
    /**
     * Why the link has ended. `file_deleted`, `file_expired`: its file was deleted, or its time was over. `file_moved`:
     * its file has another id, because it was moved or its visibility or expiry was set. `spent`: it has no downloads
     * left. It may open again, with `share.updated`, if its cap is raised.
     *
     */
    reason?: 'revoked' | 'expired' | 'spent' | 'file_deleted' | 'file_expired' | 'file_moved';
    /**
     * Present and true in `share.updated` if the link opens its file again, because the change that ended it was undone.
     *
     */
    undone?: boolean;
    /**
     * The kind of credential, or the part of the server.
     */
    auth?: 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';
};

/**
 * What an event about a file request says. It does not contain the address of the page.
 */
export type EventFileRequestData = {
    /**
     * The request as it is after the change.
     */
    file_request: {
        id: FileRequestId;
        /**
         * The heading of its page.
         */
        title: string;
        /**
         * The folder that files are put into.
         */
        prefix: string;
        state: FileRequestState;
        /**
         * Number of files that have arrived.
         */
        files: number;
        /**
         * Bytes that have arrived.
         */
        bytes: number;
        /**
         * Number of senders.
         */
        senders: number;
        /**
         * Number of files that it takes in all; null means no limit.
         */
        max_files: number | null;
        /**
         * Bytes that it takes in all; null means no limit.
         */
        max_bytes: number | null;
        /**
         * Its deadline; null without one.
         */
        deadline: string | null;
    };
    /**
     * The file that has arrived.
     */
    object?: {
        id: ObjectId;
        /**
         * Bytes of the file.
         */
        size: number;
        /**
         * SHA-256 of the bytes in hex; null while a job computes it.
         */
        sha256: string | null;
    };
    /**
     * Who sent it.
     */
    sender?: {
        /**
         * The name that the sender gave; null if none was asked for.
         */
        name: string | null;
        /**
         * The folder of the sender, below the prefix; null without one.
         */
        folder: string | null;
    };
    /**
     * The name as sent, with its folders.
     */
    name?: string;
    /**
     * Why the request has ended.
     */
    reason?: 'closed' | 'expired' | 'deleted';
    /**
     * The kind of credential, or the part of the server.
     */
    auth?: 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';
};

/**
 * What an event about an upload token says.
 */
export type EventTokenData = {
    /**
     * The token.
     */
    upload_token: {
        /**
         * Id of the token, which is not the token itself.
         */
        id: string;
        /**
         * Id of the key that created it.
         */
        key_id: string;
        /**
         * Number of uploads that it allowed.
         */
        max_uses: number;
        expires_at: Timestamp;
    };
};

/**
 * What an event about the quota says.
 */
export type EventQuotaData = {
    /**
     * The reached number of percent.
     */
    percent: 80 | 95 | 100;
    /**
     * Bytes of all files.
     */
    used_bytes: number;
    /**
     * Bytes that the account may store.
     */
    quota_bytes: number;
};

/**
 * What an event about a budget of the AI gateway says. It comes when charges reach 80 percent of the limit, and when they
 * reach the limit or the first request is refused because it does not fit. A charge that reaches both tells of the limit
 * alone. A limit that the operator changes, and that is reached again, has further events.
 *
 */
export type EventBudgetData = {
    /**
     * The reached number of percent. 100 also for a request that was refused before.
     */
    percent: 80 | 100;
    /**
     * The budget, as `GET /v2/ai/usage` shows it: tokens of a day, tokens of a week, the fair use of a day, for which a
     * token of output counts four times, or the cost of a day.
     *
     */
    budget: 'daily_tokens' | 'weekly_tokens' | 'daily_spend' | 'daily_cost';
    /**
     * Tokens that the period allows, or the cost in the currency of the operator's prices.
     */
    limit: number;
    /**
     * Tokens or cost that were charged so far. Fewer than the limit if the request that was refused would have exceeded it.
     *
     */
    used: number;
    starts_at: Timestamp;
    resets_at: Timestamp;
};

/**
 * What an event about an API key says.
 */
export type EventKeyData = {
    /**
     * The key, without its secret.
     */
    key: {
        /**
         * Id of the key.
         */
        id: string;
        /**
         * Name of the key.
         */
        name: string;
    };
    /**
     * Whether the key has got a new secret.
     */
    regenerated?: boolean;
    /**
     * The kind of credential, or the part of the server.
     */
    auth: 'api_key' | 'upload_token' | 's3' | 'rule' | 'system';
};

/**
 * What an event about a deploy says.
 */
export type EventDeployData = {
    /**
     * The deploy.
     */
    deploy: {
        /**
         * Id of the deploy.
         */
        id: string;
        app_id: AppId;
        /**
         * Its state.
         */
        state: 'pending' | 'running' | 'success' | 'error' | 'superseded' | 'cancelled';
        /**
         * The branch.
         */
        branch: string;
        /**
         * The commit, in hex.
         */
        commit: string;
        /**
         * The first line of its message; null while it is unknown.
         */
        message: string | null;
        /**
         * Number of runs so far.
         */
        tries: number;
    };
};

/**
 * What an event about a push says.
 */
export type EventPushData = {
    /**
     * The push.
     */
    push: {
        app_id: AppId;
        /**
         * The branch.
         */
        branch: string;
        /**
         * The commit, in hex.
         */
        commit: string;
        /**
         * The first line of its message; null if the push did not contain it.
         */
        message: string | null;
        /**
         * Whether the filters do not take the branch, or none of the changed files (`paths`).
         */
        reason: 'branch' | 'paths';
    };
};

/**
 * What a test event says.
 */
export type EventTestData = {
    /**
     * Id of the webhook that it is for.
     */
    webhook: string;
};

/**
 * The `continuationToken` of the previous page.
 */
export type Cursor = string;

/**
 * The other name of `cursor`; send one of the two.
 */
export type ContinuationToken = string;

/**
 * The file's name without extension. Required unless an upload token pins it.
 */
export type UploadName = ObjectName;

/**
 * The folder of the file. An empty one means none.
 */
export type UploadPrefix = ObjectPrefixOrNone;

/**
 * Whether the file is private. Default - the prefix rule's value, else public.
 */
export type UploadPrivate = boolean;

/**
 * Adds a random hash to the stored name. Private files always have it.
 */
export type UploadSecurityHash = boolean;

/**
 * Days (`30` or `30d`) or hours (`6h`), from 1 hour to 1825 days, or `never`. Below 7 days needs Enterprise.
 */
export type UploadExpire = string;

/**
 * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
 */
export type UploadOverwrite = boolean;

/**
 * Whether a browser shows or saves the file.
 */
export type UploadDisposition = Disposition;

/**
 * The earlier form of `disposition=attachment`. `disposition` takes precedence if both are sent.
 */
export type UploadAutoDownload = boolean;

/**
 * Cache-Control of the served file.
 */
export type UploadCacheControl = CacheControl;

/**
 * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes, without control characters.
 */
export type UploadMetadata = string;

/**
 * SHA-256 of the bytes. If the received bytes have another one, nothing is stored.
 */
export type UploadChecksum = Sha256;

/**
 * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
 */
export type WriteIfMatch = string;

/**
 * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
 */
export type WriteIfNoneMatch = string;

/**
 * Id of the file.
 */
export type ObjectId2 = ObjectId;

/**
 * The `upload` string from the start of the upload.
 */
export type ChunkedUpload = ChunkedUploadHandle;

/**
 * Answers 400 and changes nothing, because this request cannot keep a condition.
 */
export type RefusedIfMatch = string;

/**
 * Answers 400 and changes nothing, because this request cannot keep a condition.
 */
export type RefusedIfNoneMatch = string;

/**
 * The version of tus, always `1.0.0`. A request with this header speaks tus. One without it speaks the IETF draft.
 */
export type TusResumable = string;

/**
 * Size of the whole file in bytes.
 */
export type UploadLength = string;

/**
 * `1`: the size follows later, in the `Upload-Length` of a `PATCH`. Only tus.
 */
export type UploadDeferLength = string;

/**
 * Pairs of a key and a value in base64, separated by commas. Keys with the name of a parameter of the query mean the same. Only tus.
 */
export type UploadMetadataHeader = string;

/**
 * `partial`, or `final;` and the addresses of partial uploads, separated by spaces. Only tus.
 */
export type UploadConcat = string;

/**
 * Algorithm (`sha1`, `sha256`, `sha512` or `md5`), a space, and the checksum of this body in base64. Only tus.
 */
export type UploadChecksumOfBody = string;

/**
 * `?1`: the file ends with this request. `?0`: more follows. Only the IETF draft.
 */
export type UploadComplete = string;

/**
 * The version of the IETF draft. Interim responses (104) are sent only for `8`.
 */
export type UploadDraftInteropVersion = string;

/**
 * The `upload` string, as in `Location` of the start or in a chunked upload.
 */
export type UploadPath = string;

/**
 * Where the bytes of this request begin: what the upload has so far.
 */
export type UploadOffset = string;

/**
 * Id of the job.
 */
export type FolderJobId = string;

/**
 * Id of the key.
 */
export type KeyId = string;

/**
 * Id of the session.
 */
export type SessionId = string;

/**
 * The `cursor` of the previous page, or `latest`.
 */
export type EventCursor = string;

/**
 * The `id` of the event.
 */
export type EventId = string;

/**
 * Id of the webhook.
 */
export type WebhookId = string;

/**
 * With a cache of answers, `no-cache` asks the model and keeps its answer, and `no-store` asks the model and keeps nothing. Other
 * directives have no effect.
 *
 */
export type AiCacheControl = string;

/**
 * Clients of the Messages API send it, with any value. They get the form of that API, also for errors.
 */
export type AnthropicVersion = string;

/**
 * Id of the application.
 */
export type AppId2 = AppId;

/**
 * Id of the deploy.
 */
export type DeploymentId = string;

/**
 * The largest width of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
 */
export type ImageWidth = number;

/**
 * The largest height of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
 */
export type ImageHeight = number;

/**
 * Whether the whole image fits into width and height (`contain`, without this parameter too), or fills both and is cut around its centre (`cover`).
 */
export type ImageFit = 'contain' | 'cover';

/**
 * Quality of JPEG, WebP and AVIF, from 1 to 100. Without it 80, and 50 for AVIF. PNG has none.
 */
export type ImageQuality = number;

/**
 * The format of the variant. `auto`, or none, is the smallest one that `Accept` names (AVIF, WebP), or else the file's own if it is JPEG or PNG.
 */
export type ImageFormat = 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';

/**
 * The name of a preset, in place of `w`, `h`, `fit`, `q` and `f`.
 */
export type ImagePreset2 = string;

/**
 * The signature of a variant that no preset names, as `sign()` of the client makes it.
 */
export type ImageSignature = string;

/**
 * One byte range.
 */
export type Range = string;

/**
 * Answers 412 unless the file has this ETag.
 */
export type IfMatch = string;

/**
 * Answers 412 when the file was written since.
 */
export type IfUnmodifiedSince = string;

/**
 * Answers 304 when the file still has this ETag.
 */
export type IfNoneMatch = string;

/**
 * Answers 304 when the file was not written since.
 */
export type IfModifiedSince = string;

/**
 * The range is served only while the file has this ETag or date.
 */
export type IfRange = string;

/**
 * Id of the share link.
 */
export type ShareId2 = string;

/**
 * Returns one file of a bundle, by the address on the page. Ignored for a link to one file.
 */
export type BundleFile = string;

/**
 * The page of a bundle with more than 500 files. Other values show the first.
 */
export type BundlePage = '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '10' | '11' | '12' | '13' | '14' | '15' | '16' | '17' | '18' | '19' | '20';

/**
 * The secret part of the address of a file request.
 */
export type RequestToken = string;

/**
 * Id of the account.
 */
export type AccountId2 = string;

export type DeleteObjectsData = {
    body: DeleteRequest;
    headers?: {
        /**
         * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
         */
        'If-Match'?: string;
        /**
         * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
         */
        'If-None-Match'?: string;
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
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_OBJECT' | 'TOO_MANY_OBJECTS' | 'INVALID_KEEP_DELETED' | 'DELETE_FAILED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'CONDITION_NOT_MET';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type DeleteObjectsError = DeleteObjectsErrors[keyof DeleteObjectsErrors];

export type DeleteObjectsResponses = {
    /**
     * The file is deleted. For several files, and with `keep_deleted_days`, the report.
     */
    200: {
        /**
         * Says that it is done.
         */
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
         * Lists only keys that begin with this. It may be any leading part of a key; up to 1024 bytes of UTF-8 without NUL.
         */
        prefix?: string;
        /**
         * Lists only private files (`true`) or only public ones (`false`).
         */
        private?: boolean;
        /**
         * Groups deeper keys into `folders`.
         */
        delimiter?: '/';
        /**
         * Maximum number of entries on a page.
         */
        limit?: number;
        /**
         * The order of the files. A change gives a file a new `created_at`, so `updated` is the same as `created`. Default - `name`.
         */
        sort?: 'name' | 'size' | 'created' | 'updated';
        /**
         * From the first, smallest or oldest file (`asc`), or from the last, largest or newest one (`desc`). Default - `asc`.
         */
        order?: 'asc' | 'desc';
        /**
         * Lists only files of this kind, by the extension of their key.
         */
        kind?: 'image' | 'audio' | 'video' | 'pdf' | 'text' | 'document' | 'sheet' | 'slides' | 'archive' | 'other';
        /**
         * Lists only files of at least this many bytes.
         */
        min_size?: number;
        /**
         * Lists only files of at most this many bytes.
         */
        max_size?: number;
        /**
         * Lists only files with a `created_at` at this instant or later.
         */
        created_from?: string;
        /**
         * Lists only files with a `created_at` before this instant.
         */
        created_before?: string;
        /**
         * Lists only files whose metadata has these values, as one JSON object.
         */
        metadata?: string;
        /**
         * Details that each file has besides, with commas between them.
         */
        fields?: string;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
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
        code?: 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_DELIMITER' | 'INVALID_LIMIT' | 'INVALID_SORT' | 'INVALID_ORDER' | 'INVALID_KIND' | 'INVALID_SIZE_RANGE' | 'INVALID_DATE_RANGE' | 'INVALID_OBJECT_METADATA' | 'INVALID_FIELDS' | 'INVALID_CONTINUATION_TOKEN' | 'PREFIX_REQUIRED' | 'LIST_FAILED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListObjectsError = ListObjectsErrors[keyof ListObjectsErrors];

export type ListObjectsResponses = {
    /**
     * ListObjectsSuccess
     *
     * One page of files.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ObjectPage;
    };
};

export type ListObjectsResponse = ListObjectsResponses[keyof ListObjectsResponses];

export type UpdateObjectsData = {
    body: UpdateRequest;
    headers?: {
        /**
         * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
         */
        'If-Match'?: string;
        /**
         * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/objects';
};

export type UpdateObjectsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_OBJECT' | 'TOO_MANY_OBJECTS' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_OBJECT_METADATA' | 'INVALID_FILENAME' | 'NOTHING_TO_UPDATE' | 'BLOCKED_FILE_TYPE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'CONDITION_NOT_MET';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type UpdateObjectsError = UpdateObjectsErrors[keyof UpdateObjectsErrors];

export type UpdateObjectsResponses = {
    /**
     * UpdateObjectsSuccess
     *
     * One result for each file, in the order of the request.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: UpdateReport;
    };
};

export type UpdateObjectsResponse = UpdateObjectsResponses[keyof UpdateObjectsResponses];

export type UploadObjectData = {
    body: FileUpload;
    headers?: {
        /**
         * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
         */
        'If-Match'?: string;
        /**
         * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        /**
         * The file's name without extension. Required unless an upload token pins it.
         */
        name?: ObjectName;
        /**
         * The folder of the file. An empty one means none.
         */
        prefix?: ObjectPrefixOrNone;
        /**
         * Whether the file is private. Default - the prefix rule's value, else public.
         */
        private?: boolean;
        /**
         * Adds a random hash to the stored name. Private files always have it.
         */
        security_hash?: boolean;
        /**
         * Days (`30` or `30d`) or hours (`6h`), from 1 hour to 1825 days, or `never`. Below 7 days needs Enterprise.
         */
        expire?: string;
        /**
         * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
         */
        overwrite?: boolean;
        /**
         * Whether a browser shows or saves the file.
         */
        disposition?: Disposition;
        /**
         * The earlier form of `disposition=attachment`. `disposition` takes precedence if both are sent.
         */
        auto_download?: boolean;
        /**
         * Cache-Control of the served file.
         */
        cache_control?: CacheControl;
        /**
         * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes, without control characters.
         */
        metadata?: string;
        /**
         * SHA-256 of the bytes. If the received bytes have another one, nothing is stored.
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
        code?: 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_CHECKSUM' | 'INVALID_CONDITION' | 'INVALID_FILE' | 'INVALID_FILE_TYPE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'FILE_TOO_SMALL' | 'CHECKSUM_MISMATCH';
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
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'UPGRADE_REQUIRED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'INVALID_CONTENT_TYPE' | 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'CONDITION_NOT_MET';
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type UploadObjectError = UploadObjectErrors[keyof UploadObjectErrors];

export type UploadObjectResponses = {
    /**
     * UploadObjectSuccess
     *
     * The file is stored.
     */
    200: {
        /**
         * Says that it is done.
         */
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
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetObjectInfoError = GetObjectInfoErrors[keyof GetObjectInfoErrors];

export type GetObjectInfoResponses = {
    /**
     * GetObjectInfoSuccess
     *
     * The file's details.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ObjectInfo;
    };
};

export type GetObjectInfoResponse = GetObjectInfoResponses[keyof GetObjectInfoResponses];

export type CopyObjectData = {
    body: CopyRequest;
    headers?: {
        /**
         * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
         */
        'If-Match'?: string;
        /**
         * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/objects/copy';
};

export type CopyObjectErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_OBJECT' | 'INVALID_DESTINATION' | 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_MOVE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_SECURITY_HASH' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'SAME_OBJECT';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'CONDITION_NOT_MET';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE' | 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'COPY_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'PRIVATE_STORAGE_UNAVAILABLE' | 'PUBLIC_STORAGE_UNAVAILABLE' | 'VISIBILITY_CHANGE_FAILED' | 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CopyObjectError = CopyObjectErrors[keyof CopyObjectErrors];

export type CopyObjectResponses = {
    /**
     * CopyObjectSuccess
     *
     * The copy is stored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CopiedObject;
    };
};

export type CopyObjectResponse = CopyObjectResponses[keyof CopyObjectResponses];

export type GetDownloadLinkData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Id of the file.
         */
        object: ObjectId;
        /**
         * Lifetime of a temporary link, in seconds.
         */
        expires?: number;
        /**
         * Whether the response redirects to the address (`true`) or returns it in JSON (`false`).
         */
        redirect?: boolean;
        /**
         * Whether a browser shows or saves the file. Always gives a temporary link.
         */
        disposition?: Disposition;
        /**
         * The name under which the file is saved, up to 255 characters. Control characters and path parts are removed. A name of a program is refused for any file that is none. Implies `disposition=attachment` unless that is sent too. Always gives a temporary link.
         */
        filename?: string;
    };
    url: '/v1/objects/download';
};

export type GetDownloadLinkErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT' | 'INVALID_DOWNLOAD_EXPIRES' | 'INVALID_REDIRECT' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_FILENAME' | 'BLOCKED_FILE_TYPE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetDownloadLinkError = GetDownloadLinkErrors[keyof GetDownloadLinkErrors];

export type GetDownloadLinkResponses = {
    /**
     * GetDownloadLinkSuccess
     *
     * The address, with `redirect=false`.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DownloadLink;
    };
};

export type GetDownloadLinkResponse = GetDownloadLinkResponses[keyof GetDownloadLinkResponses];

export type AbortChunkedUploadData = {
    body: ChunkedUploadReference;
    path?: never;
    query?: never;
    url: '/v1/objects/chunked';
};

export type AbortChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_UPLOAD_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type AbortChunkedUploadError = AbortChunkedUploadErrors[keyof AbortChunkedUploadErrors];

export type AbortChunkedUploadResponses = {
    /**
     * The upload is aborted.
     */
    200: Success;
};

export type AbortChunkedUploadResponse = AbortChunkedUploadResponses[keyof AbortChunkedUploadResponses];

export type GetChunkedUploadData = {
    body?: never;
    path?: never;
    query: {
        /**
         * The `upload` string from the start of the upload.
         */
        upload: ChunkedUploadHandle;
    };
    url: '/v1/objects/chunked';
};

export type GetChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_UPLOAD_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetChunkedUploadError = GetChunkedUploadErrors[keyof GetChunkedUploadErrors];

export type GetChunkedUploadResponses = {
    /**
     * GetChunkedUploadSuccess
     *
     * The upload is open.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ChunkedUploadStatus;
    };
};

export type GetChunkedUploadResponse = GetChunkedUploadResponses[keyof GetChunkedUploadResponses];

export type CompleteChunkedUploadData = {
    body: ChunkedUploadCompletion;
    headers?: {
        /**
         * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
         */
        'If-Match'?: string;
        /**
         * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/objects/chunked';
};

export type CompleteChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_UPLOAD_TOKEN' | 'INVALID_CHECKSUM' | 'INVALID_CHUNK_PART' | 'CHUNK_TOO_SMALL' | 'NO_CHUNKS_UPLOADED' | 'CHECKSUM_MISMATCH' | 'FILE_TOO_SMALL';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'OBJECT_ALREADY_EXISTS' | 'SIZE_MISMATCH';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'CONDITION_NOT_MET';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CompleteChunkedUploadError = CompleteChunkedUploadErrors[keyof CompleteChunkedUploadErrors];

export type CompleteChunkedUploadResponses = {
    /**
     * CompleteChunkedUploadSuccess
     *
     * The file exists.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CompletedChunkedUpload;
    };
};

export type CompleteChunkedUploadResponse = CompleteChunkedUploadResponses[keyof CompleteChunkedUploadResponses];

export type StartChunkedUploadData = {
    body?: never;
    headers?: {
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        /**
         * The file's name without extension. Required unless an upload token pins it.
         */
        name?: ObjectName;
        /**
         * The folder of the file. An empty one means none.
         */
        prefix?: ObjectPrefixOrNone;
        /**
         * Whether the file is private. Default - the prefix rule's value, else public.
         */
        private?: boolean;
        /**
         * Adds a random hash to the stored name. Private files always have it.
         */
        security_hash?: boolean;
        /**
         * Days (`30` or `30d`) or hours (`6h`), from 1 hour to 1825 days, or `never`. Below 7 days needs Enterprise.
         */
        expire?: string;
        /**
         * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
         */
        overwrite?: boolean;
        /**
         * Whether a browser shows or saves the file.
         */
        disposition?: Disposition;
        /**
         * The earlier form of `disposition=attachment`. `disposition` takes precedence if both are sent.
         */
        auto_download?: boolean;
        /**
         * Cache-Control of the served file.
         */
        cache_control?: CacheControl;
        /**
         * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes, without control characters.
         */
        metadata?: string;
        /**
         * The file's original name. It chooses the extension, and the file's details show it.
         */
        filename?: string;
        /**
         * The file's MIME type. It chooses the extension if `filename` has none.
         */
        mime_type?: string;
        /**
         * Size of the whole file in bytes, if known. The parts must add up to exactly this size at completion.
         */
        size?: number;
    };
    url: '/v1/objects/chunked';
};

export type StartChunkedUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_FILE_TYPE' | 'FILE_TOO_SMALL' | 'INVALID_SIZE' | 'INVALID_CONDITION' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED';
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
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'UPGRADE_REQUIRED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
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
        code?: 'TOO_MANY_OPEN_UPLOADS' | 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type StartChunkedUploadError = StartChunkedUploadErrors[keyof StartChunkedUploadErrors];

export type StartChunkedUploadResponses = {
    /**
     * StartChunkedUploadSuccess
     *
     * The upload is open.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: StartedChunkedUpload;
    };
};

export type StartChunkedUploadResponse = StartChunkedUploadResponses[keyof StartChunkedUploadResponses];

export type PutChunkedPartData = {
    /**
     * The bytes of the part.
     */
    body: Blob | File;
    headers?: {
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query: {
        /**
         * The `upload` string from the start of the upload.
         */
        upload: ChunkedUploadHandle;
        /**
         * The part's number.
         */
        part: number;
        /**
         * SHA-256 of the bytes. If the received bytes have another one, nothing is stored.
         */
        checksum_sha256?: Sha256;
    };
    url: '/v1/objects/chunked';
};

export type PutChunkedPartErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_UPLOAD_TOKEN' | 'INVALID_CHUNK_PART' | 'INVALID_CHECKSUM' | 'INVALID_CONDITION' | 'EMPTY_CHUNK' | 'CHECKSUM_MISMATCH';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'CHUNK_TOO_LARGE' | 'FILE_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_CHUNKS';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type PutChunkedPartError = PutChunkedPartErrors[keyof PutChunkedPartErrors];

export type PutChunkedPartResponses = {
    /**
     * PutChunkedPartSuccess
     *
     * The part is stored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ChunkedPart;
    };
};

export type PutChunkedPartResponse = PutChunkedPartResponses[keyof PutChunkedPartResponses];

export type ListChunkedUploadsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/objects/chunked/open';
};

export type ListChunkedUploadsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListChunkedUploadsError = ListChunkedUploadsErrors[keyof ListChunkedUploadsErrors];

export type ListChunkedUploadsResponses = {
    /**
     * ListChunkedUploadsSuccess
     *
     * The open uploads.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OpenChunkedUploads;
    };
};

export type ListChunkedUploadsResponse = ListChunkedUploadsResponses[keyof ListChunkedUploadsResponses];

export type StartUploadData = {
    /**
     * Bytes of the file.
     */
    body?: Blob | File;
    headers?: {
        /**
         * The version of tus, always `1.0.0`. A request with this header speaks tus. One without it speaks the IETF draft.
         */
        'Tus-Resumable'?: string;
        /**
         * Size of the whole file in bytes.
         */
        'Upload-Length'?: string;
        /**
         * `1`: the size follows later, in the `Upload-Length` of a `PATCH`. Only tus.
         */
        'Upload-Defer-Length'?: string;
        /**
         * Pairs of a key and a value in base64, separated by commas. Keys with the name of a parameter of the query mean the same. Only tus.
         */
        'Upload-Metadata'?: string;
        /**
         * `partial`, or `final;` and the addresses of partial uploads, separated by spaces. Only tus.
         */
        'Upload-Concat'?: string;
        /**
         * Algorithm (`sha1`, `sha256`, `sha512` or `md5`), a space, and the checksum of this body in base64. Only tus.
         */
        'Upload-Checksum'?: string;
        /**
         * `?1`: the file ends with this request. `?0`: more follows. Only the IETF draft.
         */
        'Upload-Complete'?: string;
        /**
         * The version of the IETF draft. Interim responses (104) are sent only for `8`.
         */
        'Upload-Draft-Interop-Version'?: string;
        /**
         * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
         */
        'If-Match'?: string;
        /**
         * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: {
        /**
         * The file's name without extension. Required unless an upload token pins it.
         */
        name?: ObjectName;
        /**
         * The folder of the file. An empty one means none.
         */
        prefix?: ObjectPrefixOrNone;
        /**
         * Whether the file is private. Default - the prefix rule's value, else public.
         */
        private?: boolean;
        /**
         * Adds a random hash to the stored name. Private files always have it.
         */
        security_hash?: boolean;
        /**
         * Days (`30` or `30d`) or hours (`6h`), from 1 hour to 1825 days, or `never`. Below 7 days needs Enterprise.
         */
        expire?: string;
        /**
         * Whether a file of the same name is replaced; `false` answers 409 instead. Default true.
         */
        overwrite?: boolean;
        /**
         * Whether a browser shows or saves the file.
         */
        disposition?: Disposition;
        /**
         * The earlier form of `disposition=attachment`. `disposition` takes precedence if both are sent.
         */
        auto_download?: boolean;
        /**
         * Cache-Control of the served file.
         */
        cache_control?: CacheControl;
        /**
         * One JSON object of string values (Pro and Enterprise); up to 5 keys and 512 bytes, without control characters.
         */
        metadata?: string;
        /**
         * The file's original name. It chooses the extension, and the file's details show it.
         */
        filename?: string;
        /**
         * The file's MIME type. It chooses the extension if `filename` has none.
         */
        mime_type?: string;
    };
    url: '/v1/uploads';
};

export type StartUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_DISPOSITION' | 'INVALID_STORAGE_AUTO_DOWNLOAD' | 'INVALID_OBJECT_CACHE_CONTROL' | 'INVALID_OBJECT_METADATA' | 'INVALID_FILE_TYPE' | 'INVALID_UPLOAD_HEADER' | 'INVALID_CONDITION' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'FILE_TOO_SMALL';
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
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'UPGRADE_REQUIRED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'SIZE_MISMATCH' | 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'UNSUPPORTED_TUS_VERSION' | 'CONDITION_NOT_MET';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE' | 'CHUNK_TOO_LARGE';
    };
    /**
     * The content has a type that is not taken here.
     */
    415: Error & {
        code?: 'UNSUPPORTED_UPLOAD_TYPE';
    };
    /**
     * Another request has it at the moment.
     */
    423: Error & {
        code?: 'UPLOAD_BUSY';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'TOO_MANY_OPEN_UPLOADS' | 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_UPLOADS';
    };
    /**
     * The bytes have another checksum than announced.
     */
    460: Error & {
        code?: 'UPLOAD_CHECKSUM_MISMATCH';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type StartUploadError = StartUploadErrors[keyof StartUploadErrors];

export type StartUploadResponses = {
    /**
     * StartUploadSuccess
     *
     * The file exists. Only the IETF draft.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CompletedChunkedUpload;
    };
    /**
     * The upload is open, or the file exists already because all of its bytes have come.
     */
    201: unknown;
};

export type StartUploadResponse = StartUploadResponses[keyof StartUploadResponses];

export type DeleteUploadData = {
    body?: never;
    headers?: {
        /**
         * The version of tus, always `1.0.0`. A request with this header speaks tus. One without it speaks the IETF draft.
         */
        'Tus-Resumable'?: string;
    };
    path: {
        /**
         * The `upload` string, as in `Location` of the start or in a chunked upload.
         */
        upload: string;
    };
    query?: never;
    url: '/v1/uploads/{upload}';
};

export type DeleteUploadErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'UNSUPPORTED_TUS_VERSION';
    };
    /**
     * Another request has it at the moment.
     */
    423: Error & {
        code?: 'UPLOAD_BUSY';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type DeleteUploadError = DeleteUploadErrors[keyof DeleteUploadErrors];

export type DeleteUploadResponses = {
    /**
     * The upload is ended.
     */
    204: void;
};

export type DeleteUploadResponse = DeleteUploadResponses[keyof DeleteUploadResponses];

export type GetUploadData = {
    body?: never;
    headers?: {
        /**
         * The version of tus, always `1.0.0`. A request with this header speaks tus. One without it speaks the IETF draft.
         */
        'Tus-Resumable'?: string;
    };
    path: {
        /**
         * The `upload` string, as in `Location` of the start or in a chunked upload.
         */
        upload: string;
    };
    query?: never;
    url: '/v1/uploads/{upload}';
};

export type GetUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'FILE_TOO_SMALL';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'UNSUPPORTED_TUS_VERSION' | 'CONDITION_NOT_MET';
    };
    /**
     * Another request has it at the moment.
     */
    423: Error & {
        code?: 'UPLOAD_BUSY';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetUploadError = GetUploadErrors[keyof GetUploadErrors];

export type GetUploadResponses = {
    /**
     * GetUploadSuccess
     *
     * The upload is open, or completed.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: UploadState;
    };
};

export type GetUploadResponse = GetUploadResponses[keyof GetUploadResponses];

export type PutUploadBytesData = {
    /**
     * Bytes of the file.
     */
    body?: Blob | File;
    headers?: {
        /**
         * The version of tus, always `1.0.0`. A request with this header speaks tus. One without it speaks the IETF draft.
         */
        'Tus-Resumable'?: string;
        /**
         * Where the bytes of this request begin: what the upload has so far.
         */
        'Upload-Offset'?: string;
        /**
         * Size of the whole file in bytes.
         */
        'Upload-Length'?: string;
        /**
         * Algorithm (`sha1`, `sha256`, `sha512` or `md5`), a space, and the checksum of this body in base64. Only tus.
         */
        'Upload-Checksum'?: string;
        /**
         * `?1`: the file ends with this request. `?0`: more follows. Only the IETF draft.
         */
        'Upload-Complete'?: string;
        /**
         * The version of the IETF draft. Interim responses (104) are sent only for `8`.
         */
        'Upload-Draft-Interop-Version'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * The `upload` string, as in `Location` of the start or in a chunked upload.
         */
        upload: string;
    };
    query?: never;
    url: '/v1/uploads/{upload}';
};

export type PutUploadBytesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_UPLOAD_HEADER' | 'INVALID_CONDITION' | 'FILE_TOO_SMALL';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'STORAGE_QUOTA_EXCEEDED' | 'PREFIX_NOT_ALLOWED' | 'UPLOAD_IS_FINAL' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'ORIGIN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'UPLOAD_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'UPLOAD_OFFSET_MISMATCH' | 'SIZE_MISMATCH' | 'UPLOAD_COMPLETED' | 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'UNSUPPORTED_TUS_VERSION' | 'CONDITION_NOT_MET';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE' | 'CHUNK_TOO_LARGE';
    };
    /**
     * The content has a type that is not taken here.
     */
    415: Error & {
        code?: 'UNSUPPORTED_UPLOAD_TYPE';
    };
    /**
     * Another request has it at the moment.
     */
    423: Error & {
        code?: 'UPLOAD_BUSY';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED' | 'TOO_MANY_CONCURRENT_UPLOADS';
    };
    /**
     * The bytes have another checksum than announced.
     */
    460: Error & {
        code?: 'UPLOAD_CHECKSUM_MISMATCH';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type PutUploadBytesError = PutUploadBytesErrors[keyof PutUploadBytesErrors];

export type PutUploadBytesResponses = {
    /**
     * PutUploadBytesSuccess
     *
     * The file exists. Only the IETF draft.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CompletedChunkedUpload;
    };
    /**
     * The bytes are stored. In tus the file exists if they were the last ones.
     */
    204: void;
};

export type PutUploadBytesResponse = PutUploadBytesResponses[keyof PutUploadBytesResponses];

export type DeleteTrashData = {
    body: PurgeRequest;
    headers?: {
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/trash';
};

export type DeleteTrashErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_VERSION' | 'TOO_MANY_VERSIONS' | 'PURGE_FAILED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'VERSION_KEPT' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'VERSION_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type DeleteTrashError = DeleteTrashErrors[keyof DeleteTrashErrors];

export type DeleteTrashResponses = {
    /**
     * DeleteTrashSuccess
     *
     * What was purged.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: PurgeReport;
    };
};

export type DeleteTrashResponse = DeleteTrashResponses[keyof DeleteTrashResponses];

export type ListTrashData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Lists only keys that begin with this. It may be any leading part of a key; up to 1024 bytes of UTF-8 without NUL.
         */
        prefix?: string;
        /**
         * Maximum number of entries on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/trash';
};

export type ListTrashErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT_PREFIX' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN' | 'PREFIX_REQUIRED' | 'LIST_FAILED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListTrashError = ListTrashErrors[keyof ListTrashErrors];

export type ListTrashResponses = {
    /**
     * ListTrashSuccess
     *
     * One page of kept versions.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: TrashPage;
    };
};

export type ListTrashResponse = ListTrashResponses[keyof ListTrashResponses];

export type RestoreTrashData = {
    body: RestoreRequest;
    headers?: {
        /**
         * Answers 412 and changes nothing unless the file that is there has one of these ETags. `*` takes any file.
         */
        'If-Match'?: string;
        /**
         * With `*` the file is only created, and 412 is answered when one is there. With ETags, when it has one of them.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/trash/restore';
};

export type RestoreTrashErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_VERSION' | 'TOO_MANY_VERSIONS' | 'INVALID_OVERWRITE' | 'RESTORE_FAILED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'VERSION_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'OBJECT_ALREADY_EXISTS';
    };
    /**
     * A condition of the request does not hold.
     */
    412: Error & {
        code?: 'CONDITION_NOT_MET';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type RestoreTrashError = RestoreTrashErrors[keyof RestoreTrashErrors];

export type RestoreTrashResponses = {
    /**
     * RestoreTrashSuccess
     *
     * What was restored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: RestoreReport;
    };
};

export type RestoreTrashResponse = RestoreTrashResponses[keyof RestoreTrashResponses];

export type ListFolderJobsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/folders/jobs';
};

export type ListFolderJobsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListFolderJobsError = ListFolderJobsErrors[keyof ListFolderJobsErrors];

export type ListFolderJobsResponses = {
    /**
     * ListFolderJobsSuccess
     *
     * The jobs, without their failures.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: FolderJobs;
    };
};

export type ListFolderJobsResponse = ListFolderJobsResponses[keyof ListFolderJobsResponses];

export type StartFolderJobData = {
    body: NewFolderJob;
    headers?: {
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/folders/jobs';
};

export type StartFolderJobErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_FOLDER_ACTION' | 'INVALID_OBJECT_PREFIX' | 'INVALID_DESTINATION' | 'INVALID_OVERWRITE' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_KEEP_DELETED' | 'NOTHING_TO_UPDATE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'PERMISSION_DENIED' | 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'UPGRADE_REQUIRED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FOLDER_JOB_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'TOO_MANY_FOLDER_JOBS';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type StartFolderJobError = StartFolderJobErrors[keyof StartFolderJobErrors];

export type StartFolderJobResponses = {
    /**
     * StartFolderJobSuccess
     *
     * The job, which runs from now on.
     */
    202: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: FolderJob;
    };
};

export type StartFolderJobResponse = StartFolderJobResponses[keyof StartFolderJobResponses];

export type GetFolderJobData = {
    body?: never;
    path: {
        /**
         * Id of the job.
         */
        id: string;
    };
    query?: never;
    url: '/v1/folders/jobs/{id}';
};

export type GetFolderJobErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FOLDER_JOB_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetFolderJobError = GetFolderJobErrors[keyof GetFolderJobErrors];

export type GetFolderJobResponses = {
    /**
     * GetFolderJobSuccess
     *
     * The job.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: FolderJobReport;
    };
};

export type GetFolderJobResponse = GetFolderJobResponses[keyof GetFolderJobResponses];

export type AbortFolderJobData = {
    body?: never;
    path: {
        /**
         * Id of the job.
         */
        id: string;
    };
    query?: never;
    url: '/v1/folders/jobs/{id}/cancel';
};

export type AbortFolderJobErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FOLDER_JOB_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type AbortFolderJobError = AbortFolderJobErrors[keyof AbortFolderJobErrors];

export type AbortFolderJobResponses = {
    /**
     * AbortFolderJobSuccess
     *
     * The job as it has ended.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: FolderJob;
    };
};

export type AbortFolderJobResponse = AbortFolderJobResponses[keyof AbortFolderJobResponses];

export type CreateUploadTokenData = {
    body?: NewUploadToken;
    path?: never;
    query?: never;
    url: '/v1/upload-tokens';
};

export type CreateUploadTokenErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT_NAME' | 'INVALID_OBJECT_PREFIX' | 'INVALID_OBJECT_PRIVATE' | 'INVALID_OBJECT_SECURITY_HASH' | 'INVALID_OBJECT_EXPIRE' | 'INVALID_MAX_SIZE' | 'INVALID_ALLOWED_EXTENSIONS' | 'INVALID_ALLOWED_ORIGINS' | 'INVALID_OBJECT_METADATA' | 'INVALID_CALLBACK_METADATA' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_USES' | 'UPLOAD_TOKEN_TOO_LARGE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateUploadTokenError = CreateUploadTokenErrors[keyof CreateUploadTokenErrors];

export type CreateUploadTokenResponses = {
    /**
     * CreateUploadTokenSuccess
     *
     * The token. Only this response shows it.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: UploadToken;
    };
};

export type CreateUploadTokenResponse = CreateUploadTokenResponses[keyof CreateUploadTokenResponses];

export type DeleteShareData = {
    body: ShareReference;
    path?: never;
    query?: never;
    url: '/v1/shares';
};

export type DeleteShareErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_SHARE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type DeleteShareError = DeleteShareErrors[keyof DeleteShareErrors];

export type DeleteShareResponses = {
    /**
     * The link is revoked.
     */
    200: Success;
};

export type DeleteShareResponse = DeleteShareResponses[keyof DeleteShareResponses];

export type ListSharesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Lists only links to this file.
         */
        object?: ObjectId;
        /**
         * Lists only links to files whose keys begin with this.
         */
        prefix?: string;
        /**
         * Maximum number of links on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/shares';
};

export type ListSharesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_OBJECT' | 'INVALID_OBJECT_PREFIX' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListSharesError = ListSharesErrors[keyof ListSharesErrors];

export type ListSharesResponses = {
    /**
     * ListSharesSuccess
     *
     * The links.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Shares;
    };
};

export type ListSharesResponse = ListSharesResponses[keyof ListSharesResponses];

export type UpdateShareData = {
    body: ShareChange;
    path?: never;
    query?: never;
    url: '/v1/shares';
};

export type UpdateShareErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_SHARE' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_DOWNLOADS' | 'INVALID_PASSWORD' | 'INVALID_LANDING' | 'INVALID_SHARE_TITLE' | 'INVALID_SHARE_MESSAGE' | 'NOTHING_TO_UPDATE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'TOO_MANY_SHARES';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type UpdateShareError = UpdateShareErrors[keyof UpdateShareErrors];

export type UpdateShareResponses = {
    /**
     * UpdateShareSuccess
     *
     * The link as it is now.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Share;
    };
};

export type UpdateShareResponse = UpdateShareResponses[keyof UpdateShareResponses];

export type CreateShareData = {
    body: NewShare;
    path?: never;
    query?: never;
    url: '/v1/shares';
};

export type CreateShareErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT' | 'TOO_MANY_OBJECTS' | 'INVALID_OBJECT_PREFIX' | 'INVALID_EXPIRES_IN' | 'INVALID_MAX_DOWNLOADS' | 'INVALID_PASSWORD' | 'INVALID_LANDING' | 'INVALID_SHARE_TITLE' | 'INVALID_SHARE_MESSAGE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'OBJECT_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'BUNDLE_TOO_LARGE' | 'TOO_MANY_SHARES';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateShareError = CreateShareErrors[keyof CreateShareErrors];

export type CreateShareResponses = {
    /**
     * CreateShareSuccess
     *
     * The link.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CreatedShare;
    };
};

export type CreateShareResponse = CreateShareResponses[keyof CreateShareResponses];

export type ListShareFilesData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Id of the share link.
         */
        id: ShareId;
        /**
         * Maximum number of files on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/shares/files';
};

export type ListShareFilesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_SHARE' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'BUNDLE_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListShareFilesError = ListShareFilesErrors[keyof ListShareFilesErrors];

export type ListShareFilesResponses = {
    /**
     * ListShareFilesSuccess
     *
     * One page of files.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ShareFiles;
    };
};

export type ListShareFilesResponse = ListShareFilesResponses[keyof ListShareFilesResponses];

export type DeleteFileRequestData = {
    body: FileRequestReference;
    path?: never;
    query?: never;
    url: '/v1/file-requests';
};

export type DeleteFileRequestErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_FILE_REQUEST';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type DeleteFileRequestError = DeleteFileRequestErrors[keyof DeleteFileRequestErrors];

export type DeleteFileRequestResponses = {
    /**
     * The request is deleted.
     */
    200: Success;
};

export type DeleteFileRequestResponse = DeleteFileRequestResponses[keyof DeleteFileRequestResponses];

export type ListFileRequestsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Lists only this request.
         */
        id?: FileRequestId;
        /**
         * Lists only requests in this state.
         */
        state?: FileRequestState;
        /**
         * Lists only requests whose folder begins with this.
         */
        prefix?: string;
        /**
         * Maximum number of requests on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/file-requests';
};

export type ListFileRequestsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_FILE_REQUEST' | 'INVALID_REQUEST_STATE' | 'INVALID_OBJECT_PREFIX' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListFileRequestsError = ListFileRequestsErrors[keyof ListFileRequestsErrors];

export type ListFileRequestsResponses = {
    /**
     * ListFileRequestsSuccess
     *
     * The requests.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: FileRequests;
    };
};

export type ListFileRequestsResponse = ListFileRequestsResponses[keyof ListFileRequestsResponses];

export type UpdateFileRequestData = {
    body: FileRequestChange;
    path?: never;
    query?: never;
    url: '/v1/file-requests';
};

export type UpdateFileRequestErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_FILE_REQUEST' | 'INVALID_REQUEST_STATE' | 'INVALID_REQUEST_TITLE' | 'INVALID_REQUEST_NOTE' | 'INVALID_DEADLINE' | 'INVALID_GRACE' | 'INVALID_MAX_FILES' | 'INVALID_MAX_BYTES' | 'INVALID_MAX_SIZE' | 'INVALID_ALLOWED_EXTENSIONS' | 'INVALID_PASSWORD' | 'INVALID_SENDER_FOLDERS' | 'NOTHING_TO_UPDATE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type UpdateFileRequestError = UpdateFileRequestErrors[keyof UpdateFileRequestErrors];

export type UpdateFileRequestResponses = {
    /**
     * UpdateFileRequestSuccess
     *
     * The request as it is now.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: FileRequest;
    };
};

export type UpdateFileRequestResponse = UpdateFileRequestResponses[keyof UpdateFileRequestResponses];

export type CreateFileRequestData = {
    body: NewFileRequest;
    path?: never;
    query?: never;
    url: '/v1/file-requests';
};

export type CreateFileRequestErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_OBJECT_PREFIX' | 'INVALID_REQUEST_TITLE' | 'INVALID_REQUEST_NOTE' | 'INVALID_DEADLINE' | 'INVALID_GRACE' | 'INVALID_MAX_FILES' | 'INVALID_MAX_BYTES' | 'INVALID_MAX_SIZE' | 'INVALID_ALLOWED_EXTENSIONS' | 'INVALID_PASSWORD' | 'INVALID_SENDER_FOLDERS';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'TOO_MANY_FILE_REQUESTS';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateFileRequestError = CreateFileRequestErrors[keyof CreateFileRequestErrors];

export type CreateFileRequestResponses = {
    /**
     * CreateFileRequestSuccess
     *
     * The request.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: FileRequest;
    };
};

export type CreateFileRequestResponse = CreateFileRequestResponses[keyof CreateFileRequestResponses];

export type GetS3CredentialsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/s3/credentials';
};

export type GetS3CredentialsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'API_KEY_REQUIRED' | 'LEGACY_API_KEY';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'INVALID_CREDENTIAL' | 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetS3CredentialsError = GetS3CredentialsErrors[keyof GetS3CredentialsErrors];

export type GetS3CredentialsResponses = {
    /**
     * GetS3CredentialsSuccess
     *
     * The pair.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: S3Credentials;
    };
};

export type GetS3CredentialsResponse = GetS3CredentialsResponses[keyof GetS3CredentialsResponses];

export type GetSettingsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/account/settings';
};

export type GetSettingsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetSettingsError = GetSettingsErrors[keyof GetSettingsErrors];

export type GetSettingsResponses = {
    /**
     * GetSettingsSuccess
     *
     * The settings.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Settings;
    };
};

export type GetSettingsResponse = GetSettingsResponses[keyof GetSettingsResponses];

export type ReplaceSettingsData = {
    body: NewSettings;
    path?: never;
    query?: never;
    url: '/v1/account/settings';
};

export type ReplaceSettingsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_RULES' | 'TOO_MANY_RULES' | 'INVALID_RULE_PREFIX' | 'INVALID_RULE_PRIVATE' | 'INVALID_RULE_EXPIRE' | 'INVALID_RULE_MAX_SIZE' | 'INVALID_RULE_EXTENSIONS' | 'INVALID_RULE_CACHE_CONTROL' | 'INVALID_RULE_DELETE_AFTER' | 'INVALID_RULE_KEEP_DELETED' | 'INVALID_RULE_KEEP_VERSIONS' | 'INVALID_IMAGE_PRESETS' | 'INVALID_KEEP_DELETED' | 'NOTHING_TO_UPDATE' | 'DUPLICATE_RULE_PREFIX';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED' | 'PERMISSION_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type ReplaceSettingsError = ReplaceSettingsErrors[keyof ReplaceSettingsErrors];

export type ReplaceSettingsResponses = {
    /**
     * ReplaceSettingsSuccess
     *
     * The settings are saved.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Settings;
    };
};

export type ReplaceSettingsResponse = ReplaceSettingsResponses[keyof ReplaceSettingsResponses];

export type GetImageKeyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/account/image-key';
};

export type GetImageKeyErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetImageKeyError = GetImageKeyErrors[keyof GetImageKeyErrors];

export type GetImageKeyResponses = {
    /**
     * GetImageKeySuccess
     *
     * The key.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ImageKey;
    };
};

export type GetImageKeyResponse = GetImageKeyResponses[keyof GetImageKeyResponses];

export type GetStatsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/account/stats';
};

export type GetStatsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetStatsError = GetStatsErrors[keyof GetStatsErrors];

export type GetStatsResponses = {
    /**
     * GetStatsSuccess
     *
     * The usage.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: AccountStats;
    };
};

export type GetStatsResponse = GetStatsResponses[keyof GetStatsResponses];

export type GetUsageHistoryData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The first day in UTC. Default - 29 days before the last one.
         */
        from?: string;
        /**
         * The last day in UTC, at most 399 days after the first one. Default - today.
         */
        to?: string;
    };
    url: '/v1/account/usage';
};

export type GetUsageHistoryErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_TIME_RANGE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetUsageHistoryError = GetUsageHistoryErrors[keyof GetUsageHistoryErrors];

export type GetUsageHistoryResponses = {
    /**
     * GetUsageHistorySuccess
     *
     * The usage.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: UsageHistory;
    };
};

export type GetUsageHistoryResponse = GetUsageHistoryResponses[keyof GetUsageHistoryResponses];

export type ListKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/account/keys';
};

export type ListKeysErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListKeysError = ListKeysErrors[keyof ListKeysErrors];

export type ListKeysResponses = {
    /**
     * ListKeysSuccess
     *
     * The keys, without their secrets.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ApiKeys;
    };
};

export type ListKeysResponse = ListKeysResponses[keyof ListKeysResponses];

export type CreateKeyData = {
    body: NewApiKey;
    path?: never;
    query?: never;
    url: '/v1/account/keys';
};

export type CreateKeyErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_KEY_NAME' | 'INVALID_SCOPES' | 'INVALID_RESOURCES' | 'INVALID_PREFIXES' | 'INVALID_AI_LIMITS' | 'INVALID_EXPIRES_IN' | 'CONFLICTING_RESOURCES' | 'APIKEY_LIMIT_REACHED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateKeyError = CreateKeyErrors[keyof CreateKeyErrors];

export type CreateKeyResponses = {
    /**
     * CreateKeySuccess
     *
     * The key, with its secret.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ApiKeyWithSecret;
    };
};

export type CreateKeyResponse = CreateKeyResponses[keyof CreateKeyResponses];

export type RevokeKeyData = {
    body?: never;
    path: {
        /**
         * Id of the key.
         */
        id: string;
    };
    query?: never;
    url: '/v1/account/keys/{id}';
};

export type RevokeKeyErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APIKEY_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RevokeKeyError = RevokeKeyErrors[keyof RevokeKeyErrors];

export type RevokeKeyResponses = {
    /**
     * The key is revoked.
     */
    200: Success;
};

export type RevokeKeyResponse = RevokeKeyResponses[keyof RevokeKeyResponses];

export type UpdateKeyData = {
    body: KeyChange;
    path: {
        /**
         * Id of the key.
         */
        id: string;
    };
    query?: never;
    url: '/v1/account/keys/{id}';
};

export type UpdateKeyErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_AI_LIMITS';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APIKEY_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type UpdateKeyError = UpdateKeyErrors[keyof UpdateKeyErrors];

export type UpdateKeyResponses = {
    /**
     * UpdateKeySuccess
     *
     * The key afterwards.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ApiKey;
    };
};

export type UpdateKeyResponse = UpdateKeyResponses[keyof UpdateKeyResponses];

export type RegenerateKeyData = {
    body?: never;
    path: {
        /**
         * Id of the key.
         */
        id: string;
    };
    query?: never;
    url: '/v1/account/keys/{id}/regenerate';
};

export type RegenerateKeyErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APIKEY_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RegenerateKeyError = RegenerateKeyErrors[keyof RegenerateKeyErrors];

export type RegenerateKeyResponses = {
    /**
     * RegenerateKeySuccess
     *
     * The key, with its new secret.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ApiKeyWithSecret;
    };
};

export type RegenerateKeyResponse = RegenerateKeyResponses[keyof RegenerateKeyResponses];

export type DeleteSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/session';
};

export type DeleteSessionErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SESSION_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type DeleteSessionError = DeleteSessionErrors[keyof DeleteSessionErrors];

export type DeleteSessionResponses = {
    /**
     * The session has ended.
     */
    200: Success;
};

export type DeleteSessionResponse = DeleteSessionResponses[keyof DeleteSessionResponses];

export type GetSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/session';
};

export type GetSessionErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetSessionError = GetSessionErrors[keyof GetSessionErrors];

export type GetSessionResponses = {
    /**
     * GetSessionSuccess
     *
     * The caller.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Session;
    };
};

export type GetSessionResponse = GetSessionResponses[keyof GetSessionResponses];

export type ListSessionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/sessions';
};

export type ListSessionsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListSessionsError = ListSessionsErrors[keyof ListSessionsErrors];

export type ListSessionsResponses = {
    /**
     * ListSessionsSuccess
     *
     * The sessions, without their secrets.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Sessions;
    };
};

export type ListSessionsResponse = ListSessionsResponses[keyof ListSessionsResponses];

export type StartSessionData = {
    body: NewSession;
    path?: never;
    query?: never;
    url: '/v1/sessions';
};

export type StartSessionErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'HTTPS_REQUIRED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type StartSessionError = StartSessionErrors[keyof StartSessionErrors];

export type StartSessionResponses = {
    /**
     * StartSessionSuccess
     *
     * The session. The cookie holds its secret.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Session;
    };
};

export type StartSessionResponse = StartSessionResponses[keyof StartSessionResponses];

export type RevokeSessionData = {
    body?: never;
    path: {
        /**
         * Id of the session.
         */
        id: string;
    };
    query?: never;
    url: '/v1/sessions/{id}';
};

export type RevokeSessionErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SESSION_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RevokeSessionError = RevokeSessionErrors[keyof RevokeSessionErrors];

export type RevokeSessionResponses = {
    /**
     * The session has ended.
     */
    200: Success;
};

export type RevokeSessionResponse = RevokeSessionResponses[keyof RevokeSessionResponses];

export type ListActivityData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of entries on a page.
         */
        limit?: number;
        /**
         * Only entries of this kind.
         */
        type?: ActivityType;
        /**
         * Only what the API key of this id did, also by its sessions and upload tokens.
         */
        key?: string;
        /**
         * Only what this kind of credential, or this part of the server, did.
         */
        auth?: ActivityAuth;
        /**
         * Only entries about files whose key begins with this, afterwards. It may be any leading part of a key; up to 1024 bytes
         * of UTF-8 without NUL.
         *
         */
        prefix?: string;
        /**
         * Only entries at this instant or later, ISO 8601 with seconds and with `Z` or an offset. A `+` may be sent as it is or as `%2B`.
         */
        from?: string;
        /**
         * Only entries before this instant, in the same form; after `from`.
         */
        to?: string;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/account/activity';
};

export type ListActivityErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_LIMIT' | 'INVALID_ACTIVITY_FILTER' | 'INVALID_OBJECT_PREFIX' | 'INVALID_TIME_RANGE' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'UPGRADE_REQUIRED' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListActivityError = ListActivityErrors[keyof ListActivityErrors];

export type ListActivityResponses = {
    /**
     * ListActivitySuccess
     *
     * One page of entries.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ActivityPage;
    };
};

export type ListActivityResponse = ListActivityResponses[keyof ListActivityResponses];

export type ListEventsData = {
    body?: never;
    headers?: {
        /**
         * The `id` of the last event that a stream has brought. It takes the place of `cursor`.
         */
        'Last-Event-ID'?: string;
    };
    path?: never;
    query?: {
        /**
         * Maximum number of events on a page.
         */
        limit?: number;
        /**
         * The `cursor` of the previous page, or `latest`.
         */
        cursor?: string;
    };
    url: '/v1/events';
};

export type ListEventsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'TOO_MANY_EVENT_STREAMS' | 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListEventsError = ListEventsErrors[keyof ListEventsErrors];

export type ListEventsResponses = {
    /**
     * ListEventsSuccess
     *
     * One page of events.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: EventPage;
    };
};

export type ListEventsResponse = ListEventsResponses[keyof ListEventsResponses];

export type GetEventData = {
    body?: never;
    path: {
        /**
         * The `id` of the event.
         */
        event_id: string;
    };
    query?: never;
    url: '/v1/events/{event_id}';
};

export type GetEventErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'EVENT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetEventError = GetEventErrors[keyof GetEventErrors];

export type GetEventResponses = {
    /**
     * GetEventSuccess
     *
     * The event.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Event;
    };
};

export type GetEventResponse = GetEventResponses[keyof GetEventResponses];

export type ListReceiptKeysData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/receipts/keys';
};

export type ListReceiptKeysErrors = {
    /**
     * Too much at once. `Retry-After` says when to try again.
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

export type ListReceiptKeysError = ListReceiptKeysErrors[keyof ListReceiptKeysErrors];

export type ListReceiptKeysResponses = {
    /**
     * The public keys, the current one first.
     */
    200: ReceiptKeys;
};

export type ListReceiptKeysResponse = ListReceiptKeysResponses[keyof ListReceiptKeysResponses];

export type ListWebhooksData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/webhooks';
};

export type ListWebhooksErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListWebhooksError = ListWebhooksErrors[keyof ListWebhooksErrors];

export type ListWebhooksResponses = {
    /**
     * ListWebhooksSuccess
     *
     * The webhooks.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Webhooks;
    };
};

export type ListWebhooksResponse = ListWebhooksResponses[keyof ListWebhooksResponses];

export type CreateWebhookData = {
    body: NewEventWebhook;
    path?: never;
    query?: never;
    url: '/v1/webhooks';
};

export type CreateWebhookErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_WEBHOOK_URL' | 'INVALID_WEBHOOK_TYPES' | 'INVALID_PREFIXES';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'TOO_MANY_WEBHOOKS';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateWebhookError = CreateWebhookErrors[keyof CreateWebhookErrors];

export type CreateWebhookResponses = {
    /**
     * CreateWebhookSuccess
     *
     * The webhook, with its secret.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: WebhookWithSecret;
    };
};

export type CreateWebhookResponse = CreateWebhookResponses[keyof CreateWebhookResponses];

export type DeleteWebhookData = {
    body?: never;
    path: {
        /**
         * Id of the webhook.
         */
        id: string;
    };
    query?: never;
    url: '/v1/webhooks/{id}';
};

export type DeleteWebhookErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'WEBHOOK_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type DeleteWebhookError = DeleteWebhookErrors[keyof DeleteWebhookErrors];

export type DeleteWebhookResponses = {
    /**
     * The webhook is deleted.
     */
    200: Success;
};

export type DeleteWebhookResponse = DeleteWebhookResponses[keyof DeleteWebhookResponses];

export type GetWebhookData = {
    body?: never;
    path: {
        /**
         * Id of the webhook.
         */
        id: string;
    };
    query?: never;
    url: '/v1/webhooks/{id}';
};

export type GetWebhookErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'WEBHOOK_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetWebhookError = GetWebhookErrors[keyof GetWebhookErrors];

export type GetWebhookResponses = {
    /**
     * GetWebhookSuccess
     *
     * The webhook.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: EventWebhook;
    };
};

export type GetWebhookResponse = GetWebhookResponses[keyof GetWebhookResponses];

export type UpdateWebhookData = {
    body: WebhookChange;
    path: {
        /**
         * Id of the webhook.
         */
        id: string;
    };
    query?: never;
    url: '/v1/webhooks/{id}';
};

export type UpdateWebhookErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_WEBHOOK_URL' | 'INVALID_WEBHOOK_TYPES' | 'INVALID_PREFIXES' | 'NOTHING_TO_UPDATE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'WEBHOOK_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type UpdateWebhookError = UpdateWebhookErrors[keyof UpdateWebhookErrors];

export type UpdateWebhookResponses = {
    /**
     * UpdateWebhookSuccess
     *
     * The webhook as it is now.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: EventWebhook;
    };
};

export type UpdateWebhookResponse = UpdateWebhookResponses[keyof UpdateWebhookResponses];

export type RunWebhookTestData = {
    body?: never;
    path: {
        /**
         * Id of the webhook.
         */
        id: string;
    };
    query?: never;
    url: '/v1/webhooks/{id}/test';
};

export type RunWebhookTestErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'WEBHOOK_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RunWebhookTestError = RunWebhookTestErrors[keyof RunWebhookTestErrors];

export type RunWebhookTestResponses = {
    /**
     * RunWebhookTestSuccess
     *
     * The event that will be delivered.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: WebhookTest;
    };
};

export type RunWebhookTestResponse = RunWebhookTestResponses[keyof RunWebhookTestResponses];

export type ListWebhookDeliveriesData = {
    body?: never;
    path: {
        /**
         * Id of the webhook.
         */
        id: string;
    };
    query?: {
        /**
         * Lists only deliveries in this state. `failed` also lists those whose last attempt failed and that are tried again; their
         * `state` is `pending`.
         *
         */
        state?: 'pending' | 'delivered' | 'failed';
        /**
         * Maximum number of deliveries on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v1/webhooks/{id}/deliveries';
};

export type ListWebhookDeliveriesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_DELIVERY_STATE' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'WEBHOOK_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListWebhookDeliveriesError = ListWebhookDeliveriesErrors[keyof ListWebhookDeliveriesErrors];

export type ListWebhookDeliveriesResponses = {
    /**
     * ListWebhookDeliveriesSuccess
     *
     * One page of deliveries.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: WebhookDeliveryPage;
    };
};

export type ListWebhookDeliveriesResponse = ListWebhookDeliveriesResponses[keyof ListWebhookDeliveriesResponses];

export type StartWebhookReplayData = {
    body: WebhookReplay;
    path: {
        /**
         * Id of the webhook.
         */
        id: string;
    };
    query?: never;
    url: '/v1/webhooks/{id}/replay';
};

export type StartWebhookReplayErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_TIME_RANGE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'WEBHOOK_NOT_FOUND' | 'EVENT_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'WEBHOOK_REPLAY_RUNNING';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type StartWebhookReplayError = StartWebhookReplayErrors[keyof StartWebhookReplayErrors];

export type StartWebhookReplayResponses = {
    /**
     * The events will be delivered.
     */
    200: Success;
};

export type StartWebhookReplayResponse = StartWebhookReplayResponses[keyof StartWebhookReplayResponses];

export type RegenerateWebhookSecretData = {
    body?: never;
    path: {
        /**
         * Id of the webhook.
         */
        id: string;
    };
    query?: never;
    url: '/v1/webhooks/{id}/rotate';
};

export type RegenerateWebhookSecretErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'PREFIX_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'WEBHOOK_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RegenerateWebhookSecretError = RegenerateWebhookSecretErrors[keyof RegenerateWebhookSecretErrors];

export type RegenerateWebhookSecretResponses = {
    /**
     * RegenerateWebhookSecretSuccess
     *
     * The webhook, with its new secret.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: WebhookWithSecret;
    };
};

export type RegenerateWebhookSecretResponse = RegenerateWebhookSecretResponses[keyof RegenerateWebhookSecretResponses];

export type CreateChatCompletionData = {
    body: ChatRequest;
    headers?: {
        /**
         * With a cache of answers, `no-cache` asks the model and keeps its answer, and `no-store` asks the model and keeps nothing. Other
         * directives have no effect.
         *
         */
        'Cache-Control'?: string;
    };
    path?: never;
    query?: never;
    url: '/v2/ai/chat/completions';
};

export type CreateChatCompletionErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: ChatError & {
        error?: {
            code?: 'invalid_body' | 'invalid_messages' | 'multimodal_not_supported' | 'invalid_max_tokens' | 'invalid_temperature' | 'invalid_tools' | 'invalid_tool_choice' | 'file_not_text' | 'stream_not_supported' | 'context_length_exceeded' | 'invalid_request';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'model_not_allowed' | 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * It is not there.
     */
    404: ChatError & {
        error?: {
            code?: 'model_not_found' | 'file_not_found';
        };
    };
    /**
     * It is too large.
     */
    413: ChatError & {
        error?: {
            code?: 'body_too_large';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'concurrent_limit_reached' | 'rate_limit_exceeded' | 'key_rate_limit_exceeded' | 'daily_request_limit_reached' | 'daily_spend_limit_reached' | 'daily_limit_reached' | 'weekly_limit_reached' | 'daily_cost_limit_reached' | 'key_daily_request_limit_reached' | 'key_daily_spend_limit_reached' | 'key_daily_limit_reached' | 'key_daily_cost_limit_reached' | 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: ChatError & {
        error?: {
            code?: 'server_overloaded' | 'daily_capacity_reached' | 'storage_unavailable';
        };
    };
};

export type CreateChatCompletionError = CreateChatCompletionErrors[keyof CreateChatCompletionErrors];

export type CreateChatCompletionResponses = {
    /**
     * The next message.
     */
    200: ChatCompletion;
};

export type CreateChatCompletionResponse = CreateChatCompletionResponses[keyof CreateChatCompletionResponses];

export type CreateEmbeddingsData = {
    body: EmbeddingRequest;
    headers?: {
        /**
         * With a cache of answers, `no-cache` asks the model and keeps its answer, and `no-store` asks the model and keeps nothing. Other
         * directives have no effect.
         *
         */
        'Cache-Control'?: string;
    };
    path?: never;
    query?: never;
    url: '/v2/ai/embeddings';
};

export type CreateEmbeddingsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: ChatError & {
        error?: {
            code?: 'invalid_body' | 'invalid_input' | 'embeddings_not_supported' | 'context_length_exceeded' | 'invalid_request';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'model_not_allowed' | 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * It is too large.
     */
    413: ChatError & {
        error?: {
            code?: 'body_too_large';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'concurrent_limit_reached' | 'rate_limit_exceeded' | 'key_rate_limit_exceeded' | 'daily_request_limit_reached' | 'daily_spend_limit_reached' | 'daily_limit_reached' | 'weekly_limit_reached' | 'daily_cost_limit_reached' | 'key_daily_request_limit_reached' | 'key_daily_spend_limit_reached' | 'key_daily_limit_reached' | 'key_daily_cost_limit_reached' | 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: ChatError & {
        error?: {
            code?: 'server_overloaded' | 'daily_capacity_reached' | 'storage_unavailable';
        };
    };
};

export type CreateEmbeddingsError = CreateEmbeddingsErrors[keyof CreateEmbeddingsErrors];

export type CreateEmbeddingsResponses = {
    /**
     * The vectors, and the tokens that are charged.
     */
    200: EmbeddingList;
};

export type CreateEmbeddingsResponse = CreateEmbeddingsResponses[keyof CreateEmbeddingsResponses];

export type CreateMessageData = {
    body: MessagesRequest;
    headers?: {
        /**
         * With a cache of answers, `no-cache` asks the model and keeps its answer, and `no-store` asks the model and keeps nothing. Other
         * directives have no effect.
         *
         */
        'Cache-Control'?: string;
    };
    path?: never;
    query?: never;
    url: '/v2/ai/messages';
};

export type CreateMessageErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: MessagesError & {
        error?: {
            code?: 'invalid_body' | 'invalid_max_tokens' | 'invalid_temperature' | 'invalid_tools' | 'invalid_tool_choice' | 'messages_not_supported' | 'file_not_text' | 'multimodal_not_supported' | 'context_length_exceeded' | 'invalid_request';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: MessagesError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: MessagesError & {
        error?: {
            code?: 'model_not_allowed' | 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * It is not there.
     */
    404: MessagesError & {
        error?: {
            code?: 'model_not_found' | 'file_not_found';
        };
    };
    /**
     * It is too large.
     */
    413: MessagesError & {
        error?: {
            code?: 'body_too_large';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: MessagesError & {
        error?: {
            code?: 'concurrent_limit_reached' | 'rate_limit_exceeded' | 'key_rate_limit_exceeded' | 'daily_request_limit_reached' | 'daily_spend_limit_reached' | 'daily_limit_reached' | 'weekly_limit_reached' | 'daily_cost_limit_reached' | 'key_daily_request_limit_reached' | 'key_daily_spend_limit_reached' | 'key_daily_limit_reached' | 'key_daily_cost_limit_reached' | 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: MessagesError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: MessagesError & {
        error?: {
            code?: 'server_overloaded' | 'daily_capacity_reached' | 'storage_unavailable';
        };
    };
};

export type CreateMessageError = CreateMessageErrors[keyof CreateMessageErrors];

export type CreateMessageResponses = {
    /**
     * The next message.
     */
    200: MessagesAnswer;
};

export type CreateMessageResponse = CreateMessageResponses[keyof CreateMessageResponses];

export type CountMessageTokensData = {
    body: MessagesRequest;
    path?: never;
    query?: never;
    url: '/v2/ai/messages/count_tokens';
};

export type CountMessageTokensErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: MessagesError & {
        error?: {
            code?: 'invalid_body' | 'invalid_max_tokens' | 'invalid_temperature' | 'invalid_tools' | 'invalid_tool_choice' | 'messages_not_supported' | 'multimodal_not_supported' | 'file_not_text' | 'context_length_exceeded';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: MessagesError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: MessagesError & {
        error?: {
            code?: 'model_not_allowed' | 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * It is not there.
     */
    404: MessagesError & {
        error?: {
            code?: 'model_not_found' | 'file_not_found';
        };
    };
    /**
     * It is too large.
     */
    413: MessagesError & {
        error?: {
            code?: 'body_too_large';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: MessagesError & {
        error?: {
            code?: 'concurrent_limit_reached' | 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: MessagesError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: MessagesError & {
        error?: {
            code?: 'server_overloaded' | 'storage_unavailable';
        };
    };
};

export type CountMessageTokensError = CountMessageTokensErrors[keyof CountMessageTokensErrors];

export type CountMessageTokensResponses = {
    /**
     * The number of tokens.
     */
    200: MessagesTokens;
};

export type CountMessageTokensResponse = CountMessageTokensResponses[keyof CountMessageTokensResponses];

export type ListModelsData = {
    body?: never;
    headers?: {
        /**
         * Clients of the Messages API send it, with any value. They get the form of that API, also for errors.
         */
        'Anthropic-Version'?: string;
    };
    path?: never;
    query?: never;
    url: '/v2/ai/models';
};

export type ListModelsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: AiError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: AiError & {
        error?: {
            code?: 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: AiError & {
        error?: {
            code?: 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: AiError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: AiError & {
        error?: {
            code?: 'storage_unavailable';
        };
    };
};

export type ListModelsError = ListModelsErrors[keyof ListModelsErrors];

export type ListModelsResponses = {
    /**
     * The models.
     */
    200: AiModels;
};

export type ListModelsResponse = ListModelsResponses[keyof ListModelsResponses];

export type GetModelData = {
    body?: never;
    headers?: {
        /**
         * Clients of the Messages API send it, with any value. They get the form of that API, also for errors.
         */
        'Anthropic-Version'?: string;
    };
    path: {
        /**
         * Name of the model.
         */
        model: string;
    };
    query?: never;
    url: '/v2/ai/models/{model}';
};

export type GetModelErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: AiError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: AiError & {
        error?: {
            code?: 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * It is not there.
     */
    404: AiError & {
        error?: {
            code?: 'model_not_found';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: AiError & {
        error?: {
            code?: 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: AiError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: AiError & {
        error?: {
            code?: 'storage_unavailable';
        };
    };
};

export type GetModelError = GetModelErrors[keyof GetModelErrors];

export type GetModelResponses = {
    /**
     * The model.
     */
    200: AiModel;
};

export type GetModelResponse = GetModelResponses[keyof GetModelResponses];

export type ListAiRequestsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of requests on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page, with the same filters.
         */
        cursor?: string;
        /**
         * Only requests with the API key of this id.
         */
        key?: string;
        /**
         * Only requests to the model of this name.
         */
        model?: string;
        /**
         * Only requests that ended like this, `answered`, `aborted` or the code of an error.
         */
        outcome?: string;
        /**
         * Only requests that came at this instant or later, ISO 8601 with seconds and with `Z` or an offset. A `+` may be sent as it is or as `%2B`.
         */
        from?: string;
        /**
         * Only requests that came before this instant, in the same form; after `from`.
         */
        to?: string;
    };
    url: '/v2/ai/requests';
};

export type ListAiRequestsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: ChatError & {
        error?: {
            code?: 'invalid_query';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: ChatError & {
        error?: {
            code?: 'storage_unavailable';
        };
    };
};

export type ListAiRequestsError = ListAiRequestsErrors[keyof ListAiRequestsErrors];

export type ListAiRequestsResponses = {
    /**
     * One page of requests.
     */
    200: AiRequestPage;
};

export type ListAiRequestsResponse = ListAiRequestsResponses[keyof ListAiRequestsResponses];

export type CreateResponseData = {
    body: ResponsesRequest;
    headers?: {
        /**
         * With a cache of answers, `no-cache` asks the model and keeps its answer, and `no-store` asks the model and keeps nothing. Other
         * directives have no effect.
         *
         */
        'Cache-Control'?: string;
    };
    path?: never;
    query?: never;
    url: '/v2/ai/responses';
};

export type CreateResponseErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: ChatError & {
        error?: {
            code?: 'invalid_body' | 'invalid_input' | 'invalid_max_tokens' | 'invalid_temperature' | 'invalid_tools' | 'invalid_tool_choice' | 'responses_not_supported' | 'file_not_text' | 'multimodal_not_supported' | 'context_length_exceeded' | 'invalid_request';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'model_not_allowed' | 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * It is not there.
     */
    404: ChatError & {
        error?: {
            code?: 'model_not_found' | 'file_not_found';
        };
    };
    /**
     * It is too large.
     */
    413: ChatError & {
        error?: {
            code?: 'body_too_large';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'concurrent_limit_reached' | 'rate_limit_exceeded' | 'key_rate_limit_exceeded' | 'daily_request_limit_reached' | 'daily_spend_limit_reached' | 'daily_limit_reached' | 'weekly_limit_reached' | 'daily_cost_limit_reached' | 'key_daily_request_limit_reached' | 'key_daily_spend_limit_reached' | 'key_daily_limit_reached' | 'key_daily_cost_limit_reached' | 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: ChatError & {
        error?: {
            code?: 'server_overloaded' | 'daily_capacity_reached' | 'storage_unavailable';
        };
    };
};

export type CreateResponseError = CreateResponseErrors[keyof CreateResponseErrors];

export type CreateResponseResponses = {
    /**
     * The next items.
     */
    200: ResponsesAnswer;
};

export type CreateResponseResponse = CreateResponseResponses[keyof CreateResponseResponses];

export type GetChatUsageData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/ai/usage';
};

export type GetChatUsageErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: ChatError & {
        error?: {
            code?: 'storage_unavailable';
        };
    };
};

export type GetChatUsageError = GetChatUsageErrors[keyof GetChatUsageErrors];

export type GetChatUsageResponses = {
    /**
     * The usage, and when each count resets.
     */
    200: ChatUsageReport;
};

export type GetChatUsageResponse = GetChatUsageResponses[keyof GetChatUsageResponses];

export type GetChatUsageHistoryData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The first day in UTC. Default - 29 days before the last one.
         */
        from?: string;
        /**
         * The last day in UTC. Default - today.
         */
        to?: string;
        /**
         * What to tell apart, of `day`, `key` and `model`, joined by commas. Charges that are alike in these are added up.
         */
        group_by?: string;
        /**
         * Maximum number of groups on a page.
         */
        limit?: number;
        /**
         * Number of the page, from 1.
         */
        page?: number;
    };
    url: '/v2/ai/usage/history';
};

export type GetChatUsageHistoryErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: ChatError & {
        error?: {
            code?: 'invalid_query';
        };
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: ChatError & {
        error?: {
            code?: 'access_denied';
        };
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: ChatError & {
        error?: {
            code?: 'account_suspended' | 'csrf_token_invalid' | 'upgrade_required' | 'missing_scope' | 'upload_token_not_allowed';
        };
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: ChatError & {
        error?: {
            code?: 'rate_limited';
        };
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: ChatError & {
        error?: {
            code?: 'internal_server_error';
        };
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: ChatError & {
        error?: {
            code?: 'storage_unavailable';
        };
    };
};

export type GetChatUsageHistoryError = GetChatUsageHistoryErrors[keyof GetChatUsageHistoryErrors];

export type GetChatUsageHistoryResponses = {
    /**
     * The usage.
     */
    200: ChatUsageHistory;
};

export type GetChatUsageHistoryResponse = GetChatUsageHistoryResponses[keyof GetChatUsageHistoryResponses];

export type ListAppsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/apps';
};

export type ListAppsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListAppsError = ListAppsErrors[keyof ListAppsErrors];

export type ListAppsResponses = {
    /**
     * ListAppsSuccess
     *
     * The applications.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Apps;
    };
};

export type ListAppsResponse = ListAppsResponses[keyof ListAppsResponses];

export type SetGitWebhookData = {
    body: NewWebhook;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/webhook';
};

export type SetGitWebhookErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_ACCESS_TOKEN' | 'INVALID_SECRET';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type SetGitWebhookError = SetGitWebhookErrors[keyof SetGitWebhookErrors];

export type SetGitWebhookResponses = {
    /**
     * The webhook is set, or removed (then without `response`).
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response?: Webhook;
    };
};

export type SetGitWebhookResponse = SetGitWebhookResponses[keyof SetGitWebhookResponses];

export type GetDeployFiltersData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/filters';
};

export type GetDeployFiltersErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetDeployFiltersError = GetDeployFiltersErrors[keyof GetDeployFiltersErrors];

export type GetDeployFiltersResponses = {
    /**
     * GetDeployFiltersSuccess
     *
     * The filters.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DeployFilters;
    };
};

export type GetDeployFiltersResponse = GetDeployFiltersResponses[keyof GetDeployFiltersResponses];

export type ReplaceDeployFiltersData = {
    body: NewDeployFilters;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/filters';
};

export type ReplaceDeployFiltersErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_DEPLOY_FILTER';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type ReplaceDeployFiltersError = ReplaceDeployFiltersErrors[keyof ReplaceDeployFiltersErrors];

export type ReplaceDeployFiltersResponses = {
    /**
     * ReplaceDeployFiltersSuccess
     *
     * The filters as they are now.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DeployFilters;
    };
};

export type ReplaceDeployFiltersResponse = ReplaceDeployFiltersResponses[keyof ReplaceDeployFiltersResponses];

export type RevokeDeployHookData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/hook';
};

export type RevokeDeployHookErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND' | 'DEPLOY_HOOK_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RevokeDeployHookError = RevokeDeployHookErrors[keyof RevokeDeployHookErrors];

export type RevokeDeployHookResponses = {
    /**
     * The hook is revoked.
     */
    200: Success;
};

export type RevokeDeployHookResponse = RevokeDeployHookResponses[keyof RevokeDeployHookResponses];

export type GetDeployHookData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/hook';
};

export type GetDeployHookErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND' | 'DEPLOY_HOOK_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetDeployHookError = GetDeployHookErrors[keyof GetDeployHookErrors];

export type GetDeployHookResponses = {
    /**
     * GetDeployHookSuccess
     *
     * The hook.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DeployHook;
    };
};

export type GetDeployHookResponse = GetDeployHookResponses[keyof GetDeployHookResponses];

export type CreateDeployHookData = {
    body: NewDeployHook;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/hook';
};

export type CreateDeployHookErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_REPOSITORY' | 'INVALID_REF' | 'INVALID_GIT_HOST';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateDeployHookError = CreateDeployHookErrors[keyof CreateDeployHookErrors];

export type CreateDeployHookResponses = {
    /**
     * CreateDeployHookSuccess
     *
     * The hook, with its address.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DeployHookWithUrl;
    };
};

export type CreateDeployHookResponse = CreateDeployHookResponses[keyof CreateDeployHookResponses];

export type DeleteCommitStatusData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/status';
};

export type DeleteCommitStatusErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND' | 'COMMIT_STATUS_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type DeleteCommitStatusError = DeleteCommitStatusErrors[keyof DeleteCommitStatusErrors];

export type DeleteCommitStatusResponses = {
    /**
     * The token is removed.
     */
    200: Success;
};

export type DeleteCommitStatusResponse = DeleteCommitStatusResponses[keyof DeleteCommitStatusResponses];

export type GetCommitStatusData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/status';
};

export type GetCommitStatusErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND' | 'COMMIT_STATUS_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetCommitStatusError = GetCommitStatusErrors[keyof GetCommitStatusErrors];

export type GetCommitStatusResponses = {
    /**
     * GetCommitStatusSuccess
     *
     * The settings.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CommitStatus;
    };
};

export type GetCommitStatusResponse = GetCommitStatusResponses[keyof GetCommitStatusResponses];

export type ReplaceCommitStatusData = {
    body: NewCommitStatus;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deploy/status';
};

export type ReplaceCommitStatusErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_ACCESS_TOKEN' | 'INVALID_STATUS_ORIGIN' | 'INVALID_GIT_HOST' | 'INVALID_STATUS_CONTEXT' | 'INVALID_STATUS_URL';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type ReplaceCommitStatusError = ReplaceCommitStatusErrors[keyof ReplaceCommitStatusErrors];

export type ReplaceCommitStatusResponses = {
    /**
     * ReplaceCommitStatusSuccess
     *
     * The settings as they are now.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CommitStatus;
    };
};

export type ReplaceCommitStatusResponse = ReplaceCommitStatusResponses[keyof ReplaceCommitStatusResponses];

export type GetCurrentDeploymentData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deployments/current';
};

export type GetCurrentDeploymentErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetCurrentDeploymentError = GetCurrentDeploymentErrors[keyof GetCurrentDeploymentErrors];

export type GetCurrentDeploymentResponses = {
    /**
     * GetCurrentDeploymentSuccess
     *
     * The webhook and the newest deploy.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: CurrentDeployment;
    };
};

export type GetCurrentDeploymentResponse = GetCurrentDeploymentResponses[keyof GetCurrentDeploymentResponses];

export type ListDeploymentsData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query?: {
        /**
         * Maximum number of deploys on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v2/apps/{app_id}/deployments';
};

export type ListDeploymentsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListDeploymentsError = ListDeploymentsErrors[keyof ListDeploymentsErrors];

export type ListDeploymentsResponses = {
    /**
     * ListDeploymentsSuccess
     *
     * One page of deploys.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DeploymentPage;
    };
};

export type ListDeploymentsResponse = ListDeploymentsResponses[keyof ListDeploymentsResponses];

export type RunDeploymentData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
        /**
         * Id of the deploy.
         */
        id: string;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deployments/{id}/redeploy';
};

export type RunDeploymentErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND' | 'DEPLOYMENT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RunDeploymentError = RunDeploymentErrors[keyof RunDeploymentErrors];

export type RunDeploymentResponses = {
    /**
     * RunDeploymentSuccess
     *
     * The new deploy.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Deployment;
    };
};

export type RunDeploymentResponse = RunDeploymentResponses[keyof RunDeploymentResponses];

export type AbortDeploymentData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
        /**
         * Id of the deploy.
         */
        id: string;
    };
    query?: never;
    url: '/v2/apps/{app_id}/deployments/{id}/cancel';
};

export type AbortDeploymentErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND' | 'DEPLOYMENT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type AbortDeploymentError = AbortDeploymentErrors[keyof AbortDeploymentErrors];

export type AbortDeploymentResponses = {
    /**
     * AbortDeploymentSuccess
     *
     * The deploy as it is now.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Deployment;
    };
};

export type AbortDeploymentResponse = AbortDeploymentResponses[keyof AbortDeploymentResponses];

export type GetDeploymentLogsData = {
    body?: never;
    headers?: {
        /**
         * The `id` of the last event that a stream has brought. It takes the place of `cursor`.
         */
        'Last-Event-ID'?: string;
    };
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
        /**
         * Id of the deploy.
         */
        id: string;
    };
    query?: {
        /**
         * Maximum number of lines on a page.
         */
        limit?: number;
        /**
         * The `cursor` of the previous page.
         */
        cursor?: string;
    };
    url: '/v2/apps/{app_id}/deployments/{id}/logs';
};

export type GetDeploymentLogsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND' | 'DEPLOYMENT_NOT_FOUND' | 'DEPLOYMENT_LOG_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'TOO_MANY_EVENT_STREAMS' | 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetDeploymentLogsError = GetDeploymentLogsErrors[keyof GetDeploymentLogsErrors];

export type GetDeploymentLogsResponses = {
    /**
     * GetDeploymentLogsSuccess
     *
     * Some lines of the output.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: DeploymentLogs;
    };
};

export type GetDeploymentLogsResponse = GetDeploymentLogsResponses[keyof GetDeploymentLogsResponses];

export type GetNetworkErrorsData = {
    body?: never;
    path: {
        /**
         * Id of the application.
         */
        app_id: AppId;
    };
    query: {
        /**
         * First instant of the window, ISO 8601 with seconds and with `Z` or an offset. A `+` may be sent as it is or as `%2B`.
         */
        start: string;
        /**
         * End of the window, exclusive, in the same form; after `start`.
         */
        end: string;
        /**
         * Counts 4xx as well. Default false.
         */
        include_4xx?: boolean;
    };
    url: '/v2/apps/{app_id}/network/errors';
};

export type GetNetworkErrorsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_TIME_RANGE' | 'INVALID_INCLUDE_4XX';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'RESOURCE_NOT_ALLOWED' | 'ACCOUNT_SUSPENDED' | 'CSRF_TOKEN_INVALID' | 'MISSING_SCOPE' | 'UPLOAD_TOKEN_NOT_ALLOWED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APP_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UNABLE_TO_FETCH_ERRORS' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetNetworkErrorsError = GetNetworkErrorsErrors[keyof GetNetworkErrorsErrors];

export type GetNetworkErrorsResponses = {
    /**
     * GetNetworkErrorsSuccess
     *
     * The breakdown.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: EdgeErrors;
    };
};

export type GetNetworkErrorsResponse = GetNetworkErrorsResponses[keyof GetNetworkErrorsResponses];

export type StartHookDeployData = {
    body?: NewHookDeploy;
    path: {
        /**
         * The last part of the hook's address.
         */
        hook: string;
    };
    query?: never;
    url: '/v2/deploy/hook/{hook}';
};

export type StartHookDeployErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_REF' | 'INVALID_COMMIT';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'DEPLOY_HOOK_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'KEEP_CALM';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type StartHookDeployError = StartHookDeployErrors[keyof StartHookDeployErrors];

export type StartHookDeployResponses = {
    /**
     * StartHookDeploySuccess
     *
     * The deploy is in the queue.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: Deployment;
    };
};

export type StartHookDeployResponse = StartHookDeployResponses[keyof StartHookDeployResponses];

export type ReceiveGitPushData = {
    body: GitPush;
    path: {
        /**
         * The last part of the webhook's address.
         */
        webhook: string;
    };
    query?: never;
    url: '/v2/git/webhook/{webhook}';
};

export type ReceiveGitPushErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: string;
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: string;
    /**
     * It is not there.
     */
    404: string;
    /**
     * It is too large.
     */
    413: string;
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'KEEP_CALM';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: string;
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: string;
};

export type ReceiveGitPushError = ReceiveGitPushErrors[keyof ReceiveGitPushErrors];

export type ReceiveGitPushResponses = {
    /**
     * The deploy is in the queue.
     */
    200: string;
    /**
     * This delivery contains nothing to deploy.
     */
    202: string;
};

export type ReceiveGitPushResponse = ReceiveGitPushResponses[keyof ReceiveGitPushResponses];

export type RequestDeviceCodeData = {
    body: DeviceCodeRequest;
    path?: never;
    query?: never;
    url: '/v2/auth/device';
};

export type RequestDeviceCodeErrors = {
    /**
     * The request is refused; `error` says why.
     */
    400: OAuthError & {
        error?: 'invalid_request' | 'invalid_scope';
    };
    /**
     * It is too large.
     */
    413: OAuthError & {
        error?: 'body_too_large';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: OAuthError & {
        error?: 'rate_limited';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: OAuthError & {
        error?: 'internal_server_error';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: OAuthError & {
        error?: 'storage_unavailable' | 'server_overloaded';
    };
};

export type RequestDeviceCodeError = RequestDeviceCodeErrors[keyof RequestDeviceCodeErrors];

export type RequestDeviceCodeResponses = {
    /**
     * Both codes.
     */
    200: DeviceCode;
};

export type RequestDeviceCodeResponse = RequestDeviceCodeResponses[keyof RequestDeviceCodeResponses];

export type ShowActivationPageData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The decision, sent by the redirect of `submitActivation`. Other values are ignored, and so is a decision that this browser did not make.
         */
        done?: 'approved' | 'refused';
    };
    url: '/activate';
};

export type ShowActivationPageErrors = {
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ShowActivationPageError = ShowActivationPageErrors[keyof ShowActivationPageErrors];

export type ShowActivationPageResponses = {
    /**
     * The page.
     */
    200: string;
};

export type ShowActivationPageResponse = ShowActivationPageResponses[keyof ShowActivationPageResponses];

export type SubmitActivationData = {
    body: ActivationForm;
    path?: never;
    query?: never;
    url: '/activate';
};

export type SubmitActivationErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_USER_CODE' | 'APIKEY_LIMIT_REACHED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN' | 'MISSING_SCOPE' | 'ACCOUNT_SUSPENDED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type SubmitActivationError = SubmitActivationErrors[keyof SubmitActivationErrors];

export type SubmitActivationResponses = {
    /**
     * The next page.
     */
    200: string;
};

export type SubmitActivationResponse = SubmitActivationResponses[keyof SubmitActivationResponses];

export type PollDeviceTokenData = {
    body: DeviceTokenRequest;
    path?: never;
    query?: never;
    url: '/v2/auth/device/token';
};

export type PollDeviceTokenErrors = {
    /**
     * The request is refused; `error` says why.
     */
    400: OAuthError & {
        error?: 'invalid_request' | 'unsupported_grant_type' | 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied' | 'invalid_grant';
    };
    /**
     * It is too large.
     */
    413: OAuthError & {
        error?: 'body_too_large';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: OAuthError & {
        error?: 'rate_limited';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: OAuthError & {
        error?: 'internal_server_error';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: OAuthError & {
        error?: 'storage_unavailable' | 'server_overloaded';
    };
};

export type PollDeviceTokenError = PollDeviceTokenErrors[keyof PollDeviceTokenErrors];

export type PollDeviceTokenResponses = {
    /**
     * A person has approved; this is the key.
     */
    200: DeviceToken;
};

export type PollDeviceTokenResponse = PollDeviceTokenResponses[keyof PollDeviceTokenResponses];

export type OpenDownloadLinkData = {
    body?: never;
    headers?: {
        /**
         * One byte range.
         */
        Range?: string;
        /**
         * Answers 412 unless the file has this ETag.
         */
        'If-Match'?: string;
        /**
         * Answers 412 when the file was written since.
         */
        'If-Unmodified-Since'?: string;
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
         * The signed token of the link. Opaque.
         */
        token: string;
    };
    query?: {
        /**
         * The largest width of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
         */
        w?: number;
        /**
         * The largest height of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
         */
        h?: number;
        /**
         * Whether the whole image fits into width and height (`contain`, without this parameter too), or fills both and is cut around its centre (`cover`).
         */
        fit?: 'contain' | 'cover';
        /**
         * Quality of JPEG, WebP and AVIF, from 1 to 100. Without it 80, and 50 for AVIF. PNG has none.
         */
        q?: number;
        /**
         * The format of the variant. `auto`, or none, is the smallest one that `Accept` names (AVIF, WebP), or else the file's own if it is JPEG or PNG.
         */
        f?: 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';
        /**
         * The name of a preset, in place of `w`, `h`, `fit`, `q` and `f`.
         */
        preset?: string;
        /**
         * The signature of a variant that no preset names, as `sign()` of the client makes it.
         */
        sig?: string;
    };
    url: '/d/{token}';
};

export type OpenDownloadLinkErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: string;
    /**
     * The credential or the plan does not reach this.
     */
    403: string;
    /**
     * It is not there.
     */
    404: string;
    /**
     * A condition of the request does not hold.
     */
    412: string;
    /**
     * It is too large.
     */
    413: string;
    /**
     * The content has a type that is not taken here.
     */
    415: string;
    /**
     * The range lies outside of the file.
     */
    416: string;
    /**
     * The file cannot be processed.
     */
    422: string;
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: string;
    /**
     * A fault of the server; nothing was changed.
     */
    500: string;
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: string;
};

export type OpenDownloadLinkError = OpenDownloadLinkErrors[keyof OpenDownloadLinkErrors];

export type OpenDownloadLinkResponses = {
    /**
     * The whole file.
     */
    200: Blob | File;
    /**
     * The requested range.
     */
    206: Blob | File;
};

export type OpenDownloadLinkResponse = OpenDownloadLinkResponses[keyof OpenDownloadLinkResponses];

export type OpenShareData = {
    body?: never;
    headers?: {
        /**
         * One byte range.
         */
        Range?: string;
        /**
         * Answers 412 unless the file has this ETag.
         */
        'If-Match'?: string;
        /**
         * Answers 412 when the file was written since.
         */
        'If-Unmodified-Since'?: string;
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
         * Id of the share link.
         */
        share_id: string;
    };
    query?: {
        /**
         * `1` skips the landing page and returns the file. Ignored for a link with a landing page and a cap. Other values are ignored.
         */
        download?: '1';
        /**
         * `1` returns the bytes of a picture, sound, film, text or PDF for the preview in the landing page, and is no download. Ignored for a link with a cap, which has no preview, for other files, and for public ones. Other values are ignored.
         */
        preview?: '1';
        /**
         * Returns one file of a bundle, by the address on the page. Ignored for a link to one file.
         */
        file?: string;
        /**
         * The page of a bundle with more than 500 files. Other values show the first.
         */
        page?: '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '10' | '11' | '12' | '13' | '14' | '15' | '16' | '17' | '18' | '19' | '20';
        /**
         * The largest width of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
         */
        w?: number;
        /**
         * The largest height of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
         */
        h?: number;
        /**
         * Whether the whole image fits into width and height (`contain`, without this parameter too), or fills both and is cut around its centre (`cover`).
         */
        fit?: 'contain' | 'cover';
        /**
         * Quality of JPEG, WebP and AVIF, from 1 to 100. Without it 80, and 50 for AVIF. PNG has none.
         */
        q?: number;
        /**
         * The format of the variant. `auto`, or none, is the smallest one that `Accept` names (AVIF, WebP), or else the file's own if it is JPEG or PNG.
         */
        f?: 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';
        /**
         * The name of a preset, in place of `w`, `h`, `fit`, `q` and `f`.
         */
        preset?: string;
        /**
         * The signature of a variant that no preset names, as `sign()` of the client makes it.
         */
        sig?: string;
    };
    url: '/s/{share_id}';
};

export type OpenShareErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_IMAGE_VARIANT';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'SHARE_PASSWORD_REQUIRED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'IMAGE_SIGNATURE_REQUIRED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND' | 'OBJECT_NOT_FOUND' | 'BUNDLE_EMPTY';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'BUNDLE_TOO_LARGE';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'SHARE_EXHAUSTED' | 'SHARE_EXPIRED';
    };
    /**
     * A condition of the request does not hold.
     */
    412: string;
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'IMAGE_TOO_LARGE';
    };
    /**
     * The content has a type that is not taken here.
     */
    415: Error & {
        code?: 'NOT_AN_IMAGE';
    };
    /**
     * The range lies outside of the file.
     */
    416: string;
    /**
     * The file cannot be processed.
     */
    422: Error & {
        code?: 'IMAGE_UNREADABLE' | 'IMAGE_TOO_COSTLY';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'IMAGE_QUEUE_FULL' | 'STORAGE_UNAVAILABLE';
    };
};

export type OpenShareError = OpenShareErrors[keyof OpenShareErrors];

export type OpenShareResponses = {
    /**
     * The file. A client that asks for HTML gets the landing page, and with a cap every client does. A link-preview robot gets a card with name and size, or with neither for a link with a password.
     */
    200: Blob | File;
    /**
     * The requested range.
     */
    206: Blob | File;
};

export type OpenShareResponse = OpenShareResponses[keyof OpenShareResponses];

export type SubmitSharePasswordData = {
    body: SharePasswordForm;
    path: {
        /**
         * Id of the share link.
         */
        share_id: string;
    };
    query?: {
        /**
         * `1` makes the redirect after the password repeat it: `openShare` then skips the landing page. It opens nothing. Other values are ignored.
         */
        download?: '1';
    };
    url: '/s/{share_id}';
};

export type SubmitSharePasswordErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'SHARE_PASSWORD_REQUIRED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SHARE_NOT_FOUND' | 'OBJECT_NOT_FOUND' | 'BUNDLE_EMPTY';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'BUNDLE_TOO_LARGE';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'SHARE_EXHAUSTED' | 'SHARE_EXPIRED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type SubmitSharePasswordError = SubmitSharePasswordErrors[keyof SubmitSharePasswordErrors];

export type SubmitSharePasswordResponses = {
    /**
     * The file. A link-preview robot gets a card with name and size, or with neither for a link with a password.
     */
    200: Blob | File;
};

export type SubmitSharePasswordResponse = SubmitSharePasswordResponses[keyof SubmitSharePasswordResponses];

export type OpenFileRequestData = {
    body?: never;
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
    };
    query?: never;
    url: '/r/{request_token}';
};

export type OpenFileRequestErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'FILE_REQUEST_PASSWORD_REQUIRED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_EXPIRED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type OpenFileRequestError = OpenFileRequestErrors[keyof OpenFileRequestErrors];

export type OpenFileRequestResponses = {
    /**
     * The page.
     */
    200: string;
};

export type OpenFileRequestResponse = OpenFileRequestResponses[keyof OpenFileRequestResponses];

export type SubmitFilesData = {
    body: FileRequestForm;
    headers?: {
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
    };
    query?: never;
    url: '/r/{request_token}';
};

export type SubmitFilesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_SENDER_NAME' | 'INVALID_FILE' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED' | 'INVALID_FILENAME';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'FILE_REQUEST_PASSWORD_REQUIRED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'INVALID_CONTENT_TYPE' | 'FILE_REQUEST_FULL';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_EXPIRED';
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type SubmitFilesError = SubmitFilesErrors[keyof SubmitFilesErrors];

export type SubmitFilesResponses = {
    /**
     * SubmitFilesSuccess
     *
     * What became of the files. At least one was stored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: SentFiles;
    };
};

export type SubmitFilesResponse = SubmitFilesResponses[keyof SubmitFilesResponses];

export type SubmitRequestPasswordData = {
    body: FileRequestPasswordForm;
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
    };
    query?: never;
    url: '/r/{request_token}/password';
};

export type SubmitRequestPasswordErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'FILE_REQUEST_PASSWORD_REQUIRED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_EXPIRED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type SubmitRequestPasswordError = SubmitRequestPasswordErrors[keyof SubmitRequestPasswordErrors];

export type ShowSentFilesData = {
    body?: never;
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
    };
    query?: never;
    url: '/r/{request_token}/sent';
};

export type ShowSentFilesErrors = {
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND' | 'NOTHING_SENT';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ShowSentFilesError = ShowSentFilesErrors[keyof ShowSentFilesErrors];

export type ShowSentFilesResponses = {
    /**
     * The page.
     */
    200: string;
};

export type ShowSentFilesResponse = ShowSentFilesResponses[keyof ShowSentFilesResponses];

export type GetSentReceiptData = {
    body?: never;
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
    };
    query?: never;
    url: '/r/{request_token}/receipt';
};

export type GetSentReceiptErrors = {
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND' | 'NOTHING_SENT';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetSentReceiptError = GetSentReceiptErrors[keyof GetSentReceiptErrors];

export type GetSentReceiptResponses = {
    /**
     * The receipt.
     */
    200: string;
};

export type GetSentReceiptResponse = GetSentReceiptResponses[keyof GetSentReceiptResponses];

export type StartSentUploadData = {
    body: NewSentUpload;
    headers?: {
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
    };
    query?: never;
    url: '/r/{request_token}/uploads';
};

export type StartSentUploadErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_CONDITION' | 'INVALID_BODY' | 'INVALID_FILENAME' | 'INVALID_SENT_SIZE' | 'INVALID_SENDER_NAME' | 'BLOCKED_FILE_TYPE' | 'FILE_TYPE_NOT_ALLOWED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'FILE_REQUEST_PASSWORD_REQUIRED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'FILE_REQUEST_FULL';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_EXPIRED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'FILE_TOO_LARGE' | 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'TOO_MANY_OPEN_UPLOADS' | 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type StartSentUploadError = StartSentUploadErrors[keyof StartSentUploadErrors];

export type StartSentUploadResponses = {
    /**
     * StartSentUploadSuccess
     *
     * The upload is open, or the empty file is stored.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: SentUpload;
    };
};

export type StartSentUploadResponse = StartSentUploadResponses[keyof StartSentUploadResponses];

export type DeleteSentUploadData = {
    body?: never;
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
        /**
         * The `upload` string, as in `Location` of the start or in a chunked upload.
         */
        upload: string;
    };
    query?: never;
    url: '/r/{request_token}/uploads/{upload}';
};

export type DeleteSentUploadErrors = {
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND' | 'UPLOAD_NOT_FOUND';
    };
    /**
     * Another request has it at the moment.
     */
    423: Error & {
        code?: 'UPLOAD_BUSY';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type DeleteSentUploadError = DeleteSentUploadErrors[keyof DeleteSentUploadErrors];

export type DeleteSentUploadResponses = {
    /**
     * The upload is dropped.
     */
    204: void;
};

export type DeleteSentUploadResponse = DeleteSentUploadResponses[keyof DeleteSentUploadResponses];

export type GetSentUploadData = {
    body?: never;
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
        /**
         * The `upload` string, as in `Location` of the start or in a chunked upload.
         */
        upload: string;
    };
    query?: never;
    url: '/r/{request_token}/uploads/{upload}';
};

export type GetSentUploadErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'FILE_REQUEST_PASSWORD_REQUIRED';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND' | 'UPLOAD_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'FILE_REQUEST_FULL';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_EXPIRED';
    };
    /**
     * Another request has it at the moment.
     */
    423: Error & {
        code?: 'UPLOAD_BUSY';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
     */
    429: Error & {
        code?: 'RATE_LIMITED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'UPLOAD_FAILED' | 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetSentUploadError = GetSentUploadErrors[keyof GetSentUploadErrors];

export type GetSentUploadResponses = {
    /**
     * GetSentUploadSuccess
     *
     * The upload is open, or its file is stored.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: SentUpload;
    };
};

export type GetSentUploadResponse = GetSentUploadResponses[keyof GetSentUploadResponses];

export type PutSentBytesData = {
    /**
     * Bytes of the file.
     */
    body?: Blob | File;
    headers?: {
        /**
         * Where the bytes of this request begin: what the upload has so far.
         */
        'Upload-Offset'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-Match'?: string;
        /**
         * Answers 400 and changes nothing, because this request cannot keep a condition.
         */
        'If-None-Match'?: string;
    };
    path: {
        /**
         * The secret part of the address of a file request.
         */
        request_token: string;
        /**
         * The `upload` string, as in `Location` of the start or in a chunked upload.
         */
        upload: string;
    };
    query?: never;
    url: '/r/{request_token}/uploads/{upload}';
};

export type PutSentBytesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_UPLOAD_HEADER' | 'INVALID_CONDITION';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'FILE_REQUEST_PASSWORD_REQUIRED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'INVALID_FORM_TOKEN';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'FILE_REQUEST_NOT_FOUND' | 'UPLOAD_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'UPLOAD_OFFSET_MISMATCH' | 'SIZE_MISMATCH' | 'UPLOAD_COMPLETED' | 'FILE_REQUEST_FULL';
    };
    /**
     * It is over.
     */
    410: Error & {
        code?: 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_EXPIRED';
    };
    /**
     * The content has a type that is not taken here.
     */
    415: Error & {
        code?: 'UNSUPPORTED_UPLOAD_TYPE';
    };
    /**
     * Another request has it at the moment.
     */
    423: Error & {
        code?: 'UPLOAD_BUSY';
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
    /**
     * The disk of the server is nearly full; nothing was read or stored.
     */
    507: Error & {
        code?: 'INSUFFICIENT_STORAGE';
    };
};

export type PutSentBytesError = PutSentBytesErrors[keyof PutSentBytesErrors];

export type PutSentBytesResponses = {
    /**
     * PutSentBytesSuccess
     *
     * The bytes are stored, and the file if they were the last ones.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: SentUpload;
    };
};

export type PutSentBytesResponse = PutSentBytesResponses[keyof PutSentBytesResponses];

export type GetPublicFileData = {
    body?: never;
    headers?: {
        /**
         * One byte range.
         */
        Range?: string;
        /**
         * Answers 412 unless the file has this ETag.
         */
        'If-Match'?: string;
        /**
         * Answers 412 when the file was written since.
         */
        'If-Unmodified-Since'?: string;
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
         * The account that owns the file.
         */
        account_id: string;
        /**
         * The file's key, each segment percent-encoded.
         */
        key: string;
    };
    query?: {
        /**
         * The largest width of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
         */
        w?: number;
        /**
         * The largest height of an image, from 1 to 4096 pixels. Of use only where the operator has turned image variants on.
         */
        h?: number;
        /**
         * Whether the whole image fits into width and height (`contain`, without this parameter too), or fills both and is cut around its centre (`cover`).
         */
        fit?: 'contain' | 'cover';
        /**
         * Quality of JPEG, WebP and AVIF, from 1 to 100. Without it 80, and 50 for AVIF. PNG has none.
         */
        q?: number;
        /**
         * The format of the variant. `auto`, or none, is the smallest one that `Accept` names (AVIF, WebP), or else the file's own if it is JPEG or PNG.
         */
        f?: 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';
        /**
         * The name of a preset, in place of `w`, `h`, `fit`, `q` and `f`.
         */
        preset?: string;
        /**
         * The signature of a variant that no preset names, as `sign()` of the client makes it.
         */
        sig?: string;
    };
    url: '/{account_id}/{key}';
};

export type GetPublicFileErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: string;
    /**
     * The credential or the plan does not reach this.
     */
    403: string;
    /**
     * It is not there.
     */
    404: string;
    /**
     * A condition of the request does not hold.
     */
    412: string;
    /**
     * It is too large.
     */
    413: string;
    /**
     * The content has a type that is not taken here.
     */
    415: string;
    /**
     * The range lies outside of the file.
     */
    416: string;
    /**
     * The file cannot be processed.
     */
    422: string;
    /**
     * A fault of the server; nothing was changed.
     */
    500: string;
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
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
     * The requested range.
     */
    206: Blob | File;
};

export type GetPublicFileResponse = GetPublicFileResponses[keyof GetPublicFileResponses];

export type DeleteOperatorSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/session';
};

export type DeleteOperatorSessionErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'SESSION_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type DeleteOperatorSessionError = DeleteOperatorSessionErrors[keyof DeleteOperatorSessionErrors];

export type DeleteOperatorSessionResponses = {
    /**
     * The session has ended.
     */
    200: Success;
};

export type DeleteOperatorSessionResponse = DeleteOperatorSessionResponses[keyof DeleteOperatorSessionResponses];

export type GetOperatorSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/session';
};

export type GetOperatorSessionErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetOperatorSessionError = GetOperatorSessionErrors[keyof GetOperatorSessionErrors];

export type GetOperatorSessionResponses = {
    /**
     * GetOperatorSessionSuccess
     *
     * The caller.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorSession;
    };
};

export type GetOperatorSessionResponse = GetOperatorSessionResponses[keyof GetOperatorSessionResponses];

export type StartOperatorSessionData = {
    body: NewOperatorSession;
    path?: never;
    query?: never;
    url: '/v2/operator/session';
};

export type StartOperatorSessionErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'HTTPS_REQUIRED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'CSRF_TOKEN_INVALID' | 'HOST_NOT_ALLOWED';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type StartOperatorSessionError = StartOperatorSessionErrors[keyof StartOperatorSessionErrors];

export type StartOperatorSessionResponses = {
    /**
     * StartOperatorSessionSuccess
     *
     * The session. The cookie holds its secret.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorSession;
    };
};

export type StartOperatorSessionResponse = StartOperatorSessionResponses[keyof StartOperatorSessionResponses];

export type ListAccountsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Lists only accounts whose name contains this text, or whose id begins with it. Letters of English match in upper
         * and lower case.
         *
         */
        search?: string;
        /**
         * Maximum number of accounts on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v2/operator/accounts';
};

export type ListAccountsErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_SEARCH' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListAccountsError = ListAccountsErrors[keyof ListAccountsErrors];

export type ListAccountsResponses = {
    /**
     * ListAccountsSuccess
     *
     * One page of accounts.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAccounts;
    };
};

export type ListAccountsResponse = ListAccountsResponses[keyof ListAccountsResponses];

export type CreateAccountData = {
    body: OperatorNewAccount;
    path?: never;
    query?: never;
    url: '/v2/operator/accounts';
};

export type CreateAccountErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateAccountError = CreateAccountErrors[keyof CreateAccountErrors];

export type CreateAccountResponses = {
    /**
     * CreateAccountSuccess
     *
     * The account, with its key.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorNewAccountKey;
    };
};

export type CreateAccountResponse = CreateAccountResponses[keyof CreateAccountResponses];

export type DeleteAccountData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}';
};

export type DeleteAccountErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type DeleteAccountError = DeleteAccountErrors[keyof DeleteAccountErrors];

export type DeleteAccountResponses = {
    /**
     * DeleteAccountSuccess
     *
     * The account, with the instant from which it is removed.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAccount;
    };
};

export type DeleteAccountResponse = DeleteAccountResponses[keyof DeleteAccountResponses];

export type GetAccountData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}';
};

export type GetAccountErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetAccountError = GetAccountErrors[keyof GetAccountErrors];

export type GetAccountResponses = {
    /**
     * GetAccountSuccess
     *
     * The account.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAccountDetails;
    };
};

export type GetAccountResponse = GetAccountResponses[keyof GetAccountResponses];

export type UpdateAccountData = {
    body: OperatorAccountChange;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}';
};

export type UpdateAccountErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'UPGRADE_REQUIRED' | 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type UpdateAccountError = UpdateAccountErrors[keyof UpdateAccountErrors];

export type UpdateAccountResponses = {
    /**
     * UpdateAccountSuccess
     *
     * The account afterwards.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAccount;
    };
};

export type UpdateAccountResponse = UpdateAccountResponses[keyof UpdateAccountResponses];

export type SuspendAccountData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/suspend';
};

export type SuspendAccountErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type SuspendAccountError = SuspendAccountErrors[keyof SuspendAccountErrors];

export type SuspendAccountResponses = {
    /**
     * SuspendAccountSuccess
     *
     * The account afterwards.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAccount;
    };
};

export type SuspendAccountResponse = SuspendAccountResponses[keyof SuspendAccountResponses];

export type ResumeAccountData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/resume';
};

export type ResumeAccountErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ResumeAccountError = ResumeAccountErrors[keyof ResumeAccountErrors];

export type ResumeAccountResponses = {
    /**
     * ResumeAccountSuccess
     *
     * The account afterwards.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAccount;
    };
};

export type ResumeAccountResponse = ResumeAccountResponses[keyof ResumeAccountResponses];

export type RestoreAccountData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/restore';
};

export type RestoreAccountErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RestoreAccountError = RestoreAccountErrors[keyof RestoreAccountErrors];

export type RestoreAccountResponses = {
    /**
     * RestoreAccountSuccess
     *
     * The account afterwards.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAccount;
    };
};

export type RestoreAccountResponse = RestoreAccountResponses[keyof RestoreAccountResponses];

export type GetAccountUsageData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/usage';
};

export type GetAccountUsageErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetAccountUsageError = GetAccountUsageErrors[keyof GetAccountUsageErrors];

export type GetAccountUsageResponses = {
    /**
     * GetAccountUsageSuccess
     *
     * The usage.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: AccountStats;
    };
};

export type GetAccountUsageResponse = GetAccountUsageResponses[keyof GetAccountUsageResponses];

export type GetAccountAiUsageData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: {
        /**
         * The first day in UTC. Default - 29 days before the last one.
         */
        from?: string;
        /**
         * The last day in UTC. Default - today.
         */
        to?: string;
        /**
         * What to tell apart, of `day`, `key` and `model`, joined by commas. Charges that are alike in these are added up.
         */
        group_by?: string;
        /**
         * Maximum number of groups on a page.
         */
        limit?: number;
        /**
         * Number of the page, from 1.
         */
        page?: number;
    };
    url: '/v2/operator/accounts/{account_id}/usage/ai';
};

export type GetAccountAiUsageErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_TIME_RANGE' | 'INVALID_GROUP_BY' | 'INVALID_LIMIT';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetAccountAiUsageError = GetAccountAiUsageErrors[keyof GetAccountAiUsageErrors];

export type GetAccountAiUsageResponses = {
    /**
     * GetAccountAiUsageSuccess
     *
     * The usage.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: ChatUsageHistory;
    };
};

export type GetAccountAiUsageResponse = GetAccountAiUsageResponses[keyof GetAccountAiUsageResponses];

export type ListAccountKeysData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/keys';
};

export type ListAccountKeysErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListAccountKeysError = ListAccountKeysErrors[keyof ListAccountKeysErrors];

export type ListAccountKeysResponses = {
    /**
     * ListAccountKeysSuccess
     *
     * The keys.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorKeysOfAccount;
    };
};

export type ListAccountKeysResponse = ListAccountKeysResponses[keyof ListAccountKeysResponses];

export type CreateAccountKeyData = {
    body: OperatorNewKey;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/keys';
};

export type CreateAccountKeyErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_KEY_NAME' | 'INVALID_SCOPES' | 'INVALID_RESOURCES' | 'INVALID_PREFIXES' | 'INVALID_AI_LIMITS' | 'INVALID_EXPIRES_IN' | 'CONFLICTING_RESOURCES' | 'APIKEY_LIMIT_REACHED';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateAccountKeyError = CreateAccountKeyErrors[keyof CreateAccountKeyErrors];

export type CreateAccountKeyResponses = {
    /**
     * CreateAccountKeySuccess
     *
     * The key, with its secret.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorNewKeyWithSecret;
    };
};

export type CreateAccountKeyResponse = CreateAccountKeyResponses[keyof CreateAccountKeyResponses];

export type ListAccountAppsData = {
    body?: never;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/apps';
};

export type ListAccountAppsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListAccountAppsError = ListAccountAppsErrors[keyof ListAccountAppsErrors];

export type ListAccountAppsResponses = {
    /**
     * ListAccountAppsSuccess
     *
     * The applications.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorApps;
    };
};

export type ListAccountAppsResponse = ListAccountAppsResponses[keyof ListAccountAppsResponses];

export type CreateAccountAppData = {
    body: OperatorAppName;
    path: {
        /**
         * Id of the account.
         */
        account_id: string;
    };
    query?: never;
    url: '/v2/operator/accounts/{account_id}/apps';
};

export type CreateAccountAppErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'ACCOUNT_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type CreateAccountAppError = CreateAccountAppErrors[keyof CreateAccountAppErrors];

export type CreateAccountAppResponses = {
    /**
     * CreateAccountAppSuccess
     *
     * The application.
     */
    201: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: App;
    };
};

export type CreateAccountAppResponse = CreateAccountAppResponses[keyof CreateAccountAppResponses];

export type RevokeAccountKeyData = {
    body?: never;
    path: {
        /**
         * Id of the key.
         */
        id: string;
    };
    query?: never;
    url: '/v2/operator/keys/{id}';
};

export type RevokeAccountKeyErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APIKEY_NOT_FOUND';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RevokeAccountKeyError = RevokeAccountKeyErrors[keyof RevokeAccountKeyErrors];

export type RevokeAccountKeyResponses = {
    /**
     * RevokeAccountKeySuccess
     *
     * The key is revoked.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorRevokedKey;
    };
};

export type RevokeAccountKeyResponse = RevokeAccountKeyResponses[keyof RevokeAccountKeyResponses];

export type UpdateAccountKeyData = {
    body: KeyChange;
    path: {
        /**
         * Id of the key.
         */
        id: string;
    };
    query?: never;
    url: '/v2/operator/keys/{id}';
};

export type UpdateAccountKeyErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_BODY' | 'INVALID_AI_LIMITS';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'APIKEY_NOT_FOUND';
    };
    /**
     * It is too large.
     */
    413: Error & {
        code?: 'BODY_TOO_LARGE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE' | 'SERVER_OVERLOADED';
    };
};

export type UpdateAccountKeyError = UpdateAccountKeyErrors[keyof UpdateAccountKeyErrors];

export type UpdateAccountKeyResponses = {
    /**
     * UpdateAccountKeySuccess
     *
     * The key afterwards.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorKeyOfAccount;
    };
};

export type UpdateAccountKeyResponse = UpdateAccountKeyResponses[keyof UpdateAccountKeyResponses];

export type ListJobsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/jobs';
};

export type ListJobsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListJobsError = ListJobsErrors[keyof ListJobsErrors];

export type ListJobsResponses = {
    /**
     * ListJobsSuccess
     *
     * The jobs.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorJobs;
    };
};

export type ListJobsResponse = ListJobsResponses[keyof ListJobsResponses];

export type RunJobData = {
    body?: never;
    path: {
        /**
         * Name of the job.
         */
        job: string;
    };
    query?: never;
    url: '/v2/operator/jobs/{job}/run';
};

export type RunJobErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It is not there.
     */
    404: Error & {
        code?: 'JOB_NOT_FOUND';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'CLOCK_JUMPED';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type RunJobError = RunJobErrors[keyof RunJobErrors];

export type RunJobResponses = {
    /**
     * RunJobSuccess
     *
     * The job is done.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorJobResult;
    };
    /**
     * RunJobSuccess
     *
     * The job goes on.
     */
    202: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorJobResult;
    };
};

export type RunJobResponse = RunJobResponses[keyof RunJobResponses];

export type ConfirmClockData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/clock/confirm';
};

export type ConfirmClockErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ConfirmClockError = ConfirmClockErrors[keyof ConfirmClockErrors];

export type ConfirmClockResponses = {
    /**
     * ConfirmClockSuccess
     *
     * Automatic deletion continues.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorClock;
    };
};

export type ConfirmClockResponse = ConfirmClockResponses[keyof ConfirmClockResponses];

export type GetConfigurationData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/configuration';
};

export type GetConfigurationErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetConfigurationError = GetConfigurationErrors[keyof GetConfigurationErrors];

export type GetConfigurationResponses = {
    /**
     * GetConfigurationSuccess
     *
     * The settings.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorConfiguration;
    };
};

export type GetConfigurationResponse = GetConfigurationResponses[keyof GetConfigurationResponses];

export type GetInstallationData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/installation';
};

export type GetInstallationErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetInstallationError = GetInstallationErrors[keyof GetInstallationErrors];

export type GetInstallationResponses = {
    /**
     * GetInstallationSuccess
     *
     * The installation.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorInstallation;
    };
};

export type GetInstallationResponse = GetInstallationResponses[keyof GetInstallationResponses];

export type ListBackupsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/backups';
};

export type ListBackupsErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'BACKUP_TARGET_MISSING' | 'BACKUP_TARGET_UNUSABLE';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListBackupsError = ListBackupsErrors[keyof ListBackupsErrors];

export type ListBackupsResponses = {
    /**
     * ListBackupsSuccess
     *
     * The generations.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorBackups;
    };
};

export type ListBackupsResponse = ListBackupsResponses[keyof ListBackupsResponses];

export type StartBackupData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/backups';
};

export type StartBackupErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * It conflicts with what is there.
     */
    409: Error & {
        code?: 'BACKUP_TARGET_MISSING' | 'BACKUP_RUNNING';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type StartBackupError = StartBackupErrors[keyof StartBackupErrors];

export type StartBackupResponses = {
    /**
     * StartBackupSuccess
     *
     * The backup has begun.
     */
    202: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorBackupRun;
    };
};

export type StartBackupResponse = StartBackupResponses[keyof StartBackupResponses];

export type GetUpkeepData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/upkeep';
};

export type GetUpkeepErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type GetUpkeepError = GetUpkeepErrors[keyof GetUpkeepErrors];

export type GetUpkeepResponses = {
    /**
     * GetUpkeepSuccess
     *
     * Backups and the scrub.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorUpkeep;
    };
};

export type GetUpkeepResponse = GetUpkeepResponses[keyof GetUpkeepResponses];

export type StartScrubData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/scrub';
};

export type StartScrubErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type StartScrubError = StartScrubErrors[keyof StartScrubErrors];

export type StartScrubResponses = {
    /**
     * StartScrubSuccess
     *
     * The round goes on, or has begun.
     */
    202: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorScrub;
    };
};

export type StartScrubResponse = StartScrubResponses[keyof StartScrubResponses];

export type ListPurgesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Maximum number of purges on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v2/operator/purges';
};

export type ListPurgesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListPurgesError = ListPurgesErrors[keyof ListPurgesErrors];

export type ListPurgesResponses = {
    /**
     * ListPurgesSuccess
     *
     * One page of purges.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorPurges;
    };
};

export type ListPurgesResponse = ListPurgesResponses[keyof ListPurgesResponses];

export type ListAuditEntriesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Leaves out entries before this time.
         */
        since?: string;
        /**
         * Maximum number of entries on a page.
         */
        limit?: number;
        /**
         * The `continuationToken` of the previous page.
         */
        cursor?: string;
        /**
         * The other name of `cursor`; send one of the two.
         */
        continuationToken?: string;
    };
    url: '/v2/operator/audit';
};

export type ListAuditEntriesErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_TIME_RANGE' | 'INVALID_LIMIT' | 'INVALID_CONTINUATION_TOKEN';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListAuditEntriesError = ListAuditEntriesErrors[keyof ListAuditEntriesErrors];

export type ListAuditEntriesResponses = {
    /**
     * ListAuditEntriesSuccess
     *
     * One page of entries.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAuditPage;
    };
};

export type ListAuditEntriesResponse = ListAuditEntriesResponses[keyof ListAuditEntriesResponses];

export type VerifyAuditLogData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The last entry of an earlier check, as its sequence, a colon and its hash. It must still be there.
         */
        expect?: string;
    };
    url: '/v2/operator/audit/verify';
};

export type VerifyAuditLogErrors = {
    /**
     * The request is refused; `code` says why.
     */
    400: Error & {
        code?: 'INVALID_AUDIT_PLACE';
    };
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type VerifyAuditLogError = VerifyAuditLogErrors[keyof VerifyAuditLogErrors];

export type VerifyAuditLogResponses = {
    /**
     * VerifyAuditLogSuccess
     *
     * The result of the check.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorAuditVerdict;
    };
};

export type VerifyAuditLogResponse = VerifyAuditLogResponses[keyof VerifyAuditLogResponses];

export type ListReplicasData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v2/operator/replicas';
};

export type ListReplicasErrors = {
    /**
     * The credential is missing or not valid, or the account may not do this.
     */
    401: Error & {
        code?: 'ACCESS_DENIED';
    };
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED' | 'CSRF_TOKEN_INVALID';
    };
    /**
     * Too much at once. `Retry-After` says when to try again.
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
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'STORAGE_UNAVAILABLE';
    };
};

export type ListReplicasError = ListReplicasErrors[keyof ListReplicasErrors];

export type ListReplicasResponses = {
    /**
     * ListReplicasSuccess
     *
     * The servers.
     */
    200: {
        /**
         * Says that it is done.
         */
        status: 'success';
        response: OperatorReplicas;
    };
};

export type ListReplicasResponse = ListReplicasResponses[keyof ListReplicasResponses];

export type GetLivenessData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/livez';
};

export type GetLivenessErrors = {
    /**
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED';
    };
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
     * The process is alive.
     */
    200: Success;
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
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED';
    };
    /**
     * A fault of the server; nothing was changed.
     */
    500: Error & {
        code?: 'INTERNAL_SERVER_ERROR';
    };
    /**
     * The service cannot do this at the moment. Try again, after the seconds of `Retry-After` if it is there.
     */
    503: Error & {
        code?: 'NOT_READY';
    };
};

export type GetReadinessError = GetReadinessErrors[keyof GetReadinessErrors];

export type GetReadinessResponses = {
    /**
     * The process can serve.
     */
    200: Readiness;
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
     * The credential or the plan does not reach this.
     */
    403: Error & {
        code?: 'HOST_NOT_ALLOWED';
    };
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

export type ReceiveObjectCreatedWebhookPayload = Event & {
    type?: 'object.created';
    data?: EventFileData;
};

export type ReceiveObjectCreatedWebhookRequest = {
    body: ReceiveObjectCreatedWebhookPayload;
    key: 'object.created';
    path?: never;
    query?: never;
};

export type ReceiveObjectReplacedWebhookPayload = Event & {
    type?: 'object.replaced';
    data?: EventFileData;
};

export type ReceiveObjectReplacedWebhookRequest = {
    body: ReceiveObjectReplacedWebhookPayload;
    key: 'object.replaced';
    path?: never;
    query?: never;
};

export type ReceiveObjectUpdatedWebhookPayload = Event & {
    type?: 'object.updated';
    data?: EventFileData;
};

export type ReceiveObjectUpdatedWebhookRequest = {
    body: ReceiveObjectUpdatedWebhookPayload;
    key: 'object.updated';
    path?: never;
    query?: never;
};

export type ReceiveObjectMovedWebhookPayload = Event & {
    type?: 'object.moved';
    data?: EventFileData;
};

export type ReceiveObjectMovedWebhookRequest = {
    body: ReceiveObjectMovedWebhookPayload;
    key: 'object.moved';
    path?: never;
    query?: never;
};

export type ReceiveObjectVisibilityChangedWebhookPayload = Event & {
    type?: 'object.visibility_changed';
    data?: EventFileData;
};

export type ReceiveObjectVisibilityChangedWebhookRequest = {
    body: ReceiveObjectVisibilityChangedWebhookPayload;
    key: 'object.visibility_changed';
    path?: never;
    query?: never;
};

export type ReceiveObjectExpiryChangedWebhookPayload = Event & {
    type?: 'object.expiry_changed';
    data?: EventFileData;
};

export type ReceiveObjectExpiryChangedWebhookRequest = {
    body: ReceiveObjectExpiryChangedWebhookPayload;
    key: 'object.expiry_changed';
    path?: never;
    query?: never;
};

export type ReceiveObjectDeletedWebhookPayload = Event & {
    type?: 'object.deleted';
    data?: EventFileData;
};

export type ReceiveObjectDeletedWebhookRequest = {
    body: ReceiveObjectDeletedWebhookPayload;
    key: 'object.deleted';
    path?: never;
    query?: never;
};

export type ReceiveObjectExpiredWebhookPayload = Event & {
    type?: 'object.expired';
    data?: EventFileData;
};

export type ReceiveObjectExpiredWebhookRequest = {
    body: ReceiveObjectExpiredWebhookPayload;
    key: 'object.expired';
    path?: never;
    query?: never;
};

export type ReceiveObjectRestoredWebhookPayload = Event & {
    type?: 'object.restored';
    data?: EventFileData;
};

export type ReceiveObjectRestoredWebhookRequest = {
    body: ReceiveObjectRestoredWebhookPayload;
    key: 'object.restored';
    path?: never;
    query?: never;
};

export type ReceiveObjectPurgedWebhookPayload = Event & {
    type?: 'object.purged';
    data?: EventFileData;
};

export type ReceiveObjectPurgedWebhookRequest = {
    body: ReceiveObjectPurgedWebhookPayload;
    key: 'object.purged';
    path?: never;
    query?: never;
};

export type ReceiveUploadStartedWebhookPayload = Event & {
    type?: 'upload.started';
    data?: EventUploadData;
};

export type ReceiveUploadStartedWebhookRequest = {
    body: ReceiveUploadStartedWebhookPayload;
    key: 'upload.started';
    path?: never;
    query?: never;
};

export type ReceiveUploadCompletedWebhookPayload = Event & {
    type?: 'upload.completed';
    data?: EventUploadData;
};

export type ReceiveUploadCompletedWebhookRequest = {
    body: ReceiveUploadCompletedWebhookPayload;
    key: 'upload.completed';
    path?: never;
    query?: never;
};

export type ReceiveUploadAbortedWebhookPayload = Event & {
    type?: 'upload.aborted';
    data?: EventUploadData;
};

export type ReceiveUploadAbortedWebhookRequest = {
    body: ReceiveUploadAbortedWebhookPayload;
    key: 'upload.aborted';
    path?: never;
    query?: never;
};

export type ReceiveShareCreatedWebhookPayload = Event & {
    type?: 'share.created';
    data?: EventShareData;
};

export type ReceiveShareCreatedWebhookRequest = {
    body: ReceiveShareCreatedWebhookPayload;
    key: 'share.created';
    path?: never;
    query?: never;
};

export type ReceiveShareUpdatedWebhookPayload = Event & {
    type?: 'share.updated';
    data?: EventShareData;
};

export type ReceiveShareUpdatedWebhookRequest = {
    body: ReceiveShareUpdatedWebhookPayload;
    key: 'share.updated';
    path?: never;
    query?: never;
};

export type ReceiveShareVisitedWebhookPayload = Event & {
    type?: 'share.visited';
    data?: EventShareData;
};

export type ReceiveShareVisitedWebhookRequest = {
    body: ReceiveShareVisitedWebhookPayload;
    key: 'share.visited';
    path?: never;
    query?: never;
};

export type ReceiveShareDownloadedWebhookPayload = Event & {
    type?: 'share.downloaded';
    data?: EventShareData;
};

export type ReceiveShareDownloadedWebhookRequest = {
    body: ReceiveShareDownloadedWebhookPayload;
    key: 'share.downloaded';
    path?: never;
    query?: never;
};

export type ReceiveShareSpentWebhookPayload = Event & {
    type?: 'share.spent';
    data?: EventShareData;
};

export type ReceiveShareSpentWebhookRequest = {
    body: ReceiveShareSpentWebhookPayload;
    key: 'share.spent';
    path?: never;
    query?: never;
};

export type ReceiveShareEndedWebhookPayload = Event & {
    type?: 'share.ended';
    data?: EventShareData;
};

export type ReceiveShareEndedWebhookRequest = {
    body: ReceiveShareEndedWebhookPayload;
    key: 'share.ended';
    path?: never;
    query?: never;
};

export type ReceiveFileRequestCreatedWebhookPayload = Event & {
    type?: 'file_request.created';
    data?: EventFileRequestData;
};

export type ReceiveFileRequestCreatedWebhookRequest = {
    body: ReceiveFileRequestCreatedWebhookPayload;
    key: 'file_request.created';
    path?: never;
    query?: never;
};

export type ReceiveFileRequestUpdatedWebhookPayload = Event & {
    type?: 'file_request.updated';
    data?: EventFileRequestData;
};

export type ReceiveFileRequestUpdatedWebhookRequest = {
    body: ReceiveFileRequestUpdatedWebhookPayload;
    key: 'file_request.updated';
    path?: never;
    query?: never;
};

export type ReceiveFileRequestReceivedWebhookPayload = Event & {
    type?: 'file_request.received';
    data?: EventFileRequestData;
};

export type ReceiveFileRequestReceivedWebhookRequest = {
    body: ReceiveFileRequestReceivedWebhookPayload;
    key: 'file_request.received';
    path?: never;
    query?: never;
};

export type ReceiveFileRequestFullWebhookPayload = Event & {
    type?: 'file_request.full';
    data?: EventFileRequestData;
};

export type ReceiveFileRequestFullWebhookRequest = {
    body: ReceiveFileRequestFullWebhookPayload;
    key: 'file_request.full';
    path?: never;
    query?: never;
};

export type ReceiveFileRequestEndedWebhookPayload = Event & {
    type?: 'file_request.ended';
    data?: EventFileRequestData;
};

export type ReceiveFileRequestEndedWebhookRequest = {
    body: ReceiveFileRequestEndedWebhookPayload;
    key: 'file_request.ended';
    path?: never;
    query?: never;
};

export type ReceiveUploadTokenUsedUpWebhookPayload = Event & {
    type?: 'upload_token.used_up';
    data?: EventTokenData;
};

export type ReceiveUploadTokenUsedUpWebhookRequest = {
    body: ReceiveUploadTokenUsedUpWebhookPayload;
    key: 'upload_token.used_up';
    path?: never;
    query?: never;
};

export type ReceiveQuotaReachedWebhookPayload = Event & {
    type?: 'quota.reached';
    data?: EventQuotaData;
};

export type ReceiveQuotaReachedWebhookRequest = {
    body: ReceiveQuotaReachedWebhookPayload;
    key: 'quota.reached';
    path?: never;
    query?: never;
};

export type ReceiveAiBudgetReachedWebhookPayload = Event & {
    type?: 'ai.budget_reached';
    data?: EventBudgetData;
};

export type ReceiveAiBudgetReachedWebhookRequest = {
    body: ReceiveAiBudgetReachedWebhookPayload;
    key: 'ai.budget_reached';
    path?: never;
    query?: never;
};

export type ReceiveKeyCreatedWebhookPayload = Event & {
    type?: 'key.created';
    data?: EventKeyData;
};

export type ReceiveKeyCreatedWebhookRequest = {
    body: ReceiveKeyCreatedWebhookPayload;
    key: 'key.created';
    path?: never;
    query?: never;
};

export type ReceiveKeyUpdatedWebhookPayload = Event & {
    type?: 'key.updated';
    data?: EventKeyData;
};

export type ReceiveKeyUpdatedWebhookRequest = {
    body: ReceiveKeyUpdatedWebhookPayload;
    key: 'key.updated';
    path?: never;
    query?: never;
};

export type ReceiveKeyRevokedWebhookPayload = Event & {
    type?: 'key.revoked';
    data?: EventKeyData;
};

export type ReceiveKeyRevokedWebhookRequest = {
    body: ReceiveKeyRevokedWebhookPayload;
    key: 'key.revoked';
    path?: never;
    query?: never;
};

export type ReceiveDeployQueuedWebhookPayload = Event & {
    type?: 'deploy.queued';
    data?: EventDeployData;
};

export type ReceiveDeployQueuedWebhookRequest = {
    body: ReceiveDeployQueuedWebhookPayload;
    key: 'deploy.queued';
    path?: never;
    query?: never;
};

export type ReceiveDeployStartedWebhookPayload = Event & {
    type?: 'deploy.started';
    data?: EventDeployData;
};

export type ReceiveDeployStartedWebhookRequest = {
    body: ReceiveDeployStartedWebhookPayload;
    key: 'deploy.started';
    path?: never;
    query?: never;
};

export type ReceiveDeployEndedWebhookPayload = Event & {
    type?: 'deploy.ended';
    data?: EventDeployData;
};

export type ReceiveDeployEndedWebhookRequest = {
    body: ReceiveDeployEndedWebhookPayload;
    key: 'deploy.ended';
    path?: never;
    query?: never;
};

export type ReceiveDeployFilteredWebhookPayload = Event & {
    type?: 'deploy.filtered';
    data?: EventPushData;
};

export type ReceiveDeployFilteredWebhookRequest = {
    body: ReceiveDeployFilteredWebhookPayload;
    key: 'deploy.filtered';
    path?: never;
    query?: never;
};

export type ReceiveWebhookTestWebhookPayload = Event & {
    type?: 'webhook.test';
    data?: EventTestData;
};

export type ReceiveWebhookTestWebhookRequest = {
    body: ReceiveWebhookTestWebhookPayload;
    key: 'webhook.test';
    path?: never;
    query?: never;
};
