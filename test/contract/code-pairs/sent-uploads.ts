import { changeRequest, createRequest, type TestFileRequest } from '#test/support/file-requests.ts';
import { someBytes } from '#test/support/files.ts';
import { announce, askUpload, openedUpload, sendBytes, type TestSentUpload } from '#test/support/sent-uploads.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';
import { whenFull } from './server-overloaded.ts';
import { heldForm, whileTaken } from './held-bodies.ts';
import type { PairContext, PairsOf, Provocation } from './provocation.ts';
import { busy } from './upload-busy.ts';

const password = 'correct horse';
const file = { name: 'a.bin', size: 3 };
const nowhere = { path: '/r/nosuchrequestnosuchrequest' };
const foreign = { Origin: 'https://evil.example' };

type Fields = Readonly<Record<string, unknown>>;

async function made(server: TestServer, body: Fields = {}): Promise<TestFileRequest> {
  return createRequest(server, await server.account(), body);
}

const announceWith =
  (body: unknown, request: Fields = {}): Provocation =>
  async ({ server }) =>
    announce(server, await made(server, request), body);

/** The end of a request, in each way. */
const ends = {
  async FILE_REQUEST_CLOSED(server: TestServer, act: (request: TestFileRequest) => Promise<TestAnswer>) {
    const account = await server.account();
    const request = await createRequest(server, account);
    return { act: () => act(request), end: () => changeRequest(server, account, { id: request.id, state: 'closed' }) };
  },
  async FILE_REQUEST_EXPIRED(server: TestServer, act: (request: TestFileRequest) => Promise<TestAnswer>) {
    const deadline = new Date(server.clock.now() + 60_000).toISOString();
    const request = await made(server, { deadline, grace: 0 });
    return { act: () => act(request), end: async () => server.clock.advance(60_000) };
  },
};

async function manyTimes(server: TestServer, ask: (request: TestFileRequest) => Promise<TestAnswer>) {
  const request = await made(server);
  for (let at = 0; at < 600; at++) await ask(request);
  return ask(request);
}

export const startSentUpload: PairsOf<'startSentUpload'> = {
  INVALID_BODY: announceWith([]),
  INVALID_FILENAME: announceWith({ ...file, name: '..' }),
  INVALID_SENT_SIZE: announceWith({ ...file, size: -1 }),
  INVALID_SENDER_NAME: announceWith(file, { sender_folders: true }),
  BODY_TOO_LARGE: announceWith({ ...file, padding: ' '.repeat(1_048_576) }),
  SERVER_OVERLOADED: whenFull(async ({ server }) => {
    const request = await made(server);
    return () => announce(server, request, file);
  }),
  BLOCKED_FILE_TYPE: announceWith({ ...file, name: 'a.exe' }),
  FILE_TYPE_NOT_ALLOWED: announceWith(file, { allowed_extensions: ['pdf'] }),
  FILE_TOO_LARGE: announceWith({ ...file, size: 513 }, { max_size: 512 }),
  FILE_REQUEST_FULL: announceWith(file, { max_bytes: 2 }),
  FILE_REQUEST_PASSWORD_REQUIRED: announceWith(file, { password }),
  FILE_REQUEST_NOT_FOUND: ({ server }) => announce(server, nowhere, file),
  async FILE_REQUEST_CLOSED({ server }) {
    const { act, end } = await ends.FILE_REQUEST_CLOSED(server, (request) => announce(server, request, file));
    await end();
    return act();
  },
  async FILE_REQUEST_EXPIRED({ server }) {
    const { act, end } = await ends.FILE_REQUEST_EXPIRED(server, (request) => announce(server, request, file));
    await end();
    return act();
  },
  INVALID_FORM_TOKEN: async ({ server }) => announce(server, await made(server), file, { headers: foreign }),
  async TOO_MANY_OPEN_UPLOADS({ server }) {
    const request = await made(server);
    const { cookie } = await openedUpload(server, request, file);
    for (let at = 1; at < 16; at++) await announce(server, request, file, { cookie });
    return announce(server, request, file, { cookie });
  },
  INSUFFICIENT_STORAGE: async ({ full }) => announce(full, await made(full), file),
  async UPLOAD_FAILED({ server, faults }) {
    const request = await made(server);
    return faults.broken('atomically', () => announce(server, request, file));
  },
  RATE_LIMITED: ({ limited }) => manyTimes(limited, (request) => announce(limited, request, {})),
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const request = await made(server);
    return faults.unavailable('fileRequests.findByLink', () => announce(server, request, file));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const request = await made(server);
    return faults.unexpected('fileRequests.findByLink', () => announce(server, request, file));
  },
};

type Ask = (server: TestServer, upload: TestSentUpload) => Promise<TestAnswer>;

const unknownAt = ({ path }: Pick<TestFileRequest, 'path'>): TestSentUpload => ({
  path: `${path}/uploads/nosuchupload`,
  cookie: 'cubby_sender=none',
});

const onOpen =
  (ask: Ask, request: Fields = {}, fields: Fields = file): Provocation =>
  async ({ server }) =>
    ask(server, await openedUpload(server, await made(server, request), fields));

/** The codes that every request about an upload has. */
function common(ask: Ask) {
  return {
    FILE_REQUEST_NOT_FOUND: ({ server }: PairContext) => ask(server, unknownAt(nowhere)),
    UPLOAD_NOT_FOUND: async ({ server }: PairContext) => ask(server, unknownAt(await made(server))),
    async UPLOAD_BUSY({ server, faults }: PairContext) {
      const upload = await openedUpload(server, await made(server), file);
      return busy(faults, () => ask(server, upload), 'fileRequests.findUpload');
    },
    RATE_LIMITED: ({ limited }: PairContext) => manyTimes(limited, (request) => ask(limited, unknownAt(request))),
    async STORAGE_UNAVAILABLE({ server, faults }: PairContext) {
      const upload = await openedUpload(server, await made(server), file);
      return faults.unavailable('fileRequests.findByLink', () => ask(server, upload));
    },
    async INTERNAL_SERVER_ERROR({ server, faults }: PairContext) {
      const upload = await openedUpload(server, await made(server), file);
      return faults.unexpected('fileRequests.findByLink', () => ask(server, upload));
    },
  };
}

/** The codes of requests that need an open request. */
function whileOpen(ask: Ask) {
  const ended =
    (code: keyof typeof ends): Provocation =>
    async ({ server }) => {
      let upload: TestSentUpload | undefined;
      const { act, end } = await ends[code](server, async (request) => {
        upload ??= await openedUpload(server, request, file);
        return ask(server, upload);
      });
      // The first call opens the upload, and leaves bytes missing.
      await act();
      await end();
      return act();
    };
  return {
    FILE_REQUEST_CLOSED: ended('FILE_REQUEST_CLOSED'),
    FILE_REQUEST_EXPIRED: ended('FILE_REQUEST_EXPIRED'),
    FILE_REQUEST_PASSWORD_REQUIRED: (async ({ server }) => {
      const account = await server.account();
      const request = await createRequest(server, account);
      const upload = await openedUpload(server, request, file);
      await changeRequest(server, account, { id: request.id, password });
      return ask(server, upload);
    }) satisfies Provocation,
  };
}

/** An upload that has all of its bytes, and whose request takes less than that now. */
async function overfull(server: TestServer): Promise<TestSentUpload> {
  const account = await server.account();
  const request = await createRequest(server, account, { max_bytes: 10 });
  const upload = await openedUpload(server, request, file);
  await changeRequest(server, account, { id: request.id, max_bytes: 2 });
  await sendBytes(server, upload, 0, 'abc');
  return upload;
}

/** An upload whose one byte is missing. */
async function broken(server: TestServer, faults: PairContext['faults'], ask: Ask, size: number): Promise<TestAnswer> {
  const upload = await openedUpload(server, await made(server), { ...file, size });
  return faults.broken('blobs.put', () => ask(server, upload));
}

const get: Ask = (server, upload) => askUpload(server, upload);
const send: Ask = (server, upload) => sendBytes(server, upload, 0, 'a');
const drop: Ask = (server, upload) => askUpload(server, upload, 'DELETE');

export const getSentUpload: PairsOf<'getSentUpload'> = {
  ...common(get),
  ...whileOpen(get),
  FILE_REQUEST_FULL: async ({ server }) => get(server, await overfull(server)),
  async UPLOAD_FAILED({ server, faults }) {
    const account = await server.account();
    const request = await createRequest(server, account, { max_bytes: 10 });
    const upload = await openedUpload(server, request, file);
    await changeRequest(server, account, { id: request.id, max_bytes: 2 });
    await sendBytes(server, upload, 0, 'abc');
    await changeRequest(server, account, { id: request.id, max_bytes: 10 });
    return faults.broken('atomically', () => get(server, upload));
  },
};

export const putSentBytes: PairsOf<'putSentBytes'> = {
  async TOO_MANY_CONCURRENT_UPLOADS(context) {
    const request = await made(context.limited);
    return whileTaken(
      32,
      (signal) => heldForm(context, { path: request.path, door: 'files' }, signal),
      () => sendBytes(context.limited, unknownAt(request), 0, 'a'),
    );
  },
  ...common(send),
  ...whileOpen(send),
  INVALID_FORM_TOKEN: onOpen((server, upload) => sendBytes(server, upload, 0, 'a', { headers: foreign })),
  INVALID_UPLOAD_HEADER: onOpen((server, upload) =>
    sendBytes(server, upload, 0, 'a', { headers: { 'Upload-Offset': 'a' } }),
  ),
  UNSUPPORTED_UPLOAD_TYPE: onOpen((server, upload) =>
    sendBytes(server, upload, 0, 'a', { headers: { 'Content-Type': 'text/plain' } }),
  ),
  UPLOAD_OFFSET_MISMATCH: onOpen((server, upload) => sendBytes(server, upload, 1, 'a')),
  SIZE_MISMATCH: onOpen((server, upload) => sendBytes(server, upload, 0, 'abcd')),
  UPLOAD_COMPLETED: onOpen(async (server, upload) => {
    await sendBytes(server, upload, 0, 'abc');
    return sendBytes(server, upload, 3, 'a');
  }),
  async FILE_REQUEST_FULL({ server }) {
    const account = await server.account();
    const request = await createRequest(server, account);
    const upload = await openedUpload(server, request, file);
    await changeRequest(server, account, { id: request.id, max_bytes: 2 });
    return sendBytes(server, upload, 0, 'abc');
  },
  UPLOAD_FAILED: ({ server, faults }) =>
    broken(server, faults, (to, upload) => sendBytes(to, upload, 0, someBytes(50_000)), 60_000),
  async INSUFFICIENT_STORAGE({ full }) {
    return send(full, unknownAt(await made(full)));
  },
};

export const deleteSentUpload: PairsOf<'deleteSentUpload'> = {
  ...common(drop),
  INVALID_FORM_TOKEN: onOpen((server, upload) => askUpload(server, upload, 'DELETE', foreign)),
};
