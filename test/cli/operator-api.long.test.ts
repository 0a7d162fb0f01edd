import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { policies } from '#generated/policies.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { cubbyHere, type Cubby } from './cubby.ts';

let server: TestServer;
let cubby: Cubby;
let operatorKey: string;
let backups: string;
beforeAll(async () => {
  backups = await mkdtemp(join(tmpdir(), 'cubby-backups-'));
  const target = { CUBBY_BACKUP_TARGET: join(backups, 'target') };
  server = await startTestServer({ env: target });
  operatorKey = await server.operatorKey();
  const quiet = { CUBBY_API_PORT: '0', CUBBY_LOG: 'silent', CUBBY_MIN_FREE_BYTES: '0' };
  cubby = cubbyHere(server.dataDir, { ...quiet, ...target });
});
afterAll(async () => {
  await server.stop();
  await rm(backups, { recursive: true, force: true });
});

/** An account of its own for one of the two ways, so that neither sees what the other did. */
interface Made {
  readonly id: string;
  readonly keyId: string;
}

/** One operation, as a request and as a command. */
interface Row {
  readonly operation: keyof typeof policies;
  readonly api: (of: Made) => readonly [method: string, path: string, body?: unknown];
  readonly cli: (of: Made) => readonly string[];
  /** Returns the part of the API's response that the command prints. Default: all of it. May wait for the result. */
  readonly part?: (response: any) => unknown;
  /** Returns the part of what the command prints that the API has. Default: all of it. */
  readonly printed?: (json: any) => unknown;
}

const rows: readonly Row[] = [
  {
    operation: 'createAccount',
    api: () => ['POST', '/accounts', { name: 'Acme', plan: 'pro' }],
    cli: () => ['account', 'create', '--name', 'Acme', '--plan', 'pro'],
  },
  {
    operation: 'listAccounts',
    api: ({ id }) => ['GET', `/accounts?search=${id}`],
    cli: ({ id }) => ['account', 'list', '--search', id],
    part: ({ accounts }) => accounts,
  },
  { operation: 'getAccount', api: ({ id }) => ['GET', `/accounts/${id}`], cli: ({ id }) => ['account', 'show', id] },
  {
    operation: 'updateAccount',
    api: ({ id }) => ['PATCH', `/accounts/${id}`, { plan: 'standard' }],
    cli: ({ id }) => ['account', 'set-plan', id, 'standard'],
  },
  {
    operation: 'updateAccount',
    api: ({ id }) => ['PATCH', `/accounts/${id}`, { own_quota_bytes: 500_000_000_000 }],
    cli: ({ id }) => ['account', 'set-quota', id, '500GB'],
  },
  {
    operation: 'updateAccount',
    api: ({ id }) => ['PATCH', `/accounts/${id}`, { own_ai_budget: 1_000_000 }],
    cli: ({ id }) => ['account', 'set-ai-budget', id, '1000000'],
  },
  {
    operation: 'updateAccount',
    api: ({ id }) => ['PATCH', `/accounts/${id}`, { own_ai_limits: { context_tokens: 200_000, concurrent: 8 } }],
    cli: ({ id }) => ['account', 'set-ai-limits', id, '--context-tokens', '200000', '--concurrent', '8'],
  },
  {
    operation: 'suspendAccount',
    api: ({ id }) => ['POST', `/accounts/${id}/suspend`],
    cli: ({ id }) => ['account', 'suspend', id],
  },
  {
    operation: 'resumeAccount',
    api: ({ id }) => ['POST', `/accounts/${id}/resume`],
    cli: ({ id }) => ['account', 'resume', id],
  },
  {
    operation: 'deleteAccount',
    api: ({ id }) => ['DELETE', `/accounts/${id}`],
    cli: ({ id }) => ['account', 'delete', id],
  },
  {
    operation: 'restoreAccount',
    api: ({ id }) => ['POST', `/accounts/${id}/restore`],
    cli: ({ id }) => ['account', 'restore', id],
  },
  {
    operation: 'getAccountUsage',
    api: ({ id }) => ['GET', `/accounts/${id}/usage`],
    cli: ({ id }) => ['account', 'usage', id],
    // The clock of the test's server stands still.
    part: ({ month: _, ...rest }) => rest,
    printed: ({ month: _, ...rest }) => rest,
  },
  {
    operation: 'listAccountKeys',
    api: ({ id }) => ['GET', `/accounts/${id}/keys`],
    cli: ({ id }) => ['key', 'list', '--account', id],
    part: ({ keys }) => keys,
  },
  {
    operation: 'createAccountKey',
    api: ({ id }) => ['POST', `/accounts/${id}/keys`, { name: 'k', scopes: ['blob:read'], expires_in: '90d' }],
    cli: ({ id }) => ['key', 'create', '--account', id, '--name', 'k', '--scopes', 'blob:read', '--expires-in', '90d'],
  },
  {
    operation: 'updateAccountKey',
    api: ({ keyId }) => ['PATCH', `/keys/${keyId}`, { ai: { tokens_per_day: 9, models: ['cubic'] } }],
    cli: ({ keyId }) => ['key', 'set-ai-limits', keyId, '--ai-tokens-per-day', '9', '--ai-models', 'cubic'],
  },
  {
    operation: 'getAccountAiUsage',
    api: ({ id }) => ['GET', `/accounts/${id}/usage/ai?from=2026-04-01&to=2026-04-21&group_by=key`],
    cli: ({ id }) => ['account', 'ai-usage', id, '--from', '2026-04-01', '--to', '2026-04-21', '--group-by', 'key'],
  },
  {
    operation: 'revokeAccountKey',
    api: ({ keyId }) => ['DELETE', `/keys/${keyId}`],
    cli: ({ keyId }) => ['key', 'revoke', keyId],
  },
  {
    operation: 'listAccountApps',
    api: ({ id }) => ['GET', `/accounts/${id}/apps`],
    cli: ({ id }) => ['app', 'list', '--account', id],
    part: ({ apps }) => apps,
  },
  {
    operation: 'createAccountApp',
    api: ({ id }) => ['POST', `/accounts/${id}/apps`, { name: 'Shop' }],
    cli: ({ id }) => ['app', 'create', '--account', id, '--name', 'Shop'],
  },
  { operation: 'listJobs', api: () => ['GET', '/jobs'], cli: () => ['jobs', 'list'] },
  {
    operation: 'runJob',
    api: () => ['POST', '/jobs/forget-codes/run'],
    cli: () => ['jobs', 'run', 'forget-codes'],
    printed: ([done]) => done,
  },
  { operation: 'confirmClock', api: () => ['POST', '/clock/confirm'], cli: () => ['jobs', 'confirm-clock'] },
  { operation: 'listReplicas', api: () => ['GET', '/replicas'], cli: () => ['replicas', 'list'] },
  {
    operation: 'getConfiguration',
    api: () => ['GET', '/configuration'],
    cli: () => ['config', 'check'],
    // The test's server has ports and stores of its own.
    part: ({ settings }) => settings.map(({ name }: { name: string }) => name),
    printed: ({ settings }) => settings.map(({ name }: { name: string }) => name),
  },
  {
    operation: 'getInstallation',
    api: () => ['GET', '/installation'],
    cli: () => ['installation', 'show'],
    // The free space changes.
    part: ({ disk: { free_bytes, ...disk }, ...rest }) => ({
      ...rest,
      ...disk,
      ...known(free_bytes),
    }),
    printed: ({ disk: { free_bytes, ...disk }, ...rest }) => ({
      ...rest,
      ...disk,
      ...known(free_bytes),
    }),
  },
  {
    operation: 'startBackup',
    api: () => ['POST', '/backups'],
    cli: () => ['backup'],
    // The API answers when it has begun, the command when it has ended.
    async part(run) {
      expect(run).toMatchObject({ state: 'running', doing: 'opening the target' });
      const { state, error, last_generation: last } = await endOfBackup();
      expect({ state, error }).toEqual({ state: 'done', error: null });
      const { target, generations } = await request('GET', '/backups');
      expect(generations.at(-1).generation).toBe(last.generation);
      return { target, blobs: generations.at(-1).blobs, damaged: generations.at(-1).damaged_blobs };
    },
    printed: ({ target, blobs, damaged_blobs: damaged }) => ({ target, blobs, damaged }),
  },
  { operation: 'listBackups', api: () => ['GET', '/backups'], cli: () => ['backup', '--list'] },
  {
    operation: 'startScrub',
    api: () => ['POST', '/scrub'],
    cli: () => ['scrub', 'start'],
    part: ({ days, damaged_files, round: { requested } }) => ({ days, damaged_files, requested }),
    printed: ({ days, damaged_files, round: { requested } }) => ({ days, damaged_files, requested }),
  },
  {
    operation: 'getUpkeep',
    api: () => ['GET', '/upkeep'],
    cli: () => ['upkeep', 'show'],
    // The clock of the test's server stands still, so a round takes no time there.
    part: ({ backups, scrub: { round: _, ...scrub } }) => ({ backups, scrub }),
    printed: ({ backups, scrub: { round: _, ...scrub } }) => ({ backups, scrub }),
  },
  {
    operation: 'listPurges',
    api: () => ['GET', '/purges'],
    cli: () => ['purges', 'list'],
    part: ({ purges }) => purges,
  },
  {
    operation: 'verifyAuditLog',
    api: () => ['GET', '/audit/verify'],
    cli: () => ['audit', 'verify'],
    part: ({ ok, problems }) => ({ ok, problems }),
    printed: ({ ok, problems }) => ({ ok, problems }),
  },
];

/** Waits until the backup has ended that the server runs. */
async function endOfBackup(): Promise<any> {
  const status = async () => (await request('GET', '/upkeep')).backups[0];
  await expect.poll(async () => (await status()).state, { timeout: 20_000 }).not.toBe('running');
  return status();
}

const known = (bytes: unknown) => ({ hasFreeBytes: typeof bytes === 'number' });

async function request(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await server.send(`/v2/operator${path}`, {
    method,
    door: 'operator',
    credential: operatorKey,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status, answer.body.toString()).toBeLessThan(300);
  return answer.json().response;
}

/** Replaces what differs from account to account: ids, secrets and times. */
function alike(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/"(account_id|key_id|app_id|api_key|last4)":"[^"]+"/g, '"$1":"…"')
    .replace(/"app_[a-z0-9]+"/g, '"…"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
  return JSON.parse(text);
}

describe('every operation of an operator', () => {
  it.each(rows.map((row) => [row.operation, row.cli({ id: 'ID', keyId: 'KEY' }).join(' '), row] as const))(
    '%s and "cubby %s" give the same result',
    async (_operation, _command, { api, cli, part = (all) => all, printed = (all) => all }) => {
      const [one, other] = [await server.account(), await server.account()];
      const [method, path, body] = api(one);
      const answered = await part(await request(method, path, body));
      const shown = printed(await cubby.json(...cli(other)));
      expect(alike(shown)).toEqual(alike(answered));
    },
  );

  it('is in the table, or is a sign-in of a browser or the audit log, which a command prints whole', async () => {
    const all = Object.entries(policies).filter(
      ([id, { tag }]) => tag === 'operator' && !id.endsWith('OperatorSession'),
    );
    const missing = all.map(([id]) => id).filter((id) => !rows.some(({ operation }) => operation === id));
    expect(missing).toEqual(['listAuditEntries']);
    const lines = (await cubby('audit', 'export')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { entries } = await request('GET', '/audit?limit=1000');
    expect(entries).toEqual(lines);
  });

  it('leaves the same entry in the audit log, but for the actor', async () => {
    const [one, other] = [await server.account(), await server.account()];
    await request('POST', `/accounts/${one.id}/suspend`);
    await cubby.json('account', 'suspend', other.id);
    const { entries } = await request('GET', '/audit?limit=1000');
    const [ofApi, ofCommand] = entries.slice(-2);
    expect(ofApi).toMatchObject({ action: 'account.suspended', actor: { kind: 'operator_key' }, account_id: one.id });
    expect(ofCommand).toMatchObject({
      action: 'account.suspended',
      actor: { kind: 'command_line' },
      account_id: other.id,
    });
    expect(ofCommand.details).toEqual(ofApi.details);
  });

  it('refuses the same unknown account', async () => {
    const answer = await server.send('/v2/operator/accounts/123456789012345678/suspend', {
      method: 'POST',
      door: 'operator',
      credential: operatorKey,
    });
    expect(answer.json()).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    expect(await cubby('account', 'suspend', '123456789012345678')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no account 123456789012345678.'),
    });
  });
});

describe('listAccounts()', () => {
  it('returns all accounts page by page, and those that match a search', async () => {
    const { id } = await server.account('hobby');
    await request('POST', '/accounts', { name: 'Straße 100%', plan: 'none' });
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: any = await request('GET', `/accounts?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(page.accounts.length).toBeLessThanOrEqual(3);
      seen.push(...page.accounts.map((one: { account_id: string }) => one.account_id));
      cursor = page.continuationToken;
    }
    const all = (await cubby.json('account', 'list')).map((one: { account_id: string }) => one.account_id);
    expect(seen).toEqual(all);
    const names = async (search: string) =>
      (await request('GET', `/accounts?search=${encodeURIComponent(search)}`)).accounts.map((one: any) => one.name);
    expect(await names('STRASSE')).toEqual([]);
    expect(await names('traße')).toEqual(['Straße 100%']);
    expect(await names('100%')).toEqual(['Straße 100%']);
    expect(await names('1_0')).toEqual([]);
    expect(await names(id.slice(0, 12))).toEqual(['hobby account']);
  });
});
