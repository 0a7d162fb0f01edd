import { maxFileRequests } from '#server/features/file-requests/limits.ts';
import type { Plan } from '#server/domain/plan.ts';
import {
  askForRequest,
  changeRequest as change,
  createRequest,
  sendFiles,
  type SentPart,
  type TestFileRequest,
} from '#test/support/file-requests.ts';
import { someBytes } from '#test/support/files.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { whenFull } from './server-overloaded.ts';
import { heldForm, whileTaken } from './held-bodies.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

const password = 'correct horse';
const tooLong = { padding: ' '.repeat(1_048_576) };
const asked = { title: 'Photos', prefix: 'inbox' };

const createWith =
  (body: Readonly<Record<string, unknown>>, plan?: Plan): Provocation =>
  async ({ server }) =>
    askForRequest(server, await server.account(plan), { ...asked, ...body });

export const createFileRequest: PairsOf<'createFileRequest'> = {
  INVALID_BODY: async ({ server }) => askForRequest(server, await server.account(), []),
  INVALID_OBJECT_PREFIX: createWith({ prefix: '' }),
  INVALID_REQUEST_TITLE: createWith({ title: ' ' }),
  INVALID_REQUEST_NOTE: createWith({ note: 'a\u0007' }),
  INVALID_DEADLINE: createWith({ deadline: '2001-01-01T00:00:00Z' }),
  INVALID_GRACE: createWith({ grace: -1 }),
  INVALID_MAX_FILES: createWith({ max_files: 0 }),
  INVALID_MAX_BYTES: createWith({ max_bytes: 0 }),
  INVALID_MAX_SIZE: createWith({ max_size: 511 }),
  INVALID_ALLOWED_EXTENSIONS: createWith({ allowed_extensions: [] }),
  INVALID_PASSWORD: createWith({ password: 'seven77' }),
  INVALID_SENDER_FOLDERS: createWith({ sender_folders: 'yes' }),
  ACCESS_DENIED: ({ server }) => askForRequest(server, { credential: 'cbk_unknown' }, asked),
  PERMISSION_DENIED: createWith({}, 'none'),
  UPGRADE_REQUIRED: createWith({ password }, 'standard'),
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'] });
    return askForRequest(server, { credential }, asked);
  },
  async PREFIX_NOT_ALLOWED({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:write'], prefixes: ['invoices'] });
    return askForRequest(server, { credential }, asked);
  },
  async TOO_MANY_FILE_REQUESTS({ server }) {
    const account = await server.account();
    const { id } = await createRequest(server, account);
    const { metadata } = server.running.app.stores;
    const request = (await metadata.read.fileRequests.find(id))!;
    await metadata.atomically(async (tx) => {
      for (let at = 1; at < maxFileRequests; at++)
        await tx.fileRequests.add({ ...request, id: `${id}-${at}`, linkHash: `${request.linkHash}-${at}` });
    });
    return askForRequest(server, account, asked);
  },
  BODY_TOO_LARGE: createWith(tooLong),
  RATE_LIMITED: tooOften((server, account) => askForRequest(server, account, {})),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    // The first use of a key is noted too.
    await createRequest(server, account);
    return faults.unexpected('atomically', () => askForRequest(server, account, asked));
  },
};

function list(server: TestServer, credential: string, query = ''): Promise<TestAnswer> {
  return server.send(`/v1/file-requests${query}`, { credential });
}

const listWith =
  (query: string): Provocation =>
  async ({ server }) =>
    list(server, (await server.account()).credential, `?${query}`);

export const listFileRequests: PairsOf<'listFileRequests'> = {
  INVALID_FILE_REQUEST: listWith('id=short'),
  INVALID_REQUEST_STATE: listWith('state=full'),
  INVALID_OBJECT_PREFIX: listWith('prefix=a%00b'),
  INVALID_LIMIT: listWith('limit=1001'),
  INVALID_CONTINUATION_TOKEN: listWith('cursor=made-up'),
  ACCESS_DENIED: ({ server }) => list(server, 'cbk_unknown'),
  async MISSING_SCOPE({ server }) {
    return list(server, await server.key(await server.account(), { scopes: ['blob:write'] }));
  },
  RATE_LIMITED: tooOften((server, { credential }) => list(server, credential)),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { credential } = await server.account();
    return faults.unexpected('fileRequests.listOf', () => list(server, credential));
  },
};

const unknown = { id: 'nosuchrequestnosuchrequest' };

const changeWith =
  (body: Readonly<Record<string, unknown>>, plan?: Plan): Provocation =>
  async ({ server }) => {
    const account = await server.account(plan);
    return change(server, account, { id: (await createRequest(server, account)).id, ...body });
  };

const elsewhere =
  (method: string): Provocation =>
  async ({ server }) => {
    const account = await server.account();
    const { id } = await createRequest(server, account);
    const credential = await server.key(account, { scopes: ['blob:write'], prefixes: ['invoices'] });
    return change(server, { credential }, { id, ...(method === 'PATCH' && { grace: 1 }) }, method);
  };

export const updateFileRequest: PairsOf<'updateFileRequest'> = {
  INVALID_BODY: async ({ server }) => change(server, await server.account(), []),
  INVALID_FILE_REQUEST: changeWith({ id: '../a', grace: 1 }),
  INVALID_REQUEST_STATE: changeWith({ state: 'expired' }),
  INVALID_REQUEST_TITLE: changeWith({ title: 'a'.repeat(101) }),
  INVALID_REQUEST_NOTE: changeWith({ note: '' }),
  INVALID_DEADLINE: changeWith({ deadline: 'tomorrow' }),
  INVALID_GRACE: changeWith({ grace: 604_801 }),
  INVALID_MAX_FILES: changeWith({ max_files: 100_001 }),
  INVALID_MAX_BYTES: changeWith({ max_bytes: -1 }),
  INVALID_MAX_SIZE: changeWith({ max_size: 0 }),
  INVALID_ALLOWED_EXTENSIONS: changeWith({ allowed_extensions: ['.pdf'] }),
  INVALID_PASSWORD: changeWith({ password: 'seven77' }),
  INVALID_SENDER_FOLDERS: changeWith({ sender_folders: 1 }),
  NOTHING_TO_UPDATE: changeWith({}),
  UPGRADE_REQUIRED: changeWith({ password }, 'standard'),
  FILE_REQUEST_NOT_FOUND: async ({ server }) => change(server, await server.account(), { ...unknown, grace: 1 }),
  PREFIX_NOT_ALLOWED: elsewhere('PATCH'),
  ACCESS_DENIED: ({ server }) => change(server, { credential: 'cbk_unknown' }, { ...unknown, grace: 1 }),
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'] });
    return change(server, { credential }, { ...unknown, grace: 1 });
  },
  BODY_TOO_LARGE: changeWith(tooLong),
  RATE_LIMITED: tooOften((server, account) => change(server, account, { ...unknown, grace: 1 })),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const { id } = await createRequest(server, account);
    return faults.unexpected('atomically', () => change(server, account, { id, grace: 1 }));
  },
};

export const deleteFileRequest: PairsOf<'deleteFileRequest'> = {
  INVALID_BODY: async ({ server }) => change(server, await server.account(), 'a', 'DELETE'),
  INVALID_FILE_REQUEST: async ({ server }) => change(server, await server.account(), { id: 'short' }, 'DELETE'),
  ACCESS_DENIED: ({ server }) => change(server, { credential: 'cbk_unknown' }, unknown, 'DELETE'),
  async MISSING_SCOPE({ server }) {
    const credential = await server.key(await server.account(), { scopes: ['blob:read'] });
    return change(server, { credential }, unknown, 'DELETE');
  },
  PREFIX_NOT_ALLOWED: elsewhere('DELETE'),
  async FILE_REQUEST_NOT_FOUND({ server }) {
    const { id } = await createRequest(server, await server.account());
    return change(server, await server.account(), { id }, 'DELETE');
  },
  BODY_TOO_LARGE: async ({ server }) => change(server, await server.account(), { ...unknown, ...tooLong }, 'DELETE'),
  RATE_LIMITED: tooOften((server, account) => change(server, account, unknown, 'DELETE')),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const account = await server.account();
    const { id } = await createRequest(server, account);
    return faults.unexpected('atomically', () => change(server, account, { id }, 'DELETE'));
  },
};

async function made(server: TestServer, body: Readonly<Record<string, unknown>> = {}): Promise<TestFileRequest> {
  return createRequest(server, await server.account(), body);
}

async function closed(server: TestServer, body: Readonly<Record<string, unknown>> = {}): Promise<TestFileRequest> {
  const account = await server.account();
  const request = await createRequest(server, account, body);
  await change(server, account, { id: request.id, state: 'closed' });
  return request;
}

async function expired(server: TestServer, body: Readonly<Record<string, unknown>> = {}): Promise<TestFileRequest> {
  const deadline = new Date(server.clock.now() + 60_000).toISOString();
  const request = await made(server, { deadline, ...body });
  server.clock.advance(60_000);
  return request;
}

const nowhere = { path: '/r/nosuchrequestnosuchrequest' };

const open = (server: TestServer, { path }: Pick<TestFileRequest, 'path'>, below = '') =>
  server.send(path + below, { door: 'files' });

export const openFileRequest: PairsOf<'openFileRequest'> = {
  FILE_REQUEST_NOT_FOUND: ({ server }) => open(server, nowhere),
  FILE_REQUEST_PASSWORD_REQUIRED: async ({ server }) => open(server, await made(server, { password })),
  FILE_REQUEST_CLOSED: async ({ server }) => open(server, await closed(server)),
  FILE_REQUEST_EXPIRED: async ({ server }) => open(server, await expired(server)),
  async RATE_LIMITED({ limited }) {
    const request = await made(limited);
    for (let visit = 0; visit < 120; visit++) await open(limited, request);
    return open(limited, request);
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const request = await made(server);
    return faults.unavailable('fileRequests.findByLink', () => open(server, request));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const request = await made(server);
    return faults.unexpected('fileRequests.findByLink', () => open(server, request));
  },
};

const small: readonly SentPart[] = [['a.txt', 'a']];

const sendWith =
  (body: Readonly<Record<string, unknown>>, files: readonly SentPart[] = small): Provocation =>
  async ({ server }) =>
    sendFiles(server, await made(server, body), files);

const sendBody =
  (type: string, body: string): Provocation =>
  async ({ server }) => {
    const { path } = await made(server);
    return server.send(path, { door: 'files', method: 'POST', headers: { 'Content-Type': type }, body });
  };

export const submitFiles: PairsOf<'submitFiles'> = {
  async TOO_MANY_CONCURRENT_UPLOADS(context) {
    const request = await made(context.limited);
    return whileTaken(
      32,
      (signal) => heldForm(context, { path: request.path, door: 'files' }, signal),
      () => sendFiles(context.limited, request, small),
    );
  },
  FILE_REQUEST_NOT_FOUND: ({ server }) => sendFiles(server, nowhere, small),
  FILE_REQUEST_PASSWORD_REQUIRED: sendWith({ password }),
  FILE_REQUEST_CLOSED: async ({ server }) => sendFiles(server, await closed(server), small),
  FILE_REQUEST_EXPIRED: async ({ server }) => sendFiles(server, await expired(server), small),
  async FILE_REQUEST_FULL({ server }) {
    const request = await made(server, { max_files: 1 });
    await sendFiles(server, request, small);
    return sendFiles(server, request, small);
  },
  INVALID_FORM_TOKEN: async ({ server }) =>
    sendFiles(server, await made(server), small, { headers: { Origin: 'https://evil.example' } }),
  INVALID_CONTENT_TYPE: sendBody('text/plain', 'a'),
  INVALID_FILE: sendBody(
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\na\r\n--b--',
  ),
  SERVER_OVERLOADED: whenFull(async ({ server }) => {
    const { path } = await made(server, { sender_folders: true });
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const body = '--b\r\nContent-Disposition: form-data; name="sender"\r\n\r\nAnn\r\n--b--';
    return () => server.send(path, { door: 'files', method: 'POST', headers, body });
  }),
  INVALID_SENDER_NAME: sendWith({ sender_folders: true }),
  INVALID_FILENAME: sendWith({}, [['..', 'a']]),
  BLOCKED_FILE_TYPE: sendWith({}, [['a.exe', 'a']]),
  FILE_TYPE_NOT_ALLOWED: sendWith({ allowed_extensions: ['pdf'] }),
  FILE_TOO_LARGE: sendWith({ max_size: 512 }, [['a.txt', someBytes(513)]]),
  async INSUFFICIENT_STORAGE({ full }) {
    return sendFiles(full, await made(full), small);
  },
  async UPLOAD_FAILED({ server, faults }) {
    const request = await made(server);
    return faults.broken('blobs.put', () => sendFiles(server, request, [['a.bin', someBytes(50_000)]]));
  },
  async RATE_LIMITED({ limited }) {
    const request = await made(limited);
    for (let form = 0; form < 60; form++) await sendFiles(limited, request, []);
    return sendFiles(limited, request, small);
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const request = await made(server);
    return faults.unavailable('fileRequests.findByLink', () => sendFiles(server, request, small));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const request = await made(server);
    return faults.unexpected('fileRequests.findByLink', () => sendFiles(server, request, small));
  },
};

const give = (
  server: TestServer,
  { path }: Pick<TestFileRequest, 'path'>,
  given: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  server.send(`${path}/password`, {
    door: 'files',
    method: 'POST',
    headers,
    body: new URLSearchParams({ password: given }),
  });

export const submitRequestPassword: PairsOf<'submitRequestPassword'> = {
  FILE_REQUEST_PASSWORD_REQUIRED: async ({ server }) =>
    give(server, await made(server, { password }), 'wrong password'),
  FILE_REQUEST_NOT_FOUND: ({ server }) => give(server, nowhere, password),
  FILE_REQUEST_CLOSED: async ({ server }) => give(server, await closed(server, { password }), password),
  FILE_REQUEST_EXPIRED: async ({ server }) => give(server, await expired(server, { password }), password),
  INVALID_FORM_TOKEN: async ({ server }) =>
    give(server, await made(server, { password }), password, { Origin: 'https://evil.example' }),
  BODY_TOO_LARGE: async ({ server }) => give(server, await made(server, { password }), 'a'.repeat(1_048_576)),
  SERVER_OVERLOADED: whenFull(async ({ server }) => {
    const request = await made(server, { password });
    return () => give(server, request, password);
  }),
  async RATE_LIMITED({ limited }) {
    const request = await made(limited, { password });
    // An address may send three wrong passwords at a request before it must wait.
    for (let attempt = 0; attempt < 3; attempt++) await give(limited, request, 'wrong password');
    return give(limited, request, password);
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const request = await made(server, { password });
    return faults.unavailable('fileRequests.findByLink', () => give(server, request, password));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const request = await made(server, { password });
    return faults.unexpected('fileRequests.findByLink', () => give(server, request, password));
  },
};

const seenBelow = (below: string): PairsOf<'showSentFiles'> => ({
  FILE_REQUEST_NOT_FOUND: ({ server }) => open(server, nowhere, below),
  NOTHING_SENT: async ({ server }) => open(server, await made(server), below),
  async RATE_LIMITED({ limited }) {
    const request = await made(limited);
    for (let visit = 0; visit < 120; visit++) await open(limited, request, below);
    return open(limited, request, below);
  },
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const request = await made(server);
    return faults.unavailable('fileRequests.findByLink', () => open(server, request, below));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const request = await made(server);
    return faults.unexpected('fileRequests.findByLink', () => open(server, request, below));
  },
});

export const showSentFiles: PairsOf<'showSentFiles'> = seenBelow('/sent');
export const getSentReceipt: PairsOf<'getSentReceipt'> = seenBelow('/receipt');
