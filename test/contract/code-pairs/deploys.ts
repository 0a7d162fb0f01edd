import { endDeploy } from '#server/features/deploys/end-deploy.ts';
import { takeDeploy } from '#server/features/deploys/take-deploy.ts';
import { deliveryOf } from '#test/support/git-deliveries.ts';
import type { TestAccount, TestServer } from '#test/support/server.ts';
import { ofApps, ownApp, properly, type Ask } from './apps.ts';
import { whenFull } from './server-overloaded.ts';
import { tooManyStreams, type PairsOf, type Provocation } from './provocation.ts';

const setWith =
  (body: string): Ask =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deploy/webhook`, {
      method: 'POST',
      body,
      ...(credential !== undefined && { credential }),
    });
const set = setWith('{"access_token": "token", "secret": "secret"}');
const current: Ask = (server, appId, credential) =>
  server.send(`/v2/apps/${appId}/deployments/current`, credential === undefined ? {} : { credential });
const listWith =
  (query: string): Ask =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deployments?${query}`, credential === undefined ? {} : { credential });
const list = listWith('');

export const setGitWebhook: PairsOf<'setGitWebhook'> = {
  ...ofApps(set, 'apps:deploy'),
  INVALID_BODY: properly(setWith('[]')),
  INVALID_ACCESS_TOKEN: properly(setWith('{"access_token": ""}')),
  INVALID_SECRET: properly(setWith('{"access_token": "token", "secret": ""}')),
  BODY_TOO_LARGE: properly(setWith(' '.repeat(1_048_577))),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, appId } = await ownApp(server);
    // The first use of a key is written as well.
    await current(server, appId, account.credential);
    return faults.unexpected('atomically', () => set(server, appId, account.credential));
  },
};

const whileReadsBreak =
  (ask: Ask): Provocation =>
  async ({ server, faults }) => {
    const { account, appId } = await ownApp(server);
    return faults.unexpected('deploys.listOf', () => ask(server, appId, account.credential));
  };

export const getCurrentDeployment: PairsOf<'getCurrentDeployment'> = {
  ...ofApps(current, 'apps:read'),
  INTERNAL_SERVER_ERROR: whileReadsBreak(current),
};

export const listDeployments: PairsOf<'listDeployments'> = {
  ...ofApps(list, 'apps:read'),
  INVALID_LIMIT: properly(listWith('limit=101')),
  INVALID_CONTINUATION_TOKEN: properly(listWith('cursor=made-up')),
  INTERNAL_SERVER_ERROR: whileReadsBreak(list),
};

const getFilters: Ask = (server, appId, credential) =>
  server.send(`/v2/apps/${appId}/deploy/filters`, credential === undefined ? {} : { credential });
const putFilters =
  (body = '{}'): Ask =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deploy/filters`, {
      method: 'PUT',
      body,
      ...(credential !== undefined && { credential }),
    });

export const getDeployFilters: PairsOf<'getDeployFilters'> = {
  ...ofApps(getFilters, 'apps:read'),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, appId } = await ownApp(server);
    return faults.unexpected('deploys.filtersOf', () => getFilters(server, appId, account.credential));
  },
};

/** Queues a deploy, as a push does. */
async function pushed(server: TestServer, account: TestAccount, appId: string): Promise<string> {
  const { response } = (await set(server, appId, account.credential)).json();
  await push(server, new URL(response.webhook).pathname);
  return (await list(server, appId, account.credential)).json().response.deployments[0].id;
}

/** Asks for something about a deploy. Without an id it is about one that does not exist. */
const aboutDeploy =
  (method: 'GET' | 'POST', what: string): ((id?: string) => Ask) =>
  (id = 'dep_missing') =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deployments/${id}/${what}`, { method, ...(credential && { credential }) });
const rerun = aboutDeploy('POST', 'redeploy');
const cancel = aboutDeploy('POST', 'cancel');
const logs = aboutDeploy('GET', 'logs');

const whileDeploysBreak =
  (ask: Ask): Provocation =>
  async ({ server, faults }) => {
    const { account, appId } = await ownApp(server);
    await current(server, appId, account.credential);
    return faults.unexpected('atomically', () => ask(server, appId, account.credential));
  };

export const replaceDeployFilters: PairsOf<'replaceDeployFilters'> = {
  ...ofApps(putFilters(), 'apps:deploy'),
  INVALID_BODY: properly(putFilters('[]')),
  INVALID_DEPLOY_FILTER: properly(putFilters('{"include_paths": ["/a"]}')),
  BODY_TOO_LARGE: properly(putFilters(' '.repeat(1_048_577))),
  INTERNAL_SERVER_ERROR: whileDeploysBreak(putFilters()),
};

const aboutHook =
  (method: 'GET' | 'POST' | 'DELETE', body?: string): Ask =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deploy/hook`, {
      method,
      ...(body !== undefined && { body }),
      ...(credential !== undefined && { credential }),
    });
const hookBody = (fields: object) => JSON.stringify({ repository: 'https://git.invalid/a.git', ...fields });

export const getDeployHook: PairsOf<'getDeployHook'> = {
  ...ofApps(aboutHook('GET'), 'apps:read'),
  DEPLOY_HOOK_NOT_FOUND: properly(aboutHook('GET')),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, appId } = await ownApp(server);
    return faults.unexpected('deployHooks.find', () => aboutHook('GET')(server, appId, account.credential));
  },
};

export const createDeployHook: PairsOf<'createDeployHook'> = {
  ...ofApps(aboutHook('POST', hookBody({})), 'apps:deploy'),
  INVALID_BODY: properly(aboutHook('POST', '[]')),
  INVALID_REPOSITORY: properly(aboutHook('POST', hookBody({ repository: 'shop' }))),
  INVALID_REF: properly(aboutHook('POST', hookBody({ branch: 'refs/tags/v1' }))),
  INVALID_GIT_HOST: properly(aboutHook('POST', hookBody({ host: 'sourceforge' }))),
  BODY_TOO_LARGE: properly(aboutHook('POST', ' '.repeat(1_048_577))),
  INTERNAL_SERVER_ERROR: whileDeploysBreak(aboutHook('POST', hookBody({}))),
};

export const revokeDeployHook: PairsOf<'revokeDeployHook'> = {
  ...ofApps(aboutHook('DELETE'), 'apps:deploy'),
  DEPLOY_HOOK_NOT_FOUND: properly(aboutHook('DELETE')),
  INTERNAL_SERVER_ERROR: whileDeploysBreak(aboutHook('DELETE')),
};

/** Creates a hook and uses it. */
const byHook =
  (body: string, uses = 1): Provocation =>
  async ({ server }) => {
    const { account, appId } = await ownApp(server);
    const { response } = (await aboutHook('POST', hookBody({}))(server, appId, account.credential)).json();
    const use = () => server.send(new URL(response.url).pathname, { method: 'POST', body });
    for (let used = 1; used < uses; used++) await use();
    return use();
  };

export const startHookDeploy: PairsOf<'startHookDeploy'> = {
  DEPLOY_HOOK_NOT_FOUND: ({ server }) => server.send('/v2/deploy/hook/made-up', { method: 'POST' }),
  INVALID_BODY: byHook('[]'),
  INVALID_REF: byHook('{"ref": "refs/tags/v1"}'),
  INVALID_COMMIT: byHook('{"commit": "abc"}'),
  BODY_TOO_LARGE: byHook(' '.repeat(1_048_577)),
  SERVER_OVERLOADED: whenFull(async ({ server }) => {
    const { account, appId } = await ownApp(server);
    const { response } = (await aboutHook('POST', hookBody({}))(server, appId, account.credential)).json();
    return () => server.send(new URL(response.url).pathname, { method: 'POST', body: '{}' });
  }),
  KEEP_CALM: byHook('{}', 2),
  async STORAGE_UNAVAILABLE({ server, faults }) {
    const { account, appId } = await ownApp(server);
    const { response } = (await aboutHook('POST', hookBody({}))(server, appId, account.credential)).json();
    return faults.unavailable('atomically', () => server.send(new URL(response.url).pathname, { method: 'POST' }));
  },
  async INTERNAL_SERVER_ERROR(context) {
    const { server, faults } = context;
    const { account, appId } = await ownApp(server);
    const { response } = (await aboutHook('POST', hookBody({}))(server, appId, account.credential)).json();
    return faults.unexpected('atomically', () => server.send(new URL(response.url).pathname, { method: 'POST' }));
  },
};

const aboutStatus =
  (method: 'GET' | 'PUT' | 'DELETE', body?: string): Ask =>
  (server, appId, credential) =>
    server.send(`/v2/apps/${appId}/deploy/status`, {
      method,
      ...(body !== undefined && { body }),
      ...(credential !== undefined && { credential }),
    });
const statusBody = (fields: object) =>
  JSON.stringify({ access_token: 'token', origin: 'https://git.invalid', ...fields });

export const getCommitStatus: PairsOf<'getCommitStatus'> = {
  ...ofApps(aboutStatus('GET'), 'apps:read'),
  COMMIT_STATUS_NOT_FOUND: properly(aboutStatus('GET')),
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, appId } = await ownApp(server);
    return faults.unexpected('commitStatuses.tokenOf', () => aboutStatus('GET')(server, appId, account.credential));
  },
};

export const replaceCommitStatus: PairsOf<'replaceCommitStatus'> = {
  ...ofApps(aboutStatus('PUT', statusBody({})), 'apps:deploy'),
  INVALID_BODY: properly(aboutStatus('PUT', '[]')),
  INVALID_ACCESS_TOKEN: properly(aboutStatus('PUT', statusBody({ access_token: '' }))),
  INVALID_STATUS_ORIGIN: properly(aboutStatus('PUT', statusBody({ origin: 'https://git.invalid/path' }))),
  INVALID_GIT_HOST: properly(aboutStatus('PUT', statusBody({ host: 'bitbucket-cloud' }))),
  INVALID_STATUS_CONTEXT: properly(aboutStatus('PUT', statusBody({ context: '' }))),
  INVALID_STATUS_URL: properly(aboutStatus('PUT', statusBody({ target_url: 'javascript:alert(1)' }))),
  BODY_TOO_LARGE: properly(aboutStatus('PUT', ' '.repeat(1_048_577))),
  INTERNAL_SERVER_ERROR: whileDeploysBreak(aboutStatus('PUT', statusBody({}))),
};

export const deleteCommitStatus: PairsOf<'deleteCommitStatus'> = {
  ...ofApps(aboutStatus('DELETE'), 'apps:deploy'),
  COMMIT_STATUS_NOT_FOUND: properly(aboutStatus('DELETE')),
  INTERNAL_SERVER_ERROR: whileDeploysBreak(aboutStatus('DELETE')),
};

export const runDeployment: PairsOf<'runDeployment'> = {
  ...ofApps(rerun(), 'apps:deploy'),
  DEPLOYMENT_NOT_FOUND: properly(rerun()),
  INTERNAL_SERVER_ERROR: whileDeploysBreak(rerun()),
};

export const abortDeployment: PairsOf<'abortDeployment'> = {
  ...ofApps(cancel(), 'apps:deploy'),
  DEPLOYMENT_NOT_FOUND: properly(cancel()),
  INTERNAL_SERVER_ERROR: whileDeploysBreak(cancel()),
};

export const getDeploymentLogs: PairsOf<'getDeploymentLogs'> = {
  ...ofApps(logs(), 'apps:read'),
  DEPLOYMENT_NOT_FOUND: properly(logs()),
  INVALID_LIMIT: properly(aboutDeploy('GET', 'logs?limit=1001')()),
  async INVALID_CONTINUATION_TOKEN({ server }) {
    const { account, appId } = await ownApp(server);
    const id = await pushed(server, account, appId);
    return aboutDeploy('GET', 'logs?cursor=made-up')(id)(server, appId, account.credential);
  },
  async DEPLOYMENT_LOG_NOT_FOUND({ server }) {
    const { account, appId } = await ownApp(server);
    const id = await pushed(server, account, appId);
    const { stores } = server.running.app;
    // Deploys of other provocations wait too.
    for (let next = await takeDeploy(stores); next.deploy; next = await takeDeploy(stores))
      await endDeploy(stores, next.deploy, 'success');
    return logs(id)(server, appId, account.credential);
  },
  async TOO_MANY_EVENT_STREAMS({ server }) {
    const { account, appId } = await ownApp(server);
    const id = await pushed(server, account, appId);
    return tooManyStreams(server, `/v2/apps/${appId}/deployments/${id}/logs`, account.credential);
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const { account, appId } = await ownApp(server);
    return faults.unexpected('deploys.find', () => logs()(server, appId, account.credential));
  },
};

/** The path of a new webhook. */
async function newHook(server: TestServer): Promise<string> {
  const { account, appId } = await ownApp(server);
  return new URL((await set(server, appId, account.credential)).json().response.webhook).pathname;
}

const push = (server: TestServer, hook: string, secret = 'secret', commit = 'a'.repeat(40)) =>
  server.send(hook, { method: 'POST', ...deliveryOf('github', 'push', { secret, commit }) });

export const receiveGitPush: PairsOf<'receiveGitPush'> = {
  async INVALID_PAYLOAD({ server }) {
    const hook = await newHook(server);
    return server.send(hook, {
      method: 'POST',
      ...deliveryOf('github', 'push', { secret: 'secret', commit: 'no commit' }),
    });
  },
  INVALID_SIGNATURE: async ({ server }) => push(server, await newHook(server), 'another'),
  WEBHOOK_NOT_FOUND: ({ server }) => push(server, '/v2/git/webhook/made-up'),
  async BODY_TOO_LARGE({ server }) {
    const { headers } = deliveryOf('github', 'push', { secret: 'secret' });
    return server.send(await newHook(server), { method: 'POST', headers, body: ' '.repeat(26_214_401) });
  },
  SERVER_OVERLOADED: whenFull(async ({ server }) => {
    const hook = await newHook(server);
    return () => push(server, hook);
  }),
  async KEEP_CALM({ server }) {
    const hook = await newHook(server);
    await push(server, hook);
    return push(server, hook, 'secret', 'b'.repeat(40));
  },
  async DEPLOY_QUEUE_UNAVAILABLE({ server, faults }) {
    const hook = await newHook(server);
    return faults.unavailable('atomically', () => push(server, hook));
  },
  async INTERNAL_SERVER_ERROR({ server, faults }) {
    const hook = await newHook(server);
    return faults.unexpected('atomically', () => push(server, hook));
  },
};
