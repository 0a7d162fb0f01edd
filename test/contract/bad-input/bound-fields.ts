import type { ErrorCode } from '#generated/errors.ts';
import type { OperationId } from '#generated/policies.ts';
import { scopes } from '#server/domain/access/scope.ts';
import { sha256 } from '#test/support/files.ts';
import { smallest } from './multipart.ts';

/** The things that a field can name. Each is made on first use. */
export interface World {
  /** A file of the account. */
  file(): Promise<string>;
  /** A file of another account. */
  foreign(): Promise<string>;
  /** The `upload` string of an upload whose one part has the bytes of {@link smallest}. */
  handle(): Promise<string>;
  shareId(): Promise<string>;
  fileRequestId(): Promise<string>;
  /** The API key of the account. */
  credential(): Promise<string>;
  operatorKey(): Promise<string>;
}

/** A value to send, or a function of the {@link World} that makes it. `undefined` leaves the field out. */
export type Value = unknown;

/** One field of an operation, with values that show its decoder, its limits and its code. */
export interface BoundField {
  /** The name in `policies`: `/` separates the steps into a body, `*` is an entry of a list. */
  readonly field: string;
  readonly refuses: Readonly<Partial<Record<ErrorCode, readonly Value[]>>>;
  readonly takes: readonly Value[];
}

export interface BoundOperation {
  readonly operation: OperationId;
  /** The other fields of the request. */
  readonly beside?: (world: World) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  readonly fields: readonly BoundField[];
}

type Reads = (field: string, code: ErrorCode) => BoundField;

const bound =
  (bad: readonly Value[], good: readonly Value[]): Reads =>
  (field, code) => ({ field, refuses: { [code]: bad }, takes: good });

/**
 * Fields of query strings, by their decoder. list-objects.test.ts and upload-fields.test.ts test everything that each
 * rejects.
 */
const inQuery = {
  boolean: bound(['', 'yes', 'TRUE', '2'], ['0', 'true']),
  integer: (minimum: number, maximum: number) =>
    bound(['', minimum - 1, maximum + 1, `${minimum}.0`], [minimum, maximum]),
  name: bound([undefined, '', 'photo-ex7', 'a'.repeat(129)], ['a'.repeat(128)]),
  prefix: bound(['a/b/c/d/e/f/g/h/i', 'a'.repeat(65)], ['', 'a/b/c/d/e/f/g/h/']),
  duration: bound(['', '1826d', '43801h', '0'], ['43800h', '1825']),
  disposition: bound(['', 'Inline', 'download'], ['inline', 'attachment']),
  cacheControl: bound(['', 'max-age=59', 'max-age=31536001', 'no-store'], ['max-age=60', 'max-age=31536000']),
  metadata: bound(
    ['', '[]', '{"A":"b"}', JSON.stringify({ a: 'x'.repeat(512) })],
    ['{}', JSON.stringify({ a: 'x'.repeat(511) })],
  ),
  checksum: bound(['', 'A'.repeat(64), '0'.repeat(63)], [sha256(smallest)]),
  /** Other tests use real cursors of the list. */
  cursor: bound(['', 'next', `0bcGhvdG8.${'A'.repeat(43)}`], []),
  objectId: bound([undefined, '', ({ foreign }: World) => foreign(), 'photo.png'], [({ file }: World) => file()]),
  handle: bound([undefined, '', async ({ handle }: World) => `${await handle()}A`], [({ handle }: World) => handle()]),
};

const instant = bound(
  ['', '2026-04-21', '2026-04-21T00:00:00', '2026-02-30T00:00:00Z', 'yesterday'],
  ['2026-04-21T00:00:00Z', '2026-04-21T00:00:00.5+02:00'],
);

/** Fields of JSON bodies, by their decoder. json-fields.test.ts tests everything that each rejects. */
const inJson = {
  boolean: bound([null, 'true', 1, [true]], [true, false]),
  integer: (minimum: number, maximum: number) =>
    bound([null, String(minimum), minimum - 1, maximum + 1, minimum + 0.5], [minimum, maximum]),
  name: bound([undefined, null, 7, 'photo-ex7', 'a'.repeat(129)], ['a'.repeat(128)]),
  prefix: bound([null, 7, 'a/b/c/d/e/f/g/h/i', 'a'.repeat(65)], ['a/b/c/d/e/f/g/h/']),
  duration: bound([0, 1826, 1.5, '1826d', '43801h', true], [1, 1825, '43800h']),
  cacheControl: bound(['', 'max-age=59', 'max-age=31536001', 7], ['max-age=60', 'max-age=31536000']),
  checksum: bound([null, 'A'.repeat(64), '0'.repeat(63), 7], []),
  objectId: bound([null, 7, ({ foreign }: World) => foreign(), 'photo.png'], [({ file }: World) => file()]),
  handle: bound([undefined, null, 7, async ({ handle }: World) => `${await handle()}A`], []),
  label: bound(
    [undefined, null, 7, ['CLI'], '', ' ', 'a\nb', 'a\u202eb', 'a'.repeat(65)],
    ['a', 'a'.repeat(64), '😀'.repeat(64)],
  ),
  /** Printable ASCII. */
  secret: bound([null, 7, '', 'a\nb', 'é', 'a'.repeat(256)], ['a', 'a'.repeat(255)]),
};

const also = (reads: Reads, bad: readonly Value[], good: readonly Value[]): Reads => {
  return (field, code) => {
    const one = reads(field, code);
    return { field, refuses: { [code]: [...one.refuses[code]!, ...bad] }, takes: [...one.takes, ...good] };
  };
};

/** Here null is valid: it keeps a file for good, or removes a header. */
const orNull = (reads: Reads): Reads => also(reads, [], [null]);
/** For a request of which an account takes few while the clock stands still. Its flow tests send the good values. */
const refusedOnly =
  (reads: Reads): Reads =>
  (field, code) => ({ ...reads(field, code), takes: [] });
const notNull = (reads: Reads): Reads => also(reads, [null], []);

/** A list of `least` to `most` entries. The entries have a row of their own. */
const list = (most: number, entry: (at: number) => unknown): Reads =>
  bound(
    [null, 'a', 7, {}, [], Array.from({ length: most + 1 }, (_, at) => entry(at))],
    [[entry(0)], Array.from({ length: most }, (_, at) => entry(at))],
  );

/** Versions of the trash. A request for several reports those that it does not keep. */
const versions: readonly BoundField[] = [
  bound([null, 7, '', 'Ä', 'a'.repeat(101)], [])('version', 'INVALID_VERSION'),
  {
    field: 'versions',
    refuses: {
      INVALID_BODY: [null, 'a', {}, []],
      TOO_MANY_VERSIONS: [Array.from({ length: 101 }, (_, at) => `a${at}`)],
    },
    takes: [Array.from({ length: 100 }, (_, at) => `a${at}`)],
  },
  bound([null, 7, 'Ä', 'a'.repeat(101)], [])('versions/*', 'INVALID_VERSION'),
];

const objects = (most: number): BoundField => ({
  field: 'objects',
  refuses: {
    INVALID_BODY: [null, 'a', {}, []],
    TOO_MANY_OBJECTS: [
      Array.from({ length: most + 1 }, () => null),
      async ({ file }: World) => Array(most + 1).fill(await file()),
    ],
  },
  takes: [async ({ file }: World) => Array(most).fill(await file())],
});

const uploadQuery: readonly BoundField[] = [
  inQuery.name('name', 'INVALID_OBJECT_NAME'),
  inQuery.prefix('prefix', 'INVALID_OBJECT_PREFIX'),
  inQuery.boolean('private', 'INVALID_OBJECT_PRIVATE'),
  inQuery.boolean('security_hash', 'INVALID_OBJECT_SECURITY_HASH'),
  inQuery.duration('expire', 'INVALID_OBJECT_EXPIRE'),
  bound(['', 'yes', 'TRUE', '2'], ['1', 'true'])('overwrite', 'INVALID_OVERWRITE'),
  inQuery.disposition('disposition', 'INVALID_OBJECT_DISPOSITION'),
  inQuery.boolean('auto_download', 'INVALID_STORAGE_AUTO_DOWNLOAD'),
  inQuery.cacheControl('cache_control', 'INVALID_OBJECT_CACHE_CONTROL'),
  inQuery.metadata('metadata', 'INVALID_OBJECT_METADATA'),
];

const cursors: readonly BoundField[] = [
  inQuery.cursor('cursor', 'INVALID_CONTINUATION_TOKEN'),
  inQuery.cursor('continuationToken', 'INVALID_CONTINUATION_TOKEN'),
];

/** Limits of a key in the AI gateway. A change may also remove them. */
const aiLimitFields = (change: (reads: Reads) => Reads): readonly BoundField[] => {
  const read = (reads: Reads, field: string) => change(reads)(field, 'INVALID_AI_LIMITS');
  const numbers = bound(['1', 0, -1, 1.5, true, [1]], [1]);
  return [
    read(bound(['a', 7, [], {}, true], [{ requests_per_day: 1 }]), 'ai'),
    ...['requests_per_minute', 'requests_per_day', 'tokens_per_day', 'spend_per_day'].map((name) =>
      read(also(numbers, [1_000_000_000_001], [1_000_000]), `ai/${name}`),
    ),
    read(bound(['cubic', 7, {}, [], Array(21).fill('a')], [['cubic'], Array(20).fill('cubic')]), 'ai/models'),
    bound([null, 7, '', 'a b', 'é', 'cubik', 'a'.repeat(128), 'a'.repeat(129)], ['cubic'])(
      'ai/models/*',
      'INVALID_AI_LIMITS',
    ),
  ];
};
const kept: (reads: Reads) => Reads = (reads) => also(reads, [null], []);

/** The days and groups of past usage in the AI gateway. */
const dayRange = (code: ErrorCode): readonly BoundField[] => [
  bound(['', '2026-4-1', '2026-02-30', '2026-04-21T00:00:00Z', '2020-01-01'], ['2026-04-01'])('from', code),
  bound(['', '21.04.2026', '2026-13-01', '2020-01-01x'], ['2026-04-21'])('to', code),
];

const usageQuery = (range: ErrorCode, groups: ErrorCode, limit: ErrorCode): readonly BoundField[] => [
  ...dayRange(range),
  bound(['', 'hour', 'day,day', 'day,', 'Day', 'day,key,model,day'], ['day', 'model,key,day'])('group_by', groups),
  inQuery.integer(1, 1000)('limit', limit),
  inQuery.integer(1, 1_000_000)('page', limit),
];

const keyFields: readonly BoundField[] = [
  inJson.label('name', 'INVALID_KEY_NAME'),
  bound([undefined, null, 'blob:read', {}, [], [7], ['blob:delete'], ['blob:*'], ['*', 'ai:chat']], [['*'], scopes])(
    'scopes',
    'INVALID_SCOPES',
  ),
  list(50, (at) => `app_${at}`)('resources', 'INVALID_RESOURCES'),
  bound([null, 7, '', 'app 1', 'a'.repeat(65)], ['a'.repeat(64)])('resources/*', 'INVALID_RESOURCES'),
  list(20, (at) => `p${at}`)('prefixes', 'INVALID_PREFIXES'),
  also(inJson.prefix, [''], [])('prefixes/*', 'INVALID_PREFIXES'),
  ...aiLimitFields(kept),
];

const badUrls = [
  null,
  7,
  '',
  'example.com',
  'ftp://example.com/',
  'https://user:password@example.com/',
  'https://example.com/#part',
  ' https://example.com/',
  'http://10.0.0.1/',
  'http://[::1]/',
  'http://localhost/',
  `https://example.com/${'a'.repeat(2030)}`,
];

/** @param orNone whether null removes a filter */
const deployFilters = ['include_branches', 'exclude_branches', 'include_paths', 'exclude_paths'] as const;

/** A list of globs. */
const globsOf = (field: string): readonly BoundField[] => [
  bound([null, 'a', 7, {}, Array(21).fill('main')], [[], ['main'], Array(20).fill('main')])(
    field,
    'INVALID_DEPLOY_FILTER',
  ),
  bound([null, 7, '', '/a', 'a//b', 'a**', 'a'.repeat(201), 'a\nb'], ['**', 'release/*', 'a'.repeat(200)])(
    `${field}/*`,
    'INVALID_DEPLOY_FILTER',
  ),
];

const webhookFields = (orNone: boolean): readonly BoundField[] => {
  const none = orNone ? [] : [null];
  const takesNone = orNone ? [null] : [];
  return [
    bound([...(orNone ? [] : [undefined]), ...badUrls], ['http://example.com', 'https://93.184.216.34:8443/a?b=c'])(
      'url',
      'INVALID_WEBHOOK_URL',
    ),
    bound(
      [...none, 'object.*', 7, {}, [], ['object'], ['*.created'], Array(51).fill('object.*')],
      [['*'], ...takesNone],
    )('types', 'INVALID_WEBHOOK_TYPES'),
    bound([null, 7, '', 'object.', 'a'.repeat(65)], ['object.created', 'object.*'])('types/*', 'INVALID_WEBHOOK_TYPES'),
    bound([...none, 'a', 7, {}, [], Array(21).fill('abc')], [['abc'], ...takesNone])('prefixes', 'INVALID_PREFIXES'),
    also(inJson.prefix, [''], [])('prefixes/*', 'INVALID_PREFIXES'),
    bound([null, 7, 'a'.repeat(201)], ['', 'a'.repeat(200)])('description', 'INVALID_BODY'),
  ];
};

const badMetadata = [[], 'a', 7, true, { A: 'b' }, { a: 7 }, { a: { b: 'c' } }, { 'cubby-a': 'b' }];

const badTitles = ['', ' ', 7, true, {}, 'a'.repeat(101), 'two\nlines', 'a\u0007'];
const badMessages = ['', ' \n ', 7, [], 'a'.repeat(1001), 'a\tb', 'a\u0007', 'a\r\nb'];

const shareIdField = bound(
  [undefined, null, 7, 'a'.repeat(15), 'a'.repeat(65), `${'a'.repeat(20)}/b`],
  [({ shareId }: World) => shareId()],
)('id', 'INVALID_SHARE');

const fileRequestIdField = bound(
  [undefined, null, 7, 'a'.repeat(15), 'a'.repeat(65), `${'a'.repeat(20)}/b`],
  [({ fileRequestId }: World) => fileRequestId()],
)('id', 'INVALID_FILE_REQUEST');

const badDeadlines = ['', 'now', 7, true, {}, '2026-02-30T00:00:00Z', '2001-01-01T00:00:00Z', '9999-01-01T00:00:00Z'];

/** @param orNone whether null removes a limit */
const requestTerms = (orNone: boolean): readonly BoundField[] => {
  const none = orNone ? [] : [null];
  const takesNone = orNone ? [null] : [];
  const limit = (least: number, most: number): Reads =>
    bound([...none, String(least), least - 1, most + 1, least + 0.5], [least, most, ...takesNone]);
  return [
    bound(
      [...none, ...badMessages.slice(0, 4), 'a'.repeat(2001), 'a\tb', 'a\u0007'],
      ['a\nb', 'a'.repeat(2000), ...takesNone],
    )('note', 'INVALID_REQUEST_NOTE'),
    bound([...none, ...badDeadlines], takesNone)('deadline', 'INVALID_DEADLINE'),
    inJson.integer(0, 604_800)('grace', 'INVALID_GRACE'),
    limit(1, 100_000)('max_files', 'INVALID_MAX_FILES'),
    limit(1, 1_099_511_627_776)('max_bytes', 'INVALID_MAX_BYTES'),
    limit(512, 10_737_418_240)('max_size', 'INVALID_MAX_SIZE'),
    bound([...none, 'pdf', 7, {}, [], Array(21).fill('pdf')], [['pdf'], ...takesNone])(
      'allowed_extensions',
      'INVALID_ALLOWED_EXTENSIONS',
    ),
    bound([null, 7, '', '.pdf', 'PDF', 'a'.repeat(17)], ['tar.gz'])(
      'allowed_extensions/*',
      'INVALID_ALLOWED_EXTENSIONS',
    ),
    bound([...none, 12_345_678, 'seven77', 'a'.repeat(129)], ['eight888', ...takesNone])(
      'password',
      'INVALID_PASSWORD',
    ),
    inJson.boolean('sender_folders', 'INVALID_SENDER_FOLDERS'),
  ];
};
/** A list of presets for images, each with another name. */
function somePresets(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ name: `p${at}`, w: 320 }));
}

/** Every field with a code in the contract, except those of chat requests and of forms, which have their own tests. */
export const boundOperations: readonly BoundOperation[] = [
  {
    operation: 'listObjects',
    fields: [
      bound(['a'.repeat(1025), 'ü'.repeat(513)], ['', 'a'.repeat(1024)])('prefix', 'INVALID_OBJECT_PREFIX'),
      inQuery.boolean('private', 'INVALID_OBJECT_PRIVATE'),
      bound(['', '//', 'a'], ['/'])('delimiter', 'INVALID_DELIMITER'),
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      bound(['', 'NAME', 'colour'], ['name', 'updated'])('sort', 'INVALID_SORT'),
      bound(['', 'ASC', 'down'], ['asc', 'desc'])('order', 'INVALID_ORDER'),
      bound(['', 'folder'], ['image', 'other'])('kind', 'INVALID_KIND'),
      inQuery.integer(1, 10_737_418_240)('min_size', 'INVALID_SIZE_RANGE'),
      inQuery.integer(1, 10_737_418_240)('max_size', 'INVALID_SIZE_RANGE'),
      bound(['', 'now', '2026-02-30T00:00:00Z'], ['2026-04-21T09:30:00Z'])('created_from', 'INVALID_DATE_RANGE'),
      bound(['', 'now', '2026-02-30T00:00:00Z'], ['2026-04-21T09:30:00Z'])('created_before', 'INVALID_DATE_RANGE'),
      bound(['', '[]', '{"a":1}'], ['{}', '{"a":"b"}'])('metadata', 'INVALID_OBJECT_METADATA'),
      bound(['', 'colour', 'sha256,'], ['sha256', 'metadata,sha256'])('fields', 'INVALID_FIELDS'),
      ...cursors,
    ],
  },
  {
    operation: 'uploadObject',
    beside: () => ({ name: 'uploaded' }),
    fields: [...uploadQuery, inQuery.checksum('checksum_sha256', 'INVALID_CHECKSUM')],
  },
  {
    operation: 'deleteObjects',
    fields: [inJson.objectId('object', 'INVALID_OBJECT'), objects(100), inJson.objectId('objects/*', 'INVALID_OBJECT')],
  },
  {
    operation: 'updateObjects',
    beside: async ({ file }) => ({ object: await file(), disposition: 'inline' }),
    fields: [
      inJson.objectId('object', 'INVALID_OBJECT'),
      objects(50),
      inJson.objectId('objects/*', 'INVALID_OBJECT'),
      inJson.boolean('private', 'INVALID_OBJECT_PRIVATE'),
      orNull(inJson.duration)('expire', 'INVALID_OBJECT_EXPIRE'),
      orNull(inJson.cacheControl)('cache_control', 'INVALID_OBJECT_CACHE_CONTROL'),
      bound(['', 'Inline', 'download', true], ['attachment', 'inline', null])(
        'disposition',
        'INVALID_OBJECT_DISPOSITION',
      ),
      bound(badMetadata, [null, { a: null }, { a: 'b' }])('metadata', 'INVALID_OBJECT_METADATA'),
    ],
  },
  { operation: 'getObjectInfo', fields: [inQuery.objectId('object', 'INVALID_OBJECT')] },
  {
    operation: 'copyObject',
    beside: async ({ file }) => ({ source: await file(), destination: { name: 'copied' }, overwrite: true }),
    fields: [
      also(inJson.objectId, [undefined], [])('source', 'INVALID_OBJECT'),
      bound([undefined, null, [], 'copied', 7], [{ name: 'copied' }])('destination', 'INVALID_DESTINATION'),
      inJson.name('destination/name', 'INVALID_OBJECT_NAME'),
      also(inJson.prefix, [], [''])('destination/prefix', 'INVALID_OBJECT_PREFIX'),
      inJson.boolean('destination/private', 'INVALID_DESTINATION'),
      orNull(inJson.duration)('destination/expire', 'INVALID_OBJECT_EXPIRE'),
      inJson.boolean('destination/security_hash', 'INVALID_DESTINATION'),
      bound([null, 'true', 1, [true]], [false])('move', 'INVALID_MOVE'),
      bound([null, 'true', 1, [true]], [true])('overwrite', 'INVALID_OVERWRITE'),
    ],
  },
  {
    operation: 'getDownloadLink',
    beside: async ({ file }) => ({ object: await file() }),
    fields: [
      inQuery.objectId('object', 'INVALID_OBJECT'),
      inQuery.integer(60, 86_400)('expires', 'INVALID_DOWNLOAD_EXPIRES'),
      inQuery.boolean('redirect', 'INVALID_REDIRECT'),
      inQuery.disposition('disposition', 'INVALID_OBJECT_DISPOSITION'),
      bound(['', '..', 'a'.repeat(256)], ['a'.repeat(255)])('filename', 'INVALID_FILENAME'),
    ],
  },
  { operation: 'getChunkedUpload', fields: [inQuery.handle('upload', 'INVALID_UPLOAD_TOKEN')] },
  {
    operation: 'putChunkedPart',
    beside: async ({ handle }) => ({ upload: await handle(), part: 1 }),
    fields: [
      inQuery.handle('upload', 'INVALID_UPLOAD_TOKEN'),
      also(inQuery.integer(1, 2048), [undefined], [])('part', 'INVALID_CHUNK_PART'),
      inQuery.checksum('checksum_sha256', 'INVALID_CHECKSUM'),
    ],
  },
  {
    operation: 'startChunkedUpload',
    beside: () => ({ name: 'big' }),
    fields: [
      ...uploadQuery,
      bound(['', 'photo.', 'a'.repeat(256)], ['photo', 'a'.repeat(255)])('filename', 'INVALID_FILE_TYPE'),
      bound(['', 'image', `a/${'b'.repeat(254)}`], [`a/${'b'.repeat(253)}`])('mime_type', 'INVALID_FILE_TYPE'),
      bound(['', '512.0', 'many'], [512, 10_737_418_240])('size', 'INVALID_SIZE'),
      bound([0, 511], [])('size', 'FILE_TOO_SMALL'),
      bound([10_737_418_241], [])('size', 'FILE_TOO_LARGE'),
    ],
  },
  {
    operation: 'startUpload',
    beside: () => ({ name: 'big' }),
    fields: [
      ...uploadQuery,
      bound(['', 'photo.', 'a'.repeat(256)], ['photo', 'a'.repeat(255)])('filename', 'INVALID_FILE_TYPE'),
      bound(['', 'image', `a/${'b'.repeat(254)}`], [`a/${'b'.repeat(253)}`])('mime_type', 'INVALID_FILE_TYPE'),
    ],
  },
  { operation: 'abortChunkedUpload', fields: [inJson.handle('upload', 'INVALID_UPLOAD_TOKEN')] },
  {
    operation: 'completeChunkedUpload',
    beside: async ({ handle }) => ({ upload: await handle() }),
    fields: [inJson.handle('upload', 'INVALID_UPLOAD_TOKEN'), inJson.checksum('checksum_sha256', 'INVALID_CHECKSUM')],
  },
  {
    operation: 'startSession',
    beside: async (world) => ({ api_key: await world.credential() }),
    fields: [
      {
        field: 'api_key',
        refuses: { INVALID_BODY: [undefined, null, 5, '', 'a'.repeat(301), ['cbk_a']], ACCESS_DENIED: ['cbk_unknown'] },
        takes: [(world: World) => world.credential()],
      },
      { field: 'remember', refuses: { INVALID_BODY: ['true', 1, null, {}] }, takes: [true, false, undefined] },
    ],
  },
  {
    operation: 'startOperatorSession',
    fields: [
      {
        field: 'operator_key',
        refuses: { INVALID_BODY: [undefined, null, 5, '', 'a'.repeat(301), {}], ACCESS_DENIED: ['cbo_unknown'] },
        takes: [(world: World) => world.operatorKey()],
      },
    ],
  },
  {
    operation: 'createUploadToken',
    beside: () => ({ name: 'avatar' }),
    fields: [
      bound([null, 7, '', 'photo-ex7', 'a'.repeat(129)], [undefined, 'a'.repeat(128)])('name', 'INVALID_OBJECT_NAME'),
      also(inJson.prefix, [], [''])('prefix', 'INVALID_OBJECT_PREFIX'),
      inJson.boolean('private', 'INVALID_OBJECT_PRIVATE'),
      inJson.boolean('security_hash', 'INVALID_OBJECT_SECURITY_HASH'),
      orNull(inJson.duration)('expire', 'INVALID_OBJECT_EXPIRE'),
      inJson.integer(512, 10_737_418_240)('max_size', 'INVALID_MAX_SIZE'),
      list(20, (at) => `e${at}`)('allowed_extensions', 'INVALID_ALLOWED_EXTENSIONS'),
      bound([null, 7, '', '.png', 'PNG', 'a.b.c', 'a'.repeat(17)], ['tar.gz', 'a'.repeat(16)])(
        'allowed_extensions/*',
        'INVALID_ALLOWED_EXTENSIONS',
      ),
      list(10, (at) => `https://a${at}.example`)('allowed_origins', 'INVALID_ALLOWED_ORIGINS'),
      bound([null, 7, '', '*', 'app.example', 'https://app.example/a'], ['https://app.example'])(
        'allowed_origins/*',
        'INVALID_ALLOWED_ORIGINS',
      ),
      bound(
        [
          ...badMetadata,
          null,
          { a: null },
          { a: 'x'.repeat(512) },
          Object.fromEntries([...'abcdef'].map((key) => [key, ''])),
        ],
        [{}, { a: 'x'.repeat(511) }, Object.fromEntries([...'abcde'].map((key) => [key, '']))],
      )('metadata', 'INVALID_OBJECT_METADATA'),
      bound(
        [
          ...badMetadata,
          null,
          { a: null },
          { a: 'x'.repeat(512) },
          Object.fromEntries([...'abcdef'].map((key) => [key, ''])),
        ],
        [{}, { a: 'x'.repeat(511) }, Object.fromEntries([...'abcde'].map((key) => [key, '']))],
      )('callback_metadata', 'INVALID_CALLBACK_METADATA'),
      inJson.integer(60, 3600)('expires_in', 'INVALID_EXPIRES_IN'),
      inJson.integer(1, 100)('max_uses', 'INVALID_MAX_USES'),
    ],
  },
  {
    operation: 'createShare',
    beside: async ({ file }) => ({ object: await file() }),
    fields: [
      also(inJson.objectId, [undefined], [])('object', 'INVALID_OBJECT'),
      // A request that names its files in several ways is refused.
      { ...objects(1000), takes: [] },
      refusedOnly(inJson.objectId)('objects/*', 'INVALID_OBJECT'),
      refusedOnly(also(inJson.prefix, [''], []))('prefix', 'INVALID_OBJECT_PREFIX'),
      inJson.integer(60, 2_592_000)('expires_in', 'INVALID_EXPIRES_IN'),
      inJson.integer(1, 10_000)('max_downloads', 'INVALID_MAX_DOWNLOADS'),
      bound([null, 12_345_678, 'seven77', 'a'.repeat(129)], ['eight888', 'a'.repeat(128)])(
        'password',
        'INVALID_PASSWORD',
      ),
      inJson.boolean('landing', 'INVALID_LANDING'),
      bound([null, ...badTitles], ['a', 'ü'.repeat(100)])('title', 'INVALID_SHARE_TITLE'),
      bound([null, ...badMessages], ['a\nb', 'a'.repeat(1000)])('message', 'INVALID_SHARE_MESSAGE'),
    ],
  },
  {
    operation: 'listShares',
    fields: [
      bound(['', ({ foreign }: World) => foreign(), 'photo.png'], [({ file }: World) => file()])(
        'object',
        'INVALID_OBJECT',
      ),
      bound(['a'.repeat(1025), 'ü'.repeat(513)], ['', 'a'.repeat(1024)])('prefix', 'INVALID_OBJECT_PREFIX'),
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      ...cursors,
    ],
  },
  {
    operation: 'listShareFiles',
    beside: async ({ shareId }) => ({ id: await shareId() }),
    fields: [
      bound(
        [undefined, '', 'a'.repeat(15), 'a'.repeat(65), `${'a'.repeat(20)}/b`],
        [({ shareId }: World) => shareId()],
      )('id', 'INVALID_SHARE'),
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      ...cursors,
    ],
  },
  {
    operation: 'updateShare',
    beside: async ({ shareId }) => ({ id: await shareId(), landing: true }),
    fields: [
      shareIdField,
      inJson.integer(60, 2_592_000)('expires_in', 'INVALID_EXPIRES_IN'),
      bound([0, -1, 1.5, 10_001, '3', true], [1, 10_000, null])('max_downloads', 'INVALID_MAX_DOWNLOADS'),
      bound([12_345_678, 'seven77', 'a'.repeat(129)], [null, 'eight888'])('password', 'INVALID_PASSWORD'),
      inJson.boolean('landing', 'INVALID_LANDING'),
      bound(badTitles, [null, 'a', 'ü'.repeat(100)])('title', 'INVALID_SHARE_TITLE'),
      bound(badMessages, [null, 'a\nb', 'a'.repeat(1000)])('message', 'INVALID_SHARE_MESSAGE'),
    ],
  },
  {
    operation: 'deleteShare',
    fields: [shareIdField],
  },
  {
    operation: 'createFileRequest',
    beside: () => ({ title: 'Photos', prefix: 'inbox' }),
    fields: [
      also(inJson.prefix, [undefined, ''], [])('prefix', 'INVALID_OBJECT_PREFIX'),
      bound([undefined, null, ...badTitles], ['a', 'ü'.repeat(100)])('title', 'INVALID_REQUEST_TITLE'),
      ...requestTerms(false),
    ],
  },
  {
    operation: 'listFileRequests',
    fields: [
      bound(['', 'short', 'a'.repeat(65)], [({ fileRequestId }: World) => fileRequestId()])(
        'id',
        'INVALID_FILE_REQUEST',
      ),
      bound(['', 'OPEN', 'full'], ['open', 'closed', 'expired'])('state', 'INVALID_REQUEST_STATE'),
      bound(['a'.repeat(1025), 'ü'.repeat(513)], ['', 'a'.repeat(1024)])('prefix', 'INVALID_OBJECT_PREFIX'),
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      ...cursors,
    ],
  },
  {
    operation: 'updateFileRequest',
    beside: async ({ fileRequestId }) => ({ id: await fileRequestId(), grace: 60 }),
    fields: [
      fileRequestIdField,
      bound(['', 'OPEN', 'expired', null, 7], ['closed', 'open'])('state', 'INVALID_REQUEST_STATE'),
      bound([null, ...badTitles], ['a', 'ü'.repeat(100)])('title', 'INVALID_REQUEST_TITLE'),
      ...requestTerms(true),
    ],
  },
  { operation: 'deleteFileRequest', fields: [fileRequestIdField] },
  {
    operation: 'replaceSettings',
    beside: () => ({
      rules: [{ prefix: 'invoices', keep_deleted_days: 30 }],
      image_presets: [{ name: 'thumb', w: 320 }],
    }),
    fields: [
      {
        field: 'rules',
        refuses: {
          INVALID_RULES: [null, {}, '[]', 7],
          TOO_MANY_RULES: [Array.from({ length: 21 }, (_, at) => ({ prefix: `p${at}` }))],
        },
        takes: [[], Array.from({ length: 20 }, (_, at) => ({ prefix: `p${at}` }))],
      },
      bound([null, 'invoices', ['invoices'], 7], [{ prefix: 'invoices' }])('rules/*', 'INVALID_RULES'),
      also(inJson.prefix, [undefined, ''], [])('rules/*/prefix', 'INVALID_RULE_PREFIX'),
      inJson.boolean('rules/*/private', 'INVALID_RULE_PRIVATE'),
      notNull(inJson.duration)('rules/*/expire', 'INVALID_RULE_EXPIRE'),
      inJson.integer(512, 10_737_418_240)('rules/*/max_size', 'INVALID_RULE_MAX_SIZE'),
      list(50, (at) => `e${at}`)('rules/*/extensions', 'INVALID_RULE_EXTENSIONS'),
      bound([null, 7, '', '.pdf', 'PDF', 'a.b.c', 'a'.repeat(17)], ['tar.gz', 'a'.repeat(16)])(
        'rules/*/extensions/*',
        'INVALID_RULE_EXTENSIONS',
      ),
      notNull(inJson.cacheControl)('rules/*/cache_control', 'INVALID_RULE_CACHE_CONTROL'),
      inJson.integer(1, 3650)('rules/*/delete_after_days', 'INVALID_RULE_DELETE_AFTER'),
      inJson.integer(1, 365)('rules/*/keep_deleted_days', 'INVALID_RULE_KEEP_DELETED'),
      inJson.integer(1, 1000)('rules/*/keep_versions', 'INVALID_RULE_KEEP_VERSIONS'),
      bound([null, {}, '[]', 7, somePresets(33), [...somePresets(1), ...somePresets(1)]], [[], somePresets(32)])(
        'image_presets',
        'INVALID_IMAGE_PRESETS',
      ),
      bound([null, 'thumb', ['thumb'], 7, { name: 'thumb' }], [{ name: 'thumb', h: 1 }])(
        'image_presets/*',
        'INVALID_IMAGE_PRESETS',
      ),
      bound([undefined, null, 7, '', 'Thumb', '-a', 'a_b', 'a'.repeat(33)], ['a', '0-9', 'a'.repeat(32)])(
        'image_presets/*/name',
        'INVALID_IMAGE_PRESETS',
      ),
      also(inJson.integer(1, 4096), [undefined], [])('image_presets/*/w', 'INVALID_IMAGE_PRESETS'),
      inJson.integer(1, 4096)('image_presets/*/h', 'INVALID_IMAGE_PRESETS'),
      bound([null, 7, '', 'fill', 'Cover'], ['contain', 'cover'])('image_presets/*/fit', 'INVALID_IMAGE_PRESETS'),
      inJson.integer(1, 100)('image_presets/*/q', 'INVALID_IMAGE_PRESETS'),
      bound([null, 7, '', 'gif', 'JPEG'], ['auto', 'jpeg', 'png', 'webp', 'avif'])(
        'image_presets/*/f',
        'INVALID_IMAGE_PRESETS',
      ),
    ],
  },
  {
    operation: 'createKey',
    beside: () => ({ name: 'Website', scopes: ['apps:read'] }),
    fields: [...keyFields, inJson.duration('expires_in', 'INVALID_EXPIRES_IN')],
  },
  {
    operation: 'createAccountKey',
    beside: () => ({ name: 'Website', scopes: ['apps:read'] }),
    fields: [...keyFields, inJson.duration('expires_in', 'INVALID_EXPIRES_IN')],
  },
  { operation: 'updateKey', fields: aiLimitFields(orNull) },
  { operation: 'updateAccountKey', fields: aiLimitFields(orNull) },
  { operation: 'getUsageHistory', fields: dayRange('INVALID_TIME_RANGE') },
  {
    operation: 'getChatUsageHistory',
    fields: usageQuery('invalid_query', 'invalid_query', 'invalid_query'),
  },
  {
    operation: 'getAccountAiUsage',
    fields: usageQuery('INVALID_TIME_RANGE', 'INVALID_GROUP_BY', 'INVALID_LIMIT'),
  },
  {
    operation: 'createAccount',
    beside: () => ({ name: 'Acme', plan: 'none' }),
    fields: [
      inJson.label('name', 'INVALID_BODY'),
      bound([undefined, null, 7, 'gold', 'Pro'], ['none', 'enterprise'])('plan', 'INVALID_BODY'),
    ],
  },
  {
    operation: 'listAccounts',
    fields: [
      bound(['', 'a'.repeat(65)], ['%', 'a'.repeat(64)])('search', 'INVALID_SEARCH'),
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      ...cursors,
    ],
  },
  {
    operation: 'updateAccount',
    fields: [
      bound([null, 7, 'gold'], ['enterprise'])('plan', 'INVALID_BODY'),
      bound(['0', -1, 2 ** 53, 0.5], [0, 2 ** 53 - 1, null])('own_quota_bytes', 'INVALID_BODY'),
      bound(['1', 0, 20_000_001, 1.5], [1, 20_000_000, null])('own_ai_budget', 'INVALID_BODY'),
    ],
  },
  { operation: 'createAccountApp', fields: [inJson.label('name', 'INVALID_BODY')] },
  {
    operation: 'listAuditEntries',
    fields: [
      bound(
        ['', '2026-04-21', '2026-02-30T00:00:00Z', '2026-04-21T09:30Z'],
        ['2026-04-21T09:30:00Z', '2026-04-21T09:30:00.5+02:00'],
      )('since', 'INVALID_TIME_RANGE'),
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      ...cursors,
    ],
  },
  { operation: 'listPurges', fields: [inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'), ...cursors] },
  {
    operation: 'verifyAuditLog',
    fields: [
      bound(['', '2', '2:abc', `01:${'0'.repeat(64)}`], [`2:${'0'.repeat(64)}`])('expect', 'INVALID_AUDIT_PLACE'),
    ],
  },
  {
    operation: 'createWebhook',
    beside: () => ({ url: 'https://example.com/hook' }),
    fields: [...webhookFields(false), bound([null, 7, 'S3', 'aws'], ['standard', 's3'])('format', 'INVALID_BODY')],
  },
  {
    operation: 'updateWebhook',
    fields: [...webhookFields(true), inJson.boolean('enabled', 'INVALID_BODY')],
  },
  {
    operation: 'listWebhookDeliveries',
    fields: [
      bound(['', 'lost', 'Failed'], ['pending', 'delivered', 'failed'])('state', 'INVALID_DELIVERY_STATE'),
      inQuery.integer(1, 100)('limit', 'INVALID_LIMIT'),
      ...cursors,
    ],
  },
  {
    operation: 'startWebhookReplay',
    beside: () => ({ from: '2099-01-01T00:00:00Z' }),
    fields: [
      bound([null, 7, '', 'evt_1', 'a'.repeat(65)], [])('event', 'EVENT_NOT_FOUND'),
      bound([null, 7, '', '2026-04-21', 'yesterday'], ['2099-04-21T09:30:00Z'])('from', 'INVALID_TIME_RANGE'),
      bound([null, 7, '', '2026-04-21', '2098-01-01T00:00:00Z'], ['2099-04-21T09:30:00.5+02:00'])(
        'to',
        'INVALID_TIME_RANGE',
      ),
    ],
  },
  {
    operation: 'listEvents',
    fields: [
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      also(inQuery.cursor, ['Latest'], ['latest'])('cursor', 'INVALID_CONTINUATION_TOKEN'),
    ],
  },
  {
    operation: 'listTrash',
    fields: [
      bound([`${'a'.repeat(1025)}`], ['a'.repeat(1024)])('prefix', 'INVALID_OBJECT_PREFIX'),
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      ...cursors,
    ],
  },
  {
    operation: 'restoreTrash',
    beside: () => ({ versions: ['a', 'b'] }),
    fields: [...versions, inJson.boolean('overwrite', 'INVALID_OVERWRITE')],
  },
  {
    operation: 'startFolderJob',
    beside: () => ({ action: 'move', prefix: 'from', destination: 'to', dry_run: true }),
    fields: [
      bound([undefined, null, 7, 'eat', 'Move'], [])('action', 'INVALID_FOLDER_ACTION'),
      refusedOnly(also(inJson.prefix, [undefined, ''], []))('prefix', 'INVALID_OBJECT_PREFIX'),
      refusedOnly(also(inJson.prefix, ['from/deeper', 'from'], []))('destination', 'INVALID_DESTINATION'),
      refusedOnly(inJson.boolean)('overwrite', 'INVALID_OVERWRITE'),
      refusedOnly(inJson.boolean)('private', 'INVALID_OBJECT_PRIVATE'),
      refusedOnly(orNull(inJson.duration))('expire', 'INVALID_OBJECT_EXPIRE'),
      refusedOnly(inJson.boolean)('dry_run', 'INVALID_BODY'),
    ],
  },
  { operation: 'deleteTrash', beside: () => ({ versions: ['a', 'b'] }), fields: versions },
  {
    operation: 'listActivity',
    fields: [
      inQuery.integer(1, 100)('limit', 'INVALID_LIMIT'),
      bound(['', 'object', 'Object.uploaded'], ['object.uploaded', 'rules.changed'])('type', 'INVALID_ACTIVITY_FILTER'),
      bound(['', 'a'.repeat(65)], ['key_1', 'a'.repeat(64)])('key', 'INVALID_ACTIVITY_FILTER'),
      bound(['', 'session'], ['api_key', 'system'])('auth', 'INVALID_ACTIVITY_FILTER'),
      bound(['', 'a'.repeat(1025), 'ü'.repeat(513)], ['a', 'a'.repeat(1024)])('prefix', 'INVALID_OBJECT_PREFIX'),
      instant('from', 'INVALID_TIME_RANGE'),
      instant('to', 'INVALID_TIME_RANGE'),
      ...cursors,
    ],
  },
  {
    operation: 'listAiRequests',
    fields: [
      inQuery.integer(1, 100)('limit', 'invalid_query'),
      inQuery.cursor('cursor', 'invalid_query'),
      bound(['', 'a'.repeat(65)], ['key_1', 'a'.repeat(64)])('key', 'invalid_query'),
      bound(['', 'a'.repeat(257)], ['cubic', 'a'.repeat(256)])('model', 'invalid_query'),
      bound(['', 'Answered', 'a-b', 'a'.repeat(65)], ['answered', 'server_overloaded'])('outcome', 'invalid_query'),
      instant('from', 'invalid_query'),
      instant('to', 'invalid_query'),
    ],
  },
  {
    operation: 'setGitWebhook',
    beside: () => ({ access_token: 'token' }),
    fields: [
      also(inJson.secret, [undefined], [])('access_token', 'INVALID_ACCESS_TOKEN'),
      inJson.secret('secret', 'INVALID_SECRET'),
    ],
  },
  {
    operation: 'createDeployHook',
    beside: () => ({ repository: 'https://git.invalid/a.git' }),
    fields: [
      bound(
        [undefined, null, 7, '', 'shop', 'https://u:p@git.invalid/', `https://git.invalid/${'a'.repeat(2048)}`],
        ['https://git.invalid/shop.git', 'file:///srv/shop.git'],
      )('repository', 'INVALID_REPOSITORY'),
      bound([null, 7, '', '-x', 'a b', 'refs/tags/v1', 'a'.repeat(1025)], ['main', 'refs/heads/a/b', 'a'.repeat(1024)])(
        'branch',
        'INVALID_REF',
      ),
      bound([null, 7, '', 'GitHub', 'svn'], ['github', 'forgejo'])('host', 'INVALID_GIT_HOST'),
    ],
  },
  {
    operation: 'replaceCommitStatus',
    beside: () => ({ access_token: 'token', origin: 'https://git.invalid' }),
    fields: [
      also(inJson.secret, [undefined], [])('access_token', 'INVALID_ACCESS_TOKEN'),
      bound(
        [undefined, null, 7, '', 'git.invalid', 'https://git.invalid/', 'https://u@git.invalid', 'http://git.invalid'],
        ['https://git.invalid', 'https://git.invalid:3000'],
      )('origin', 'INVALID_STATUS_ORIGIN'),
      bound([null, 7, '', 'GitHub', 'bitbucket-cloud'], ['gitlab', 'gitea', 'forgejo'])('host', 'INVALID_GIT_HOST'),
      bound([null, 7, '', 'é', 'a\nb', 'a'.repeat(101)], ['a b', 'a'.repeat(100)])('context', 'INVALID_STATUS_CONTEXT'),
      bound(
        [null, 7, '', 'shop', 'javascript:alert(1)', 'https://a.invalid/a b', `https://a.invalid/${'a'.repeat(2048)}`],
        ['https://shop.invalid/{deploy_id}', 'http://a.invalid'],
      )('target_url', 'INVALID_STATUS_URL'),
    ],
  },
  { operation: 'replaceDeployFilters', fields: deployFilters.flatMap(globsOf) },
  {
    operation: 'getDeploymentLogs',
    fields: [
      inQuery.integer(1, 1000)('limit', 'INVALID_LIMIT'),
      inQuery.cursor('cursor', 'INVALID_CONTINUATION_TOKEN'),
    ],
  },
  { operation: 'listDeployments', fields: [inQuery.integer(1, 100)('limit', 'INVALID_LIMIT'), ...cursors] },
  {
    operation: 'getNetworkErrors',
    beside: () => ({ start: '2026-04-21T00:00:00Z', end: '2026-04-22T00:00:00Z' }),
    fields: [
      bound(
        [undefined, '', '2026-04-21', '2026-02-31T00:00:00Z', '2026-04-22T00:00:00.001Z'],
        ['2026-04-21T02:00:00+02:00'],
      )('start', 'INVALID_TIME_RANGE'),
      bound(
        [undefined, '', '2026-04-22', '2026-04-31T00:00:00Z', '2026-04-20T23:59:59.999Z'],
        ['2026-04-22T02:00:00+02:00'],
      )('end', 'INVALID_TIME_RANGE'),
      inQuery.boolean('include_4xx', 'INVALID_INCLUDE_4XX'),
    ],
  },
  {
    operation: 'requestDeviceCode',
    beside: () => ({ client_name: 'CLI', scopes: ['blob:read'] }),
    fields: [
      inJson.label('client_name', 'invalid_request'),
      // It replaces the other field, which is then left out.
      bound([7, ['CLI'], ' ', 'a\nb', 'a'.repeat(65)], ['a'.repeat(64)])('client_id', 'invalid_request'),
      list(scopes.length, (at) => scopes[at] ?? 'blob:read')('scopes', 'invalid_scope'),
      bound([null, 7, '', 'blob:delete', '*', 'blob:read blob:write'], ['ai:chat'])('scopes/*', 'invalid_scope'),
      bound([7, ['blob:read'], '*', 'blob:delete', 'blob:read,blob:write'], ['ai:chat', scopes.join(' ')])(
        'scope',
        'invalid_scope',
      ),
    ],
  },
  {
    operation: 'pollDeviceToken',
    beside: () => ({ device_code: 'unknown' }),
    fields: [
      bound([undefined, null, 7, '', 'a'.repeat(257)], [])('device_code', 'invalid_request'),
      {
        field: 'grant_type',
        refuses: { unsupported_grant_type: ['', 'device_code'], invalid_request: [null, 7] },
        takes: [],
      },
    ],
  },
];
