import { bodySchema, operationsOf, resolve, type Json } from '#openapi/codegen/document.ts';
import { table } from '#openapi/build/pages/page.ts';
import { usageKeptDays } from '#server/domain/account/usage-days.ts';
import { dayMs } from '#server/domain/day.ts';
import * as limits from '#server/domain/limits.ts';
import { maxFileTextBytes } from '#server/features/chat/file-texts/named-files.ts';
import { maxPdfBytes } from '#server/features/chat/file-texts/pdf-reader.ts';
import { completionDeadlineMs } from '#server/features/chat/serve.ts';
import { chatUsageKeptMs } from '#server/features/chat/usage/forget-chat-usage.ts';
import * as deploys from '#server/features/deploys/limits.ts';
import * as devices from '#server/features/devices/limits.ts';
import { edgeErrorsKeptMs } from '#server/features/edge-errors/forget-edge-errors.ts';
import * as fileRequests from '#server/features/file-requests/limits.ts';
import { maxFolderJobs } from '#server/features/folders/folder-job.ts';
import { renderLimits } from '#server/features/images/backends/render-process.ts';
import * as s3 from '#server/features/s3/limits.ts';
import * as shares from '#server/features/shares/limits.ts';
import { consoleKeepDays } from '#server/features/trash/kept-days.ts';
import { maxPinnedBytes } from '#server/features/upload-tokens/parse-pins.ts';
import * as uploads from '#server/features/uploads/limits.ts';
import { deliveriesKeptMs, failingMs, retryDelaysMs } from '#server/features/webhooks/delivery.ts';
import { maxWebhooks } from '#server/features/webhooks/webhook.ts';

/** A row of a table: what is limited, and the limit. */
type Row = readonly [what: string, limit: string];

const units = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
] as const;

/** Formats bytes in the largest unit that divides them: `104857600` as `100 MiB`, `512` as `512 bytes`. */
export function size(bytes: number): string {
  const [unit, each] = units.find(([, one]) => bytes % one === 0) ?? ['bytes', 1];
  return `${(bytes / each).toLocaleString('en-US')} ${unit}`;
}

const times = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Formats milliseconds in the largest unit that divides them: `900000` as `15 minutes`. */
export function time(ms: number): string {
  const [unit, each] = times.find(([, one]) => ms % one === 0)!;
  const number = ms / each;
  return `${number.toLocaleString('en-US')} ${unit}${number === 1 ? '' : 's'}`;
}

const number = (value: number): string => value.toLocaleString('en-US');
const seconds = (value: number): string => time(value * 1000);

/** Returns a function that finds the schema of a field of a request, in its body or its query. */
function fieldsOf(document: Json): (operation: string, field: string) => Json {
  const operations = new Map(operationsOf(document).map((one) => [one.id, one.spec]));
  const inSchema = (schema: Json, field: string): Json | undefined => {
    const { properties, allOf = [], oneOf = [], anyOf = [] } = resolve(document, schema);
    if (properties?.[field]) return resolve(document, properties[field]);
    return [...allOf, ...oneOf, ...anyOf].map((part) => inSchema(part, field)).find(Boolean);
  };
  return (operation, field) => {
    const spec = operations.get(operation)!;
    const query = (spec.parameters ?? [])
      .map((one: Json) => resolve(document, one))
      .find(({ name }: Json) => name === field);
    const body = bodySchema(spec);
    const found = query ? resolve(document, query.schema) : body && inSchema(resolve(document, body), field);
    if (!found) throw new Error(`${operation} has no field ${field}`);
    return found;
  };
}

/** Returns the sections about sizes, numbers and times, with the figures of the contract and of the server. */
export function sizeSections(document: Json): string {
  const field = fieldsOf(document);
  const most = (operation: string, name: string): number => {
    const { maximum, maxItems, maxLength } = field(operation, name);
    return maximum ?? maxItems ?? maxLength;
  };
  const range = (operation: string, name: string, format = number): string =>
    `${format(field(operation, name).minimum ?? field(operation, name).minLength)} to ${format(most(operation, name))}`;
  const spec = (id: string): Json => operationsOf(document).find((one) => one.id === id)!.spec;
  const atOnceOf = (id: string): string => number(spec(id)['x-concurrency'].limit);

  const sections: ReadonlyArray<readonly [title: string, rows: readonly Row[], words?: string]> = [
    [
      'File sizes and uploads',
      [
        ['size of a file in one request', `${size(limits.minUploadBytes)} to ${size(limits.maxUploadBytes)}`],
        [
          'size of a file in parts, by tus or by the uploader: the maximum',
          `${size(limits.minUploadBytes)} to ${size(uploads.maxChunkedUploadBytes)}`,
        ],
        ['a part; the last one may be smaller', `${size(limits.minPartBytes)} to ${size(limits.maxPartBytes)}`],
        ['parts of a file', number(uploads.maxParts)],
        ['uploads of an account at once', atOnceOf('uploadObject')],
        ['parts of an account at once', atOnceOf('putChunkedPart')],
        ['open uploads of an account', number(uploads.maxOpenUploads)],
        ['an open upload without new bytes ends after', time(limits.chunkedUploadIdleMs)],
        ['files of one page of a list', number(most('listObjects', 'limit'))],
        ['files of one deletion', number(most('deleteObjects', 'objects'))],
        ['files of one change', number(most('updateObjects', 'objects'))],
        ['jobs over folders of an account at once', number(maxFolderJobs)],
        ['days that the trash keeps a file', `up to ${most('deleteObjects', 'keep_deleted_days')}`],
      ],
    ],
    [
      'Names and metadata',
      [
        ['name of a file', '1 to 128 letters, digits, `_`, `.` and `-`'],
        ['name that people see, `original_name`', `${number(most('updateObjects', 'original_name'))} characters`],
        ['prefix', 'up to 8 folders of up to 64 such characters, 256 in all'],
        ['metadata', `${limits.maxMetadataKeys} keys, ${size(limits.maxMetadataBytes)} in all`],
        ['key over S3', `${size(s3.maxS3KeyBytes)} of UTF-8`],
        ['user metadata over S3', size(s3.maxS3MetadataBytes)],
      ],
      'The patterns of names and prefixes are in the reference of each operation.',
    ],
    [
      'S3',
      [
        ['a file in one request', `up to ${size(s3.maxS3PutBytes)}`],
        ['a multipart upload', `up to ${size(uploads.maxChunkedUploadBytes)}`],
        ['a part; the last one may be smaller', `${size(limits.minPartBytes)} to ${size(limits.maxListedPartBytes)}`],
        ['parts of a file', number(s3.maxS3PartNumber)],
        ['open multipart uploads of an account', number(s3.maxOpenS3Uploads)],
        ['files and parts of an account at once', number(s3.maxS3WritesAtOnce)],
        ['keys of one page of a list, and of one deletion', number(s3.maxS3Keys)],
        ['a presigned address is valid for', `up to ${seconds(s3.maxPresignedSeconds)}`],
        ['clocks of client and server differ by', `up to ${time(s3.maxClockSkewMs)}`],
      ],
    ],
    [
      'Links, tokens and file requests',
      [
        ['a temporary link is valid for', range('getDownloadLink', 'expires', seconds)],
        ['a share link is valid for', range('createShare', 'expires_in', seconds)],
        ['downloads of a share link with a cap', range('createShare', 'max_downloads')],
        ['password of a share link or a file request', `${range('createShare', 'password')} characters`],
        ['active share links of an account', number(shares.maxActiveShares)],
        ['files of a link to a list', number(most('createShare', 'objects'))],
        ['files of a link to a folder', number(shares.maxBundleFiles)],
        ['an upload token is valid for', range('createUploadToken', 'expires_in', seconds)],
        ['uses of an upload token', range('createUploadToken', 'max_uses')],
        ['options that an upload token pins', `${size(maxPinnedBytes)} of JSON`],
        [
          'extensions, origins of an upload token',
          `${most('createUploadToken', 'allowed_extensions')}, ${most('createUploadToken', 'allowed_origins')}`,
        ],
        ['file requests of an account', number(fileRequests.maxFileRequests)],
        ['a file that is sent to a file request', `up to ${size(fileRequests.maxSentFileBytes)}`],
        [
          'files, bytes of a file request',
          `${number(most('createFileRequest', 'max_files'))}, ${size(most('createFileRequest', 'max_bytes'))}`,
        ],
        ['the deadline of a file request', `up to ${time(fileRequests.maxDeadlineAheadMs)} ahead`],
        [
          'unfinished files of a sender, an address, a file request',
          [fileRequests.maxUploadsOfSender, fileRequests.maxUploadsOfAddress, fileRequests.maxUploadsOfRequest]
            .map(number)
            .join(', '),
        ],
      ],
    ],
    [
      'Accounts and sign-in',
      [
        ['live API keys of an account', number(limits.maxLiveKeys)],
        ['prefixes of a key', number(most('createKey', 'prefixes'))],
        [
          'failed credentials of an address in a minute',
          `${limits.failedCredentials.limit}, then blocked for ${time(limits.failedCredentials.blockMs)}`,
        ],
        [
          'a session of the console',
          `${time(limits.browserSessionMs)}, or ${time(limits.rememberedSessionMs)} if it stays signed in`,
        ],
        ['sessions of a key', number(limits.maxBrowserSessions)],
        ['a code of device approval', time(devices.deviceCodeLifetimeMs)],
        ['a key that was approved for a device', time(devices.deviceKeyLifetimeMs)],
        ['image presets of an account', number(most('replaceSettings', 'image_presets'))],
      ],
    ],
    [
      'Webhooks and events',
      [
        ['webhooks of an account', number(maxWebhooks)],
        ['types, prefixes of a webhook', `${most('createWebhook', 'types')}, ${most('createWebhook', 'prefixes')}`],
        ['attempts of a delivery', number(retryDelaysMs.length + 1)],
        ['pauses between them', `${retryDelaysMs.map(time).join(', ')}`],
        ['a webhook without a success is disabled after', time(failingMs)],
      ],
    ],
    [
      'Requests, images and models',
      [
        ['a JSON body', `${size(limits.maxJsonBodyBytes)}, ${limits.maxJsonDepth} levels`],
        ['pixels of an image with variants', number(renderLimits.mostPixels)],
        ['time, memory for a variant', `${time(renderLimits.timeoutMs)}, ${size(renderLimits.mostMemoryBytes)}`],
        ['a request to a model', time(completionDeadlineMs)],
        ['texts of files in a request to a model', size(maxFileTextBytes)],
        ['a PDF whose text a model gets', size(maxPdfBytes)],
      ],
    ],
    [
      'How long things are kept',
      [
        ['activity of an account', time(limits.activityKeptMs)],
        ['usage by day', `${usageKeptDays} days`],
        ['usage of models', time(chatUsageKeptMs)],
        ['ended deliveries of webhooks', time(deliveriesKeptMs)],
        ['errors at the edge', time(edgeErrorsKeptMs)],
        ['output of a deploy', `${size(deploys.maxDeployLogBytes)}, ${time(deploys.deployLogKeptMs)}`],
        ['an expired share link says that it has expired', time(shares.endedSharesKeptMs)],
        ['a sender of a file request is known', time(fileRequests.senderKnownMs)],
        ['a deleted account can be restored', time(limits.deletedAccountsKeptMs)],
        ['what is deleted in the console, unless you choose', time(consoleKeepDays * dayMs)],
      ],
      'The operator sets how long events are kept: `CUBBY_EVENTS_DAYS`.',
    ],
  ];
  return sections
    .map(
      ([title, rows, words]) =>
        `## ${title}\n\n${table(['what', 'limit'], rows)}${words === undefined ? '' : `\n${words}\n`}`,
    )
    .join('\n');
}
