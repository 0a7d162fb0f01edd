import type { TestAccount, TestAnswer, TestServer } from '#test/support/server.ts';
import type { StoreCall } from './store-faults.ts';
import { tooOften, type PairsOf, type Provocation } from './provocation.ts';

type Ask = (server: TestServer, credential: string, body?: unknown) => Promise<TestAnswer>;

const asking =
  (method: string, path: string, standard?: unknown): Ask =>
  (server, credential, body = standard) =>
    server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) });

const start = asking('POST', '/v1/folders/jobs', { action: 'delete', prefix: 'builds' });
const list = asking('GET', '/v1/folders/jobs');
const get = asking('GET', '/v1/folders/jobs/job_missing');
const abort = asking('POST', '/v1/folders/jobs/job_missing/cancel');

const withBody =
  (body: unknown, plan?: 'none' | 'hobby'): Provocation =>
  async ({ server }) =>
    start(server, (await server.account(plan)).credential, body);

/** The codes that every operation here answers. */
function common(ask: Ask, fault: StoreCall) {
  return {
    ACCESS_DENIED: ({ server }) => ask(server, 'cbk_unknown'),
    MISSING_SCOPE: async ({ server }) => ask(server, await server.key(await server.account(), { scopes: ['ai:chat'] })),
    RATE_LIMITED: tooOften((server, { credential }) => ask(server, credential)),
    async INTERNAL_SERVER_ERROR({ server, faults }) {
      const { credential } = await server.account();
      // By then the key's first use is recorded.
      await list(server, credential);
      return faults.unexpected(fault, () => ask(server, credential));
    },
  } satisfies Partial<Record<string, Provocation>>;
}

const limited = (server: TestServer, account: TestAccount) =>
  server.key(account, { scopes: ['blob:write'], prefixes: ['photos'] });

/** A job of the account over a folder that a limited key does not reach. */
const outside =
  (method: string, rest = ''): Provocation =>
  async ({ server }) => {
    const account = await server.account();
    const { id } = (await start(server, account.credential)).json().response;
    return server.send(`/v1/folders/jobs/${id}${rest}`, { method, credential: await limited(server, account) });
  };

const missing = (ask: Ask): Provocation => {
  return async ({ server }) => ask(server, (await server.account()).credential);
};

export const startFolderJob: PairsOf<'startFolderJob'> = {
  ...common(start, 'atomically'),
  PREFIX_NOT_ALLOWED: async ({ server }) => start(server, await limited(server, await server.account())),
  INVALID_BODY: withBody([]),
  INVALID_FOLDER_ACTION: withBody({ action: 'eat', prefix: 'builds' }),
  INVALID_OBJECT_PREFIX: withBody({ action: 'delete', prefix: 'a//b' }),
  INVALID_DESTINATION: withBody({ action: 'move', prefix: 'builds', destination: 'builds/old' }),
  INVALID_OVERWRITE: withBody({ action: 'copy', prefix: 'builds', destination: 'b', overwrite: 'yes' }),
  INVALID_OBJECT_PRIVATE: withBody({ action: 'update', prefix: 'builds', private: 'yes' }),
  INVALID_OBJECT_EXPIRE: withBody({ action: 'update', prefix: 'builds', expire: '9999d' }),
  INVALID_KEEP_DELETED: withBody({ action: 'delete', prefix: 'builds', keep_deleted_days: -1 }),
  FOLDER_JOB_NOT_FOUND: withBody({ action: 'restore', prefix: 'builds', deleted_by: 'job_missing' }),
  NOTHING_TO_UPDATE: withBody({ action: 'update', prefix: 'builds' }),
  BODY_TOO_LARGE: withBody({ action: 'delete', prefix: 'builds', padding: ' '.repeat(1_048_576) }),
  PERMISSION_DENIED: withBody({ action: 'delete', prefix: 'builds' }, 'none'),
  UPGRADE_REQUIRED: withBody({ action: 'update', prefix: 'builds', expire: '1d' }, 'hobby'),
  async TOO_MANY_FOLDER_JOBS({ server }) {
    const { credential } = await server.account();
    // The clock stands still, so no job begins.
    await start(server, credential);
    await start(server, credential);
    return start(server, credential);
  },
};

export const listFolderJobs: PairsOf<'listFolderJobs'> = common(list, 'folderJobs.listOf');
export const getFolderJob: PairsOf<'getFolderJob'> = {
  ...common(get, 'folderJobs.find'),
  PREFIX_NOT_ALLOWED: outside('GET'),
  FOLDER_JOB_NOT_FOUND: missing(get),
};
export const abortFolderJob: PairsOf<'abortFolderJob'> = {
  ...common(abort, 'atomically'),
  PREFIX_NOT_ALLOWED: outside('POST', '/cancel'),
  FOLDER_JOB_NOT_FOUND: missing(abort),
};
