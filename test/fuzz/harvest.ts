import type { FuzzRequest } from './draft.ts';
import type { Exchanged } from './exchanged.ts';
import { harvestS3 } from './harvest-s3.ts';
import type { World } from './world.ts';

type Harvest = (world: World, exchanged: Exchanged) => void;

/** Returns path and query of an address. */
function targetOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function noteObject(world: World, { id, url, etag }: { id?: unknown; url?: unknown; etag?: unknown }): void {
  world.pool.add('object', id);
  if (typeof id === 'string' && id.startsWith('pub/')) world.pool.add('publicPath', targetOf(url));
  if (typeof etag === 'string') world.pool.add('etag', `"${etag}"`);
  world.pool.add('s3File', s3Name(id));
}

/** Returns the bucket and the key of a file. */
function s3Name(id: unknown): string | undefined {
  const [, space, key] = /^(pub|prv)\/\d+\/(.*)$/s.exec(String(id)) ?? [];
  return key === undefined ? undefined : `${space === 'pub' ? 'public' : 'private'}/${key}`;
}

const bodyOf = ({ request }: Exchanged): any => {
  try {
    return JSON.parse(Buffer.from(request.body ?? '', 'latin1').toString());
  } catch {
    return {};
  }
};

const credentialOf = ({ request }: Exchanged) =>
  request.headers.find(([name]) => name === 'Authorization')?.[1].replace(/^Bearer /, '');

const uploadOf = ({ request }: Exchanged) => new URLSearchParams(request.target.split('?')[1]).get('upload') ?? '';

const noteAccount: Harvest = (world, { json }) => {
  const { account_id: id, state } = json.response;
  if (state === 'deleted') world.shared.add('deletedVictim', id);
  else world.shared.remove('deletedVictim', id);
};

/** Ends an upload that was completed or aborted. */
const endUpload: Harvest = (world, exchanged) => {
  const { upload } = bodyOf(exchanged);
  world.pool.remove('upload', upload);
  world.uploads.delete(upload);
};

const cursor =
  (kind: string, isShared = false): Harvest =>
  (world, { json }) =>
    (isShared ? world.shared : world.pool).add(kind, json.response.continuationToken);

const sent = ({ request }: Exchanged, header: string) => request.headers.find(([name]) => name === header)?.[1];

/** The `upload` string in the path. */
const serialOf = ({ request }: Exchanged) => request.target.split('?', 1)[0]!.split('/').at(-1)!;

const endSerial: Harvest = (world, exchanged) => {
  world.pool.remove('serialUpload', serialOf(exchanged));
  world.uploads.delete(serialOf(exchanged));
};

/** Remembers how far an upload of serial bytes is, until its file exists. */
const noteOffset: Harvest = (world, exchanged) => {
  const { headers } = exchanged.answer;
  if (headers['x-cubby-object'] !== undefined) return endSerial(world, exchanged);
  const upload = world.uploads.get(serialOf(exchanged));
  if (upload) upload.bytes = Number(headers['upload-offset'] ?? upload.bytes);
};

/** What to remember of a success, by operation. */
const harvests: Readonly<Record<string, Harvest>> = {
  uploadObject: (world, { json }) => noteObject(world, json.response),
  getObjectInfo: (world, { json }) => noteObject(world, json.response),
  copyObject: (world, exchanged) => {
    const { response } = exchanged.json;
    noteObject(world, response);
    if (response.moved) world.pool.remove('object', bodyOf(exchanged).source);
  },
  listObjects: (world, exchanged) => {
    for (const object of exchanged.json.response.objects.slice(0, 3)) noteObject(world, object);
    cursor('objectCursor')(world, exchanged);
  },
  updateObjects: (world, exchanged) => {
    const { object, objects = [] } = bodyOf(exchanged);
    // A change of the visibility moves a file.
    for (const old of [object, ...objects]) world.pool.remove('object', old);
    for (const { id, url } of exchanged.json.response?.results ?? []) noteObject(world, { id, url });
  },
  deleteObjects: (world, exchanged) => {
    for (const id of exchanged.json.response?.deleted ?? [bodyOf(exchanged).object]) {
      world.pool.remove('object', id);
      world.pool.remove('s3File', s3Name(id));
    }
  },
  startFolderJob: (world, { json }) => world.pool.add('folderJob', json.response.id),
  listTrash: (world, exchanged) => {
    for (const { version } of exchanged.json.response.versions.slice(0, 5)) world.pool.add('trashVersion', version);
    cursor('trashCursor')(world, exchanged);
  },
  restoreTrash: (world, { json }) => {
    for (const { version, id } of json.response.restored) {
      world.pool.remove('trashVersion', version);
      noteObject(world, { id });
    }
  },
  deleteTrash: (world, { json }) => {
    for (const version of json.response.purged) world.pool.remove('trashVersion', version);
  },
  getDownloadLink: (world, { json }) => {
    const target = targetOf(json.response?.url);
    world.pool.add(target?.startsWith('/d/') ? 'linkTarget' : 'publicPath', target);
  },
  createUploadToken: (world, { json }) => world.pool.add('uploadToken', json.response.token),
  createShare: (world, exchanged) => {
    const { id, url } = exchanged.json.response;
    const { password } = bodyOf(exchanged);
    world.pool.add('share', id);
    world.pool.add('sharePath', targetOf(url));
    if (typeof password !== 'string') return;
    world.passwords.set(id, password);
    world.pool.add('lockedShare', id);
  },
  createFileRequest: (world, exchanged) => {
    const { id, url } = exchanged.json.response;
    const link = targetOf(url)?.split('/').at(-1);
    const { password } = bodyOf(exchanged);
    world.pool.add('fileRequest', id);
    if (typeof password !== 'string') return world.pool.add('requestLink', link);
    world.passwords.set(link!, password);
    world.pool.add('lockedRequest', link);
  },
  deleteFileRequest: (world, exchanged) => world.pool.remove('fileRequest', bodyOf(exchanged).id),
  listFileRequests: cursor('fileRequestCursor'),
  submitFiles: (world, { request, answer }) => {
    const link = request.target.split('/').at(-1);
    const cookie = /^[^;]+/.exec(answer.cookies[0] ?? '')?.[0];
    if (link === undefined || cookie === undefined) return;
    world.passwords.set(`sender ${link}`, cookie);
    world.pool.add('sentLink', link);
  },
  startSentUpload: (world, { request, answer, json }) => {
    const link = request.target.split('/').at(-2);
    const cookie = /^[^;]+/.exec(answer.cookies[0] ?? '')?.[0];
    const { upload, complete } = json.response;
    if (link === undefined || cookie === undefined || complete) return;
    world.passwords.set(`upload ${link} ${upload}`, cookie);
    world.pool.add('sentUpload', `${link} ${upload}`);
  },
  deleteShare: (world, exchanged) => {
    const { id } = bodyOf(exchanged);
    world.pool.remove('share', id);
    world.pool.remove('lockedShare', id);
  },
  startChunkedUpload: (world, exchanged) => {
    const { upload } = exchanged.json.response;
    const size = Number(new URLSearchParams(exchanged.request.target.split('?')[1]).get('size')) || undefined;
    world.pool.add('upload', upload);
    world.uploads.set(upload, { size, credential: credentialOf(exchanged), parts: new Map(), bytes: 0 });
  },
  putChunkedPart: (world, exchanged) => {
    const { part, etag } = exchanged.json.response;
    world.uploads.get(uploadOf(exchanged))?.parts.set(part, etag);
  },
  completeChunkedUpload: (world, exchanged) => {
    noteObject(world, exchanged.json.response);
    endUpload(world, exchanged);
  },
  abortChunkedUpload: endUpload,
  startUpload: (world, exchanged) => {
    const upload = exchanged.answer.headers.location?.split('/').at(-1);
    if (upload === undefined) return;
    const size = Number(sent(exchanged, 'Upload-Length')) || undefined;
    world.pool.add('serialUpload', upload);
    world.uploads.set(upload, { size, credential: credentialOf(exchanged), parts: new Map(), bytes: 0 });
  },
  putUploadBytes: noteOffset,
  getUpload: noteOffset,
  deleteUpload: endSerial,
  createKey: (world, { json }) => noteKey(world, json.response),
  regenerateKey: (world, exchanged) => {
    noteKey(world, exchanged.json.response);
    const old = /keys\/([^/]+)\/regenerate/.exec(exchanged.request.target)?.[1];
    if (exchanged.json.response.id !== old) world.pool.remove('keyId', old);
  },
  revokeKey: (world, { request }) => world.pool.remove('keyId', request.target.split('/').at(-1)),
  startSession: (world, { answer, json }) => {
    world.pool.add('session', `${/^[^;]+/.exec(answer.cookies[0] ?? '')?.[0]} ${json.response.csrf_token}`);
    world.pool.add('sessionId', json.response.id);
  },
  deleteSession: (world, exchanged) => {
    for (const session of world.pool.all('session'))
      if (session.startsWith(`${sent(exchanged, 'Cookie')} `)) world.pool.remove('session', session);
  },
  revokeSession: (world, { request }) => world.pool.remove('sessionId', request.target.split('/').at(-1)),
  startOperatorSession: (world, { answer, json }) =>
    world.shared.add('operatorSession', `${/^[^;]+/.exec(answer.cookies[0] ?? '')?.[0]} ${json.response.csrf_token}`),
  deleteOperatorSession: (world, exchanged) => {
    for (const session of world.shared.all('operatorSession'))
      if (session.startsWith(`${sent(exchanged, 'Cookie')} `)) world.shared.remove('operatorSession', session);
  },
  listActivity: cursor('activityCursor'),
  listEvents: (world, { json }) => {
    world.pool.add('eventCursor', json.response.cursor);
    world.pool.add('eventId', json.response.events.at(-1)?.id);
  },
  createWebhook: (world, { json }) => world.pool.add('webhookId', json.response.id),
  deleteWebhook: (world, { request }) => world.pool.remove('webhookId', request.target.split('/').at(-1)),
  getS3Credentials: (world, { json }) => {
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = json.response;
    world.member.pair ??= { accessKeyId, secretAccessKey };
  },
  setGitWebhook: (world, { json }) => world.pool.add('hookPath', targetOf(json.response.webhook)),
  createDeployHook: (world, { json }) => world.pool.add('deployHook', json.response.url.split('/').at(-1)),
  listDeployments: (world, exchanged) => {
    cursor('deployCursor')(world, exchanged);
    world.pool.add('deploy', exchanged.json.response.deployments.at(-1)?.id);
  },
  runDeployment: (world, { json }) => world.pool.add('deploy', json.response.id),
  requestDeviceCode: (world, { json }) => {
    world.shared.add('userCode', json.user_code);
    world.shared.add('waitingCode', json.device_code);
    world.passwords.set(json.user_code, json.device_code);
  },
  showActivationPage: (world, exchanged) => notePage(world, exchanged),
  submitActivation: (world, exchanged) => noteDecision(world, exchanged),
  pollDeviceToken: (world, exchanged) => {
    world.pool.add('credential', exchanged.json.access_token);
    const { request } = exchanged;
    for (const code of world.shared.all('approvedCode'))
      if (request.body?.includes(code)) world.shared.remove('approvedCode', code);
  },
  createAccount: (world, { json }) => {
    world.shared.add('victim', json.response.account_id);
    world.shared.add('victimCredential', json.response.api_key);
  },
  createAccountKey: (world, { json }) => {
    world.shared.add('victimKey', json.response.key_id);
    world.shared.add('victimCredential', json.response.api_key);
  },
  revokeAccountKey: (world, { json }) => world.shared.remove('victimKey', json.response.key_id),
  deleteAccount: noteAccount,
  restoreAccount: noteAccount,
  createAccountApp: (world, { json, request }) => {
    if (request.target.includes(world.member.id)) world.member.app ??= json.response.id;
  },
  listAccounts: cursor('accountCursor', true),
  listAuditEntries: cursor('auditCursor', true),
  verifyAuditLog: (world, { json }) => world.shared.add('auditHead', json.response.head),
  listJobs: (world, { json }) => {
    for (const { job, name } of json.response.jobs) world.shared.add('job', job ?? name);
  },
};

function noteKey(world: World, response: any): void {
  const key = response.key ?? response;
  world.pool.add('keyId', key.id ?? response.id ?? response.key_id);
  world.pool.add('credential', response.api_key ?? response.secret ?? key.api_key);
}

/** Remembers the cookies and the form of a page. */
function notePage({ browser }: World, { answer }: Exchanged): void {
  for (const line of answer.cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') browser.cookies.delete(name);
    else browser.cookies.set(name, value);
  }
  browser.isSignedIn = browser.cookies.has('cubby_session');
  browser.formToken = /name="form_token" value="([^"]*)"/.exec(answer.body.toString())?.[1];
  browser.reviewed = /name="user_code" value="([^"]+)" \/>/.exec(answer.body.toString())?.[1];
}

function noteDecision(world: World, exchanged: Exchanged): void {
  const form = new URLSearchParams(exchanged.request.body);
  const code = form.get('user_code') ?? '';
  if (exchanged.answer.status === 303 && /^(approve|refuse)$/.test(form.get('action') ?? '')) {
    world.shared.remove('userCode', code);
    const device = world.passwords.get(code);
    if (form.get('action') === 'approve') world.shared.add('approvedCode', device);
  }
  notePage(world, exchanged);
}

/** Forgets an address that leads nowhere any more, because its file or its link has ended. */
function forgetEnded(world: World, { request, answer }: Exchanged): void {
  if (answer.status !== 404 && answer.status !== 410) return;
  const { pool } = world;
  for (const kind of ['sharePath', 'publicPath', 'linkTarget']) pool.remove(kind, request.target);
  const [, link, upload] = /^\/r\/([^/?]+)(?:\/uploads\/([^/?]+))?/.exec(request.target) ?? [];
  if (upload !== undefined) return pool.remove('sentUpload', `${link} ${upload}`);
  for (const kind of ['requestLink', 'lockedRequest', 'sentLink']) pool.remove(kind, link);
  pool.remove('lockedShare', /^\/s\/([^/?]+)/.exec(request.target)?.[1]);
}

/** Remembers what later requests can build on. */
export function harvest(world: World, exchanged: Exchanged): void {
  const { request, answer } = exchanged;
  // A page that another cookie was sent for has a form of somebody else.
  if (request.broken !== undefined && /Activation/.test(request.operation)) return;
  if (request.broken === undefined) forgetEnded(world, exchanged);
  if (request.operation.startsWith('s3.')) return harvestS3(world, exchanged);
  // A page that refuses has a new form.
  if (request.operation === 'submitActivation' && answer.status >= 400) return notePage(world, exchanged);
  if (answer.status >= 400 || request.method === 'HEAD' || request.method === 'OPTIONS') return;
  // What a client stored may be any JSON.
  if (
    isBrokenAddress(request) ||
    (exchanged.json === undefined && !/html|20[14]|303/.test(`${answer.headers['content-type']} ${answer.status}`))
  )
    return;
  harvests[request.operation]?.(world, exchanged);
}

/** Whether a broken request may have reached another operation. */
function isBrokenAddress({ broken }: FuzzRequest): boolean {
  return broken !== undefined && /(^|, )(method|path|door|bytes|preflight)/.test(broken);
}
