// Made from openapi/ by `npm run generate`. Never edit it by hand.
import { client } from './client.js';
import { formDataBodySerializer } from './client/index.js';
/**
 * Delete files
 *
 * Deletes one file (`object`, or `objects` with one entry) or up to 100 (`objects`). A single missing file answers 404;
 * several answer a report of what was deleted, not found and failed. Deletion cannot be undone.
 *
 */
export const deleteObjects = (options) => (options.client ?? client).delete({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});
/**
 * List files
 *
 * Lists the account's files in byte order of their keys, public ones first, then private, then legacy. Up to 1000 on a
 * page; `continuationToken` of one page asks for the next and is absent on the last. With `delimiter=/` what lies
 * deeper than the next `/` is rolled up into `folders`; files and folders count towards `limit` together.
 *
 */
export const listObjects = (options) => (options?.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects',
    ...options
});
/**
 * Upload one file
 *
 * Takes one file of 512 bytes to 104,857,600 bytes as multipart/form-data with exactly one part, `file`. Larger files
 * go in chunks.
 *
 * The stored key is `[prefix/]name[_hash][-exN].ext`. The extension comes from the uploaded filename, else from the
 * part's MIME type, else it is `bin`. Uploading the same name again replaces the file, unless `overwrite=false`.
 * What is answered as stored survives a power cut.
 *
 */
export const uploadObject = (options) => (options.client ?? client).post({
    ...formDataBodySerializer,
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }, {
            key: 'uploadToken',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects',
    ...options,
    headers: {
        'Content-Type': null,
        ...options.headers
    }
});
/**
 * File details
 *
 * Everything that is known of one file.
 */
export const getObjectInfo = (options) => (options.client ?? client).get({
    security: [{
            key: 'apiKey',
            name: 'Authorization',
            type: 'apiKey'
        }],
    url: '/v1/objects/info',
    ...options
});
/**
 * Fetch a public file
 *
 * Serves a public file on the public host. Byte ranges and conditional requests work as in RFC 9110; `HEAD` answers the
 * headers alone. Types that a browser would run or render as a document with script are served as
 * `application/octet-stream` attachments. `key` may carry slashes.
 *
 */
export const getPublicFile = (options) => (options.client ?? client).get({ url: '/{account_id}/{key}', ...options });
/**
 * Is the process alive
 *
 * Answers as long as the process runs. For a supervisor that restarts it.
 */
export const getLiveness = (options) => (options?.client ?? client).get({ url: '/livez', ...options });
/**
 * Can the process serve
 *
 * Answers 200 while the stores answer and no stop is under way. For a load balancer.
 */
export const getReadiness = (options) => (options?.client ?? client).get({ url: '/readyz', ...options });
/**
 * Counters for Prometheus
 *
 * Counters and histograms in the Prometheus text format. They name no account, key or file.
 */
export const getMetrics = (options) => (options?.client ?? client).get({ url: '/metrics', ...options });
