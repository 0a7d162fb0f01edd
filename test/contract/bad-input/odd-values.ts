import { scopes } from '#server/domain/access/scope.ts';
import { sha256, upload as uploadFile } from '#test/support/files.ts';
import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import { smallest } from './multipart.ts';
import {
  listOf,
  listPrefix,
  long,
  odd,
  only,
  prefix,
  takes,
  title,
  type Odd,
  type OneAccount,
  type World,
} from './odd.ts';
import type { RequestFields } from './request-fields.ts';

const object = odd([({ foreign }: World) => foreign(), 'photo.png'], [({ file }: World) => file()]);
const manyFiles = (most: number): Odd => {
  const times = (count: number) => async (world: World) => Array(count).fill(await world.file());
  return odd([times(most + 1)], [times(most)], 'TOO_MANY_OBJECTS');
};
const handle = odd([async (world: World) => `${await world.handle()}A`], [({ handle: made }: World) => made()]);
const badIds = ['\n', '\u0000', '/b', 'é', "'--", '\ud83d'].map((end) => long(20) + end);
const shareId = odd(
  [...badIds, ` ${long(26)}`, `../${long(20)}`, 'https://files.cubby.invalid/s/ExampleShare00000000001'],
  [({ shareId: made }: World) => made()],
);

let deletions = 0;
const storedFile = async ({ server, account }: OneAccount): Promise<string> =>
  (await uploadFile(server, account, { query: { name: 'deleted' } })).json().response.id;

const cursor = odd(['next', `0bcGhvdG8.${long(43, 'A')}`], []);
const duration = odd(['1826d', '43801h'], ['43800h', '1825']);
const cacheControl = odd(['max-age=59', 'max-age=31536001'], ['max-age=60', 'max-age=31536000']);
const name = takes(long(128));
const prefixOrNone = takes('', 'a/b/c/d/e/f/g/h/');
const label = odd(
  [
    ...['\u00a0', '\t \u2003', long(65, '☁'), 'a\r\nSet-Cookie: a=b', '\u001b[31mred', 'a\u007f', 'a\u0085b'],
    ...['a\u202eb', '\u2066a\u2069', 'a\u2028b', 'a\u2029b', '\ud83d', 'Website\udc00', '\ude00\ud83d'],
  ],
  ['a', long(64), long(64, '😀'), ' a ', '<b>"Website"</b>', "'; DROP TABLE api_keys; --", 'null', 'مفتاح'],
);
const badScopes = [
  ...['blob:delete', 'BLOB:READ', 'blob:read ', 'blob:read,blob:write', 'blob:*', 'constructor', '__proto__'],
  ...['blob:read\u0000', 'blob:read\ud800'],
];
const day = odd(['2026-02-30', '2020-01-01'], ['2026-04-21']);
const instant = odd(['2026-02-30T00:00:00Z'], ['2026-04-21T09:30:00Z', '2026-04-21T09:30:00.5+02:00']);
const metadataText = odd(
  ['[]', '{"A":"b"}', JSON.stringify({ a: long(512) })],
  ['{}', JSON.stringify({ a: long(511) })],
);
const fiveKeys = Object.fromEntries([...'abcde'].map((key) => [key, '']));
const metadata = odd([{ a: long(512) }, { ...fiveKeys, f: '' }], [{}, { a: long(511) }, fiveKeys]);
const extensions = (most: number) =>
  takes(
    ['e0'],
    listOf(most, (at) => `e${at}`),
  );
const extension = odd(
  ['.png', 'png.', 'PNG', 'a.b.c', long(17), '*', 'image/png', 'png,jpg', 'png\ud83d', 'pngé'],
  ['tar.gz', long(16), 'exe'],
);
const origin = odd(
  [
    ...['*', 'null', 'app.example', 'https://', 'file:///a', 'javascript:alert(1)', 'HTTPS://app.example'],
    ...['/', '/a', '?a', '#a', ':*', ':99999', ' ', '\n', '\r\nSet-Cookie: a=b', '\u0000', '\ud800.example/'].map(
      (end) => `https://app.example${end}`,
    ),
    ...['a@app.example', '*.example', 'app%2f.example', 'a.example,https://b.example/', `${long(250)}.example`].map(
      (host) => `https://${host}`,
    ),
  ],
  [
    ...['https://app.example', 'http://localhost:5173', 'https://app.example:443', 'https://APP.example'],
    'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb',
  ],
);
const message = odd([' \n '], ['a\nb', long(1000)]);
const password = odd(
  [long(7, '🐎'), 'correct\u0000horse', 'correct \ud83d horse'],
  ['eight888', long(128), long(128, '🐎'), long(8, ' '), 'كلمة السر'],
);
const groups = odd(['day,day'], ['day', 'model,key,day']);
const webhookTypes = odd([['object'], ['*.created']], [['*']]);
const webhookUrl = odd(
  [
    'example.com',
    'ftp://example.com/',
    'https://user:password@example.com/',
    'https://example.com/#part',
    ' https://example.com/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://localhost/',
  ],
  ['http://example.com', 'https://93.184.216.34:8443/a?b=c'],
);

const upload = {
  name: odd([undefined], [long(128)]),
  prefix: prefixOrNone,
  expire: duration,
  cache_control: cacheControl,
  metadata: metadataText,
  overwrite: only('1', 'true'),
};
const uploadInParts = {
  ...upload,
  filename: odd(['photo.'], ['photo', long(255)], 'INVALID_FILE_TYPE'),
  mime_type: takes(`a/${long(253, 'b')}`),
};
const aiLimits = {
  ai: takes({ requests_per_day: 1 }),
  'ai/models': takes(['cubic'], Array(20).fill('cubic')),
  'ai/models/*': odd(['cubik', long(128)], ['cubic']),
};
const key = {
  name: label,
  scopes: odd(
    [
      ...badScopes.map((one) => [one]),
      ['blob:read', 'blob:delete'],
      ['*', 'blob:read'],
      ['blob:read', '*'],
      ['*', '*'],
      Array(19).fill('blob:read'),
    ],
    [['*'], scopes],
  ),
  resources: odd([['app_1', '']], [['app_0'], listOf(50, (at) => `app_${at}`)]),
  'resources/*': odd(['app_1\n', '☁', 'app_1\u0000', 'app_1\ud800'], [long(64)]),
  prefixes: odd([['a', '..']], [['p0'], listOf(20, (at) => `p${at}`)]),
  'prefixes/*': odd(['../a', 'pub/204815162342108999/a b', 'a\u0000', 'a\ud800'], prefix.good),
  ...aiLimits,
  expires_in: duration,
};
const webhook = {
  url: webhookUrl,
  types: webhookTypes,
  'types/*': odd(['object.'], ['object.created', 'object.*']),
  prefixes: takes(['abc']),
  'prefixes/*': odd(['a/b/c/d/e/f/g/h/i', long(65)], ['a/b/c/d/e/f/g/h/']),
  description: takes('', long(200)),
};
const usage = { from: day, to: odd(['2026-13-01'], ['2026-04-21']), group_by: groups };
const presets = (count: number) => listOf(count, (at) => ({ name: `p${at}`, w: 320 }));

/** Cursors are the same in every list. */
export const cursors: Readonly<Record<string, Odd>> = { cursor, continuationToken: cursor };

const ofOthers: RequestFields['sent'] = {
  listObjects: {
    fields: {
      prefix: listPrefix,
      created_from: instant,
      created_before: instant,
      metadata: odd(['[]', '{"a":1}'], ['{}', '{"a":"b"}']),
      fields: takes('sha256', 'metadata,sha256'),
    },
  },
  uploadObject: {
    beside: () => ({ name: 'uploaded' }),
    fields: { ...upload, checksum_sha256: takes(sha256(smallest)) },
  },
  deleteObjects: {
    // Every good value deletes a file.
    beside: async ({ once }) => ({ object: await once(`deleted ${deletions++}`, storedFile) }),
    fields: { object, objects: manyFiles(100), 'objects/*': object },
  },
  updateObjects: {
    beside: async ({ file }) => ({ object: await file(), disposition: 'inline' }),
    fields: {
      object,
      objects: manyFiles(50),
      'objects/*': object,
      expire: odd(duration.bad, [1, 1825, '43800h', null]),
      cache_control: odd(cacheControl.bad, [...cacheControl.good, null]),
      metadata: takes(null, { a: null }, { a: 'b' }),
    },
  },
  getObjectInfo: { fields: { object } },
  copyObject: {
    beside: async ({ file }) => ({ source: await file(), destination: { name: 'copied' }, overwrite: true }),
    fields: {
      source: object,
      destination: takes({ name: 'copied' }),
      'destination/name': name,
      'destination/prefix': prefixOrNone,
      'destination/expire': odd(duration.bad, [1, 1825, '43800h', null]),
      // The source of a move is gone for what follows.
      move: only(false),
      overwrite: only(true),
    },
  },
  getDownloadLink: {
    beside: async ({ file }) => ({ object: await file() }),
    fields: { object, filename: odd(['..'], [long(255)]) },
  },
  getChunkedUpload: { fields: { upload: handle } },
  putChunkedPart: {
    beside: async (world) => ({ upload: await world.handle(), part: 1 }),
    fields: { upload: handle, checksum_sha256: takes(sha256(smallest)) },
  },
  startChunkedUpload: { beside: () => ({ name: 'big' }), fields: uploadInParts },
  startUpload: { beside: () => ({ name: 'big' }), fields: uploadInParts },
  abortChunkedUpload: { fields: { upload: { ...handle, good: [] } } },
  completeChunkedUpload: {
    beside: async (world) => ({ upload: await world.handle() }),
    fields: { upload: { ...handle, good: [] } },
  },
  startSession: {
    beside: async (world) => ({ api_key: await world.credential() }),
    fields: {
      api_key: odd(['cbk_unknown'], [(world: World) => world.credential()], 'ACCESS_DENIED'),
      remember: takes(undefined),
    },
  },
  startOperatorSession: {
    fields: { operator_key: odd(['cbo_unknown'], [(world: World) => world.operatorKey()], 'ACCESS_DENIED') },
  },
  createUploadToken: {
    beside: () => ({ name: 'avatar' }),
    fields: {
      name: takes(undefined, long(128)),
      prefix: prefixOrNone,
      expire: odd(duration.bad, [1, 1825, '43800h', null]),
      allowed_extensions: extensions(20),
      'allowed_extensions/*': extension,
      allowed_origins: odd(
        [['https://app.example', 'https://'], Array(11).fill('https://a.example')],
        [['https://a0.example'], listOf(10, (at) => `https://a${at}.example`)],
      ),
      'allowed_origins/*': origin,
      metadata,
      callback_metadata: metadata,
    },
  },
  createShare: {
    beside: async ({ file }) => ({ object: await file() }),
    fields: {
      object: odd([...object.bad, undefined], object.good),
      // A request that names its files in several ways is refused.
      objects: { ...manyFiles(1000), good: [] },
      'objects/*': { ...object, good: [] },
      password,
      title,
      message,
    },
  },
  listShares: { fields: { object, prefix: listPrefix } },
  listShareFiles: { beside: async (world) => ({ id: await world.shareId() }), fields: { id: shareId } },
  updateShare: {
    beside: async (world) => ({ id: await world.shareId(), landing: true }),
    fields: {
      id: shareId,
      password: takes(null, 'eight888'),
      title: odd(title.bad, [null, ...title.good]),
      message: odd(message.bad, [null, ...message.good]),
    },
  },
  deleteShare: { fields: { id: shareId } },
  replaceSettings: {
    beside: () => ({
      rules: [{ prefix: 'invoices', keep_deleted_days: 30 }],
      image_presets: [{ name: 'thumb', w: 320 }],
    }),
    fields: {
      rules: takes(
        [],
        listOf(20, (at) => ({ prefix: `p${at}` })),
      ),
      'rules/*': takes({ prefix: 'invoices' }),
      'rules/*/prefix': prefix,
      'rules/*/expire': odd(duration.bad, [1, 1825, '43800h']),
      'rules/*/extensions': extensions(50),
      'rules/*/extensions/*': extension,
      'rules/*/cache_control': cacheControl,
      image_presets: odd([[...presets(1), ...presets(1)]], [[], presets(32)]),
      'image_presets/*': odd([{ name: 'thumb' }], [{ name: 'thumb', h: 1 }]),
      'image_presets/*/name': takes('a', '0-9', long(32)),
      'image_presets/*/w': odd([undefined], []),
    },
  },
  createKey: { beside: () => ({ name: 'Website', scopes: ['apps:read'] }), fields: key },
  createAccountKey: {
    beside: () => ({ name: 'Website', scopes: ['apps:read'] }),
    fields: {
      ...key,
      name: odd([...label.bad, undefined], label.good),
      scopes: odd([...key.scopes.bad, undefined], key.scopes.good),
    },
  },
  updateKey: { fields: aiLimits },
  updateAccountKey: { fields: aiLimits },
  getUsageHistory: { fields: { from: day, to: usage.to } },
  getChatUsageHistory: { fields: usage },
  getAccountAiUsage: { fields: usage },
  createAccount: { beside: () => ({ name: 'Acme', plan: 'none' }), fields: { name: label } },
  listAccounts: { fields: { search: takes('%', long(64)) } },
  createAccountApp: { fields: { name: label } },
  listAuditEntries: { fields: { since: instant } },
  verifyAuditLog: { fields: { expect: takes(`2:${long(64, '0')}`) } },
  createWebhook: { beside: () => ({ url: 'https://example.com/hook' }), fields: webhook },
  updateWebhook: {
    fields: { ...webhook, types: odd(webhookTypes.bad, [['*'], null]), prefixes: takes(['abc'], null) },
  },
  startWebhookReplay: {
    beside: () => ({ from: '2099-01-01T00:00:00Z' }),
    fields: {
      event: odd(['evt_1'], []),
      from: odd(['2026-04-21', 'yesterday'], ['2099-04-21T09:30:00Z']),
      to: odd(['2026-04-21', '2098-01-01T00:00:00Z'], ['2099-04-21T09:30:00.5+02:00']),
    },
  },
  listEvents: { fields: { cursor: odd([...cursor.bad, 'Latest'], ['latest']) } },
  listTrash: { fields: { prefix: takes(long(1024)) } },
  restoreTrash: {
    beside: () => ({ versions: ['a', 'b'] }),
    fields: { versions: takes(listOf(100, (at) => `a${at}`)) },
  },
  deleteTrash: { beside: () => ({ versions: ['a', 'b'] }), fields: { versions: takes(listOf(100, (at) => `a${at}`)) } },
  startFolderJob: {
    beside: () => ({ action: 'move', prefix: 'from', destination: 'to', dry_run: true }),
    fields: { destination: odd(['from/deeper', 'from'], []), expire: duration },
    takesNone: true,
  },
  listActivity: {
    fields: {
      key: takes('key_1', long(64)),
      prefix: odd(listPrefix.bad, ['a', long(1024)]),
      from: instant,
      to: instant,
    },
  },
  listAiRequests: {
    fields: {
      key: takes('key_1', long(64)),
      model: takes('cubic', long(256)),
      outcome: takes('answered', 'server_overloaded'),
      from: instant,
      to: instant,
    },
  },
  requestDeviceCode: {
    beside: () => ({ client_name: 'CLI', scopes: ['blob:read'] }),
    fields: {
      client_name: odd([undefined, ' ', ...label.bad], label.good),
      // It replaces the other field, which is then left out.
      client_id: odd([' '], [long(64)]),
      scopes: takes([scopes[0]], scopes),
      scope: odd(['blob:delete'], ['ai:chat', scopes.join(' ')]),
    },
  },
  pollDeviceToken: { beside: () => ({ device_code: 'unknown' }), takesNone: true },
};

/** What the schemas of the contract do not say, by operation and field. */
export const sent: RequestFields['sent'] = Object.assign(
  ofOthers,
  ...(await partsOfFeatures('request-fields')).map(({ sent: own }) => own),
);
