import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { policies, type OperationId } from '#generated/policies.ts';
import { noteRun } from '#server/domain/backup/note-run.ts';
import { failedCredentials } from '#server/domain/limits.ts';
import { exchange } from '#test/doors/raw-request.ts';
import { contract } from '#test/support/contract.ts';
import { startTestServer, type TestAnswer, type TestRequest, type TestServer } from '#test/support/server.ts';
import { operationsOf, type Operation } from '../../../openapi/codegen/document.ts';
import type { Provocation } from './provocation.ts';
import { sendSample } from './sample.ts';
import { signInOverHttp } from './sign-in-over-http.ts';

type Pairs = Partial<Record<ErrorCode, Provocation>>;

const operations = operationsOf(contract).filter(({ door, tag }) => door === 'operator' && tag === 'operator');

/** Addresses of documentation, one for each operation. */
const addressOf = (operation: Operation) => `198.51.100.${operations.indexOf(operation) + 1}`;

const ask = async (server: TestServer, path: string, request: TestRequest = {}): Promise<TestAnswer> =>
  server.send(`/v2/operator${path}`, { door: 'operator', credential: await server.operatorKey(), ...request });

const post = (path: string, body: unknown): Provocation => {
  return ({ server }) => ask(server, path, { method: 'POST', body: JSON.stringify(body) });
};

const get = (path: string): Provocation => {
  return ({ server }) => ask(server, path);
};

/** The codes of every operation of the door. */
function usual(operation: Operation): Pairs {
  const sent = async (server: TestServer) => sendSample(server, operation, await server.operatorKey());
  return {
    HOST_NOT_ALLOWED: ({ server }) =>
      exchange(server, `/v2/operator${samplePath(operation)}`, {
        door: 'operator',
        method: operation.method.toUpperCase(),
        headers: { Host: 'page.example' },
      }),
    async ACCESS_DENIED({ server }) {
      // A key of an account works at other doors only.
      return sendSample(server, operation, (await server.account()).credential);
    },
    async RATE_LIMITED({ limited }) {
      const headers = { 'X-Forwarded-For': addressOf(operation) };
      for (let wrong = 0; wrong <= failedCredentials.limit; wrong++)
        await sendSample(limited, operation, 'cbo_wrong', headers);
      return sendSample(limited, operation, await limited.operatorKey(), headers);
    },
    STORAGE_UNAVAILABLE: ({ server, faults }) => faults.unavailable('operatorKeys.findByHash', () => sent(server)),
    INTERNAL_SERVER_ERROR: ({ server, faults }) => faults.unexpected('operatorKeys.findByHash', () => sent(server)),
    ...(declares(operation, 'ACCOUNT_NOT_FOUND') && { ACCOUNT_NOT_FOUND: ({ server }) => sent(server) }),
    ...(declares(operation, 'BODY_TOO_LARGE') && {
      BODY_TOO_LARGE: ({ server }) =>
        ask(server, samplePath(operation), {
          method: operation.method.toUpperCase(),
          body: JSON.stringify({ padding: ' '.repeat(1_048_576) }),
        }),
    }),
    ...(declares(operation, 'INVALID_BODY') && {
      INVALID_BODY: ({ server }) =>
        ask(server, samplePath(operation), { method: operation.method.toUpperCase(), body: '[]' }),
    }),
    ...(declares(operation, 'INVALID_LIMIT') && { INVALID_LIMIT: get(`${samplePath(operation)}?limit=0`) }),
    ...(declares(operation, 'INVALID_CONTINUATION_TOKEN') && {
      INVALID_CONTINUATION_TOKEN: get(`${samplePath(operation)}?cursor=made-up`),
    }),
  };
}

function declares({ id }: Operation, code: ErrorCode): boolean {
  return (codesOfOperation[id as OperationId] as readonly ErrorCode[]).includes(code);
}

const signIn = (server: TestServer, key: string, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
  server.send('/v2/operator/session', {
    method: 'POST',
    door: 'operator',
    headers,
    body: JSON.stringify({ operator_key: key }),
  });

/** Returns the path of an operation behind `/v2/operator`, with ids that name nothing. */
function samplePath({ id }: Operation): string {
  return policies[id as OperationId].path
    .replace('/v2/operator', '')
    .replace('{account_id}', '204815162342108999')
    .replace(/\{[^}]+\}/, 'x');
}

/** Creates a key with a field of another value, for an account that exists. */
const keyWith = (fields: object): Provocation => {
  return async ({ server }) => {
    const { id } = await server.account();
    const body = JSON.stringify({ name: 'Website', scopes: ['blob:read'], ...fields });
    return ask(server, `/accounts/${id}/keys`, { method: 'POST', body });
  };
};

/** The codes that only some operations have. */
const own: Readonly<Record<string, Pairs>> = {
  listAccounts: { INVALID_SEARCH: get(`/accounts?search=${'a'.repeat(65)}`) },
  updateAccount: {
    async UPGRADE_REQUIRED({ server }) {
      const { id } = await server.account('pro');
      return ask(server, `/accounts/${id}`, { method: 'PATCH', body: JSON.stringify({ own_ai_budget: 5 }) });
    },
  },
  createAccountKey: {
    INVALID_KEY_NAME: keyWith({ name: ' ' }),
    INVALID_SCOPES: keyWith({ scopes: ['*', 'blob:read'] }),
    INVALID_RESOURCES: keyWith({ scopes: ['apps:read'], resources: [] }),
    INVALID_PREFIXES: keyWith({ prefixes: ['../invoices'] }),
    INVALID_AI_LIMITS: keyWith({ ai: {} }),
    INVALID_EXPIRES_IN: keyWith({ expires_in: '2000d' }),
    CONFLICTING_RESOURCES: keyWith({ scopes: ['*'], prefixes: ['invoices'] }),
    async APIKEY_LIMIT_REACHED(context) {
      const account = await context.server.account();
      for (let key = 1; key < 10; key++) await context.server.key(account, { scopes: ['blob:read'] });
      const body = JSON.stringify({ name: 'Website', scopes: ['blob:read'] });
      return ask(context.server, `/accounts/${account.id}/keys`, { method: 'POST', body });
    },
  },
  updateAccountKey: {
    APIKEY_NOT_FOUND: ({ server }) => ask(server, '/keys/unknown', { method: 'PATCH', body: '{"ai":null}' }),
    INVALID_AI_LIMITS: ({ server }) => ask(server, '/keys/unknown', { method: 'PATCH', body: '{"ai":{}}' }),
  },
  getAccountAiUsage: {
    INVALID_TIME_RANGE: get('/accounts/204815162342108999/usage/ai?from=2026-02-30'),
    INVALID_GROUP_BY: get('/accounts/204815162342108999/usage/ai?group_by=hour'),
  },
  revokeAccountKey: {
    APIKEY_NOT_FOUND: ({ server }) => ask(server, '/keys/unknown', { method: 'DELETE' }),
  },
  runJob: {
    JOB_NOT_FOUND: post('/jobs/unknown/run', {}),
    async CLOCK_JUMPED({ server }) {
      const { metadata } = server.running.app.stores;
      await metadata.atomically((tx) => tx.clockJump.save({ noticedAt: 1, byMs: 2e8 }));
      try {
        return await ask(server, '/jobs/delete-expired/run', { method: 'POST' });
      } finally {
        await metadata.atomically((tx) => tx.clockJump.clear());
      }
    },
  },
  listBackups: {
    BACKUP_TARGET_MISSING: get('/backups'),
    async BACKUP_TARGET_UNUSABLE() {
      return ask(await startTestServer({ env: { CUBBY_BACKUP_TARGET: '/nowhere/backup' } }), '/backups');
    },
  },
  startBackup: {
    BACKUP_TARGET_MISSING: post('/backups', {}),
    async BACKUP_RUNNING() {
      const target = '/nowhere/backup';
      const server = await startTestServer({ env: { CUBBY_BACKUP_TARGET: target } });
      const run = await noteRun(server.running.app.stores, { target });
      const answer = await ask(server, '/backups', { method: 'POST' });
      await run.end(null);
      return answer;
    },
  },
  listAuditEntries: { INVALID_TIME_RANGE: get('/audit?since=2026-02-31T00:00:00Z') },
  startOperatorSession: {
    CSRF_TOKEN_INVALID: ({ server }) => signIn(server, 'cbo_wrong', { 'Sec-Fetch-Site': 'cross-site' }),
    HTTPS_REQUIRED: () =>
      signInOverHttp('operator', '/v2/operator/session', async (server) => ({
        operator_key: await server.operatorKey(),
      })),
    async STORAGE_UNAVAILABLE({ server, faults }) {
      const key = await server.operatorKey();
      return faults.unavailable('operatorKeys.findByHash', () => signIn(server, key));
    },
    async INTERNAL_SERVER_ERROR({ server, faults }) {
      const key = await server.operatorKey();
      return faults.unexpected('operatorKeys.findByHash', () => signIn(server, key));
    },
  },
  deleteOperatorSession: {
    SESSION_NOT_FOUND: ({ server }) => ask(server, '/session', { method: 'DELETE' }),
  },
  verifyAuditLog: { INVALID_AUDIT_PLACE: get('/audit/verify?expect=2') },
};

/** The provocations of every operation of the operator's door. */
export const operatorPairs: Readonly<Record<string, Pairs>> = Object.fromEntries(
  operations.map((operation) => [operation.id, { ...usual(operation), ...own[operation.id] }]),
);
