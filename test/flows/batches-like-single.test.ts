import { describe, expect, it } from 'vitest';

import { importLegacyFile } from '#server/features/files/legacy/import-legacy-file.ts';
import { exchange } from '#test/s3/exchange.ts';
import { pairOf } from '#test/s3/gateway.ts';
import { eventually } from '#test/support/eventually.ts';
import { someBytes, upload } from '#test/support/files.ts';
import { startHookServer, type HookServer } from '#test/support/hook-server.ts';
import { startTestServer, type TestAccount, type TestServer } from '#test/support/server.ts';

interface World {
  readonly server: TestServer;
  readonly hook: HookServer;
}

async function start(): Promise<World> {
  const hook = await startHookServer();
  const env = { CUBBY_PUBLIC_URL: 'https://cdn.example.com', CUBBY_CDN_PURGE_URL: `http://127.0.0.1:${hook.port}/` };
  return { hook, server: await startTestServer({ env }) };
}

const ask = async ({ server }: World, { credential }: TestAccount, method: string, path: string, body?: unknown) =>
  (await server.send(path, { method, credential, ...(body !== undefined && { body: JSON.stringify(body) }) })).json();

/** Starts a job, waits for its end, and returns the code of its first failure. */
async function runJob(world: World, account: TestAccount, body: object): Promise<string> {
  const { id } = (await ask(world, account, 'POST', '/v1/folders/jobs', body)).response;
  world.server.clock.advance(1);
  return eventually(async () => {
    const job = (await ask(world, account, 'GET', `/v1/folders/jobs/${id}`)).response;
    expect(job.state).toBe('done');
    expect(job.done + job.failed).toBe(job.total);
    return job.failures[0]?.code ?? 'done';
  });
}

const rules = [
  { prefix: 'from', keep_deleted_days: 30 },
  { prefix: 'hidden', private: true },
  { prefix: 'typed', extensions: ['pdf'] },
  { prefix: 'small', max_size: 600 },
];

/** An account with one public file, and the rules. With a version in the trash, and no file, if that is asked for. */
async function prepared(world: World, isTrashed: boolean) {
  const account = await world.server.account();
  await ask(world, account, 'PUT', '/v1/account/settings', { rules });
  const { id } = (await upload(world.server, account, { query: { prefix: 'from', name: 'a' } })).json().response;
  if (isTrashed) await ask(world, account, 'DELETE', '/v1/objects', { object: id });
  const { versions } = (await ask(world, account, 'GET', '/v1/trash')).response;
  return { account, id: id as string, version: versions[0]?.version as string };
}

type Prepared = Awaited<ReturnType<typeof prepared>>;
type Act = (world: World, on: Prepared) => Promise<string>;

/** The code of a response, or of its only file. */
const codeOf = (answer: any): string =>
  answer.code ?? answer.response?.results?.[0]?.code ?? answer.response?.failed?.[0]?.code ?? 'done';

const missing = ({ account }: Prepared, at = 1) => `pub/${account.id}/from/missing-${at}.png`;
const noVersion = '3aekqbzcr5v7mkq2n4x6w3z3b';

const removing: Readonly<Record<string, Act>> = {
  alone: async (world, on) => codeOf(await ask(world, on.account, 'DELETE', '/v1/objects', { object: on.id })),
  'in a list': async (world, on) => {
    const objects = [on.id, missing(on), missing(on, 2)];
    return codeOf(await ask(world, on.account, 'DELETE', '/v1/objects', { objects }));
  },
  'by a job': (world, { account }) => runJob(world, account, { action: 'delete', prefix: 'from' }),
};

const hiding: Readonly<Record<string, Act>> = {
  alone: async (world, { account, id }) =>
    codeOf(await ask(world, account, 'PATCH', '/v1/objects', { object: id, private: true })),
  'in a list': async (world, on) => {
    const objects = [on.id, missing(on)];
    return codeOf(await ask(world, on.account, 'PATCH', '/v1/objects', { objects, private: true }));
  },
  'by a job': (world, { account }) => runJob(world, account, { action: 'update', prefix: 'from', private: true }),
};

const placing = (action: 'move' | 'copy', prefix: string): Readonly<Record<string, Act>> => ({
  alone: async (world, { account, id: source }) => {
    const copy = { source, destination: { name: 'a', prefix }, move: action === 'move' };
    return codeOf(await ask(world, account, 'POST', '/v1/objects/copy', copy));
  },
  'by a job': (world, { account }) => runJob(world, account, { action, prefix: 'from', destination: prefix }),
});

const restoring: Readonly<Record<string, Act>> = {
  alone: async (world, { account, version }) =>
    codeOf(await ask(world, account, 'POST', '/v1/trash/restore', { version })),
  'in a list': async (world, { account, version }) => {
    const versions = [version, noVersion];
    const { response } = await ask(world, account, 'POST', '/v1/trash/restore', { versions });
    return response.restored.length === 1 ? 'done' : response.failed[0].code;
  },
  'by a job': (world, { account }) => runJob(world, account, { action: 'restore', prefix: 'from' }),
};

const purging: Readonly<Record<string, Act>> = {
  alone: async (world, { account, version }) => codeOf(await ask(world, account, 'DELETE', '/v1/trash', { version })),
  'in a list': async (world, { account, version }) => {
    const { response } = await ask(world, account, 'DELETE', '/v1/trash', { versions: [version, noVersion] });
    return response.purged.length === 1 ? 'done' : response.failed[0].code;
  },
  'by a job': (world, { account }) => runJob(world, account, { action: 'purge', prefix: 'from' }),
};

/** What surrounds an operation. `quota` leaves no room, `plan` ends before the work, `hook` refuses. */
type Around = 'as usual' | 'hook' | 'quota' | 'plan' | 'taken';

const rows: Array<
  [what: string, forms: Readonly<Record<string, Act>>, around: Around, code: string, isTrashed?: boolean]
> = [
  ['a deletion', removing, 'as usual', 'done'],
  ['a deletion while the CDN refuses', removing, 'hook', 'done'],
  ['a change to private', hiding, 'as usual', 'done'],
  ['a change to private that the CDN refuses', hiding, 'hook', 'VISIBILITY_CHANGE_FAILED'],
  ['a move', placing('move', 'to'), 'as usual', 'done'],
  ['a move to a place that is taken', placing('move', 'to'), 'taken', 'OBJECT_ALREADY_EXISTS'],
  ['a move under a private rule', placing('move', 'hidden'), 'as usual', 'done'],
  ['a move under a private rule that the CDN refuses', placing('move', 'hidden'), 'hook', 'VISIBILITY_CHANGE_FAILED'],
  ['a move under a rule of types', placing('move', 'typed'), 'as usual', 'FILE_TYPE_NOT_ALLOWED'],
  ['a move under a rule of sizes', placing('move', 'small'), 'as usual', 'FILE_TOO_LARGE'],
  ['a move with a full quota', placing('move', 'to'), 'quota', 'done'],
  ['a move without a plan', placing('move', 'to'), 'plan', 'PERMISSION_DENIED'],
  ['a copy', placing('copy', 'to'), 'as usual', 'done'],
  ['a copy under a private rule', placing('copy', 'hidden'), 'as usual', 'done'],
  ['a copy under a rule of types', placing('copy', 'typed'), 'as usual', 'FILE_TYPE_NOT_ALLOWED'],
  ['a copy with a full quota', placing('copy', 'to'), 'quota', 'STORAGE_QUOTA_EXCEEDED'],
  ['a copy without a plan', placing('copy', 'to'), 'plan', 'PERMISSION_DENIED'],
  ['a restored version', restoring, 'as usual', 'done', true],
  ['a restored version with a full quota', restoring, 'quota', 'done', true],
  ['a purge', purging, 'as usual', 'done', true],
];

async function surround({ server, hook }: World, { account }: Prepared, around: Around): Promise<void> {
  const { metadata } = server.running.app.stores;
  if (around === 'hook') hook.answer = (res) => res.writeHead(403).end();
  if (around === 'quota') await metadata.atomically((tx) => tx.accounts.setQuota(account.id, 3000));
  if (around === 'taken') await upload(server, account, { query: { prefix: 'to', name: 'a' } });
}

/** Everything that an account sees afterwards, without names that are new each time. */
async function seen(world: World, account: TestAccount) {
  const isNew = new RegExp(
    '^(id|version|version_id|generation|created_at|at|deleted_at|purge_at|etag|sha256|key|key_id|sequence|' +
      'api_key_id)$',
  );
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (name, field: unknown) =>
        isNew.test(name) && typeof field === 'string'
          ? name === 'id' && /^(pub|prv)\//.test(field)
            ? field.replace(/_[a-z2-7]{16}/, '_HASH').replace(account.id, 'ACCOUNT')
            : 'X'
          : typeof field === 'string'
            ? field.replaceAll(/_[a-z2-7]{16}/g, '_HASH').replaceAll(account.id, 'ACCOUNT')
            : field,
      ),
    );
  const { objects } = (await ask(world, account, 'GET', '/v1/objects')).response;
  const { activity } = (await ask(world, account, 'GET', '/v1/account/activity')).response;
  const { events } = (await ask(world, account, 'GET', '/v1/events')).response;
  const { usage } = (await ask(world, account, 'GET', '/v1/account/stats')).response;
  const { versions } = (await ask(world, account, 'GET', '/v1/trash')).response;
  return plain({
    objects,
    usage,
    versions,
    activity: activity.map(({ type, object, details, auth }: any) => ({ type, object, details, auth })),
    events: events.map(({ type, data }: any) => ({ type, data })),
  });
}

describe('work on many files', () => {
  it.each<(typeof rows)[number]>(rows)(
    'does with each what the single request does: %s',
    async (what, forms, around, code, isTrashed = false) => {
      const world = await start();
      const outcomes: Record<string, unknown> = {};
      for (const [form, act] of Object.entries(forms)) {
        world.hook.answer = (res) => res.writeHead(204).end();
        const on = await prepared(world, isTrashed);
        await surround(world, on, around);
        const { metadata } = world.server.running.app.stores;
        const isJob = form === 'by a job';
        // The start of a job asks for the plan, so the plan ends between the start and the work.
        const endPlan = () => metadata.atomically((tx) => tx.accounts.setPlan(on.account.id, 'none'));
        if (around === 'plan' && !isJob) await endPlan();
        const acting = act(around === 'plan' && isJob ? endingPlan(world, endPlan) : world, on);
        expect(await acting, form).toBe(code);
        if (around === 'plan') await metadata.atomically((tx) => tx.accounts.setPlan(on.account.id, 'enterprise'));
        const purged = () => new Set(urlsOf(world.hook).filter((url) => url.includes(on.account.id)));
        // The CDN is told of what a single request removes too, a moment later.
        const isRemoved = isTrashed || (code === 'done' && !what.startsWith('a copy'));
        if (isRemoved && around !== 'hook') await eventually(() => expect(purged().size).toBeGreaterThan(0));
        const urls = [...purged()].map((url) => url.replace(on.account.id, 'ACCOUNT')).sort();
        outcomes[form] = { ...(await seen(world, on.account)), ...(around !== 'hook' && { urls }) };
      }
      const { alone, ...others } = outcomes;
      for (const [form, outcome] of Object.entries(others)) expect(outcome, form).toEqual(alone);
    },
  );

  it('is deleted by S3 in a list as alone', async () => {
    const world = await start();
    const outcomes = [];
    for (const isList of [false, true]) {
      const { account } = await prepared(world, false);
      const endpoint = await pairOf(world.server, account.credential);
      const body = '<Delete><Object><Key>from/a.png</Key></Object></Delete>';
      const request = isList
        ? { method: 'POST', path: '/public', query: { delete: '' }, body }
        : { method: 'DELETE', path: '/public/from/a.png' };
      const { status } = await exchange(endpoint, { ...request, signedAtMs: world.server.clock.now() });
      expect(status).toBe(isList ? 200 : 204);
      const after = await seen(world, account);
      expect(after.objects).toEqual([]);
      outcomes.push(after);
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  it('keeps what it has itself written: a public and a legacy file of one name', async () => {
    const world = await start();
    const { account } = await prepared(world, false);
    const { stores } = world.server.running.app;
    await importLegacyFile(stores, {
      account: (await stores.metadata.read.accounts.find(account.id))!,
      key: 'from/a.png',
      sizeBytes: 700,
      open: async function* () {
        yield someBytes(700);
      },
      signal: new AbortController().signal,
    });
    const before = (await ask(world, account, 'GET', '/v1/objects')).response.objects;
    const move = { action: 'move', prefix: 'from', destination: 'to', overwrite: true };
    expect(await runJob(world, account, { ...move, dry_run: true })).toBe('OBJECT_ALREADY_EXISTS');
    expect(await runJob(world, account, move)).toBe('OBJECT_ALREADY_EXISTS');
    const after = (await ask(world, account, 'GET', '/v1/objects')).response.objects;
    expect(after.map(({ id, etag }: any) => [id.startsWith('pub/') ? 'pub' : 'legacy', etag])).toEqual(
      before.map(({ id, etag }: any) => [id.startsWith('pub/') ? 'pub' : 'legacy', etag]),
    );
  });
});

const urlsOf = (hook: HookServer) => hook.calls.flatMap(({ body }) => (body as { urls: string[] }).urls);

/** The same world, in which the plan ends after the start of the job. */
function endingPlan(world: World, endPlan: () => Promise<unknown>): World {
  const { server } = world;
  const send: TestServer['send'] = async (path, request) => {
    const answer = await server.send(path, request);
    if (path === '/v1/folders/jobs') await endPlan();
    return answer;
  };
  return { ...world, server: { ...server, send } };
}
