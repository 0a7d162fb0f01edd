import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import type { CommandLine } from './command-line.ts';
import { cubbyHere, cubbyOver, temporaryFolder, type Cubby } from './cubby.ts';

const id = '123456789012345678';
const create = ['account', 'create', '--plan', 'pro', '--name'];
const key = ['key', 'create', '--account', id, '--name', 'k', '--scopes'];

const ofFeatures = await partsOfFeatures('command-line');

/** Commands that are rejected from their arguments alone, before anything is opened. */
const wrong: CommandLine['wrong'] = [
  [[], /^Usage: cubby /],
  [['account'], /^Usage: cubby account /],
  [['acount'], /unknown command 'acount'\n\(Did you mean account\?\)/],
  [['account', 'remove', id], /unknown command 'remove'/],
  [['account', 'delete'], /missing required argument 'id'/],
  [['account', 'list', '--watch', '0'], /An interval is a number of seconds above 0/],
  [['account', 'list', '--search', ''], /1 to 64 characters/],
  [['account', 'set-quota', id, '10XB'], /A quota is a size such as 10GB or 500GiB/],
  [['account', 'set-quota', id, '9TB TB'], /A quota is a size/],
  [['operator', 'key', 'create'], /required option '--name <name>' not specified/],
  [['operator', 'key', 'revoke', 'cbo_secret'], /This is the key itself/],
  [['account', 'list', '--all'], /unknown option '--all'/],
  [['account', 'list', 'more'], /too many arguments/],
  [['account', 'create', '--name', 'a'], /required option '--plan <plan>' not specified/],
  [['account', 'create', '--plan', 'pro'], /required option '--name <name>' not specified/],
  [['account', 'create', '--name', 'a', '--plan', 'gold'], /The plans are none, hobby, standard, pro, enterprise\./],
  [[...create, ''], /1 to 64 printable characters/],
  [[...create, '   '], /1 to 64 printable characters/],
  [[...create, 'a'.repeat(65)], /1 to 64 printable characters/],
  [[...create, 'two\nlines'], /1 to 64 printable characters/],
  [[...create, '\u202egnp.exe'], /1 to 64 printable characters/],
  [['account', 'show'], /missing required argument 'id'/],
  [['account', 'show', '12345'], /An account id has 18 digits\./],
  [['account', 'show', '12345678901234567x'], /An account id has 18 digits\./],
  [['account', 'set-plan', id, 'Pro'], /The plans are/],
  [['account', 'set-quota', id, '-1'], /whole number of bytes/],
  [['account', 'set-quota', id, '1.5'], /whole number of bytes/],
  [['account', 'set-quota', id, '1e9'], /whole number of bytes/],
  [['account', 'set-quota', id, '9007199254740992'], /up to 9007199254740991/],
  [['account', 'set-ai-budget', id, '0'], /whole number of tokens a day from 1 to 20000000, or "none"/],
  [['account', 'set-ai-budget', id, '20000001'], /from 1 to 20000000/],
  [['account', 'set-ai-budget', id, '1e6'], /whole number of tokens/],
  [['account', 'set-ai-limits', id, '--tools', '1025'], /whole number from 1 to 1024, or "none" for that of the plan/],
  [['account', 'set-ai-limits', id, '--pacing-seconds', '1.5'], /whole number from 0 to 3600/],
  [['key', 'create', '--account', id, '--name', 'k'], /required option '--scopes <list>' not specified/],
  [['key', 'create', '--account', '1', '--name', 'k', '--scopes', '*'], /An account id has 18 digits\./],
  [[...key, ''], /The scopes are account:read, /],
  [[...key, 'blob:read,'], /The scopes are account:read, /],
  [[...key, 'blob:admin'], /The scopes are .*"\*" alone/],
  [[...key, '*,blob:read'], /must stand alone/],
  [[...key, '*', '--scopes', 'ai:chat'], /must stand alone/],
  [[...key, 'apps:read', '--resources', ''], /1 to 50 application ids/],
  [[...key, 'apps:read', '--resources', 'a b'], /1 to 50 application ids/],
  [[...key, 'blob:read', '--prefixes', '/a'], /A prefix is 1 to 8 folders/],
  [[...key, 'blob:read', '--prefixes', 'a//b'], /A prefix is 1 to 8 folders/],
  [[...key, 'blob:read', '--prefixes', 'a/../b'], /A prefix is 1 to 8 folders/],
  [[...key, 'blob:read', '--prefixes', 'a/b/c/d/e/f/g/h/i'], /A prefix is 1 to 8 folders/],
  [[...key, 'blob:read', '--prefixes', Array.from({ length: 21 }, (_, n) => `p${n}`).join()], /up to 20 prefixes/],
  [[...key, '*', '--expires-in', '90'], /90d or 12h/],
  [[...key, '*', '--expires-in', '0d'], /90d or 12h/],
  [[...key, '*', '--expires-in', '2000d'], /90d or 12h/],
  [[...key, '*', '--expires-in', 'soon'], /90d or 12h/],
  [['key', 'revoke'], /missing required argument 'key-id'/],
  [['key', 'list'], /required option '--account <id>' not specified/],
  [['config'], /^Usage: cubby config /],
  [['migrate', 'now'], /too many arguments/],
  [['backup', '/tmp/x', '--keep', '0'], /A number of generations is a whole number from 1 to 9999/],
  [['backup', '/tmp/x', '--list', '--follow'], /--list and --follow exclude each other/],
  [['store', 'check', '--from', '/tmp/x'], /--from needs --repair/],
  [['legacy', 'import', '--account', id], /missing required argument 'folder'/],
  [['legacy', 'import', '/tmp'], /required option '--account <id>' not specified/],
  [['app', 'create', '--account', id], /required option '--name <name>' not specified/],
  [['app', 'create', '--account', '5', '--name', 'x'], /An account id has 18 digits\./],
  [['app', 'create', '--account', id, '--name', 'two\nlines'], /1 to 64 printable characters/],
  [['app', 'create', '--account', id, '--name', '\u200b'], /1 to 64 printable characters/],
  [['app', 'list'], /required option '--account <id>' not specified/],
  [['jobs', 'run'], /name one job, or give --all/],
  [['jobs', 'run', 'reap-blobs', '--all'], /name one job, or give --all/],
  [['jobs', 'run', 'sweep'], /The jobs are delete-expired, /],
  [['jobs', 'run', '--all', '--now', 'tomorrow'], /A time is an ISO 8601 date/],
  [['jobs', 'run', '--all', '--now', '2026-13-01'], /A time is an ISO 8601 date/],
  [['jobs', 'run', '--all', '--now', '2026-04-21T09:30'], /A time is an ISO 8601 date/],
  ...ofFeatures.flatMap(({ wrong: own = [] }) => own),
];

const helped: CommandLine['helped'] = [
  [],
  ['account'],
  ['account', 'create'],
  ['account', 'list'],
  ['account', 'show'],
  ['account', 'set-plan'],
  ['account', 'set-quota'],
  ['account', 'set-ai-budget'],
  ['account', 'set-ai-limits'],
  ['key', 'create'],
  ['key', 'list'],
  ['key', 'revoke'],
  ['key', 'import-legacy'],
  ['config', 'check'],
  ['migrate'],
  ['backup'],
  ['restore'],
  ['store', 'check'],
  ['store', 'migrate'],
  ['jobs', 'run'],
  ['jobs', 'confirm-clock'],
  ['legacy', 'import'],
  ['app', 'create'],
  ['app', 'list'],
  ...ofFeatures.flatMap(({ helped: own = [] }) => own),
];

/** Runs all of them in this process, and a few of them also as real processes. */
async function outcomesOf(cubby: Cubby, commands: ReadonlyArray<readonly string[]>) {
  const spawned = commands.filter((_, index) => index % 24 === 0);
  const [real, here] = await Promise.all([
    Promise.all(spawned.map(async (args) => ({ args, ...(await cubby(...args)) }))),
    Promise.all(commands.map(async (args) => ({ args, ...(await cubbyHere(cubby.dataDir)(...args)) }))),
  ]);
  return [...here, ...real];
}

describe('cubby', () => {
  it('exits with 2 and a clear message on stderr for wrong usage, and touches nothing', async () => {
    const cubby = cubbyOver(await temporaryFolder());
    for (const outcome of await outcomesOf(
      cubby,
      wrong.map(([args]) => args),
    )) {
      const [, words] = wrong.find(([args]) => args === outcome.args)!;
      expect(outcome).toEqual({ args: outcome.args, code: 2, stdout: '', stderr: expect.stringMatching(words) });
    }
    expect(await readdir(cubby.dataDir)).toEqual([]);
  });

  it('explains every command with --help', async () => {
    const cubby = cubbyOver(await temporaryFolder());
    for (const { args, ...outcome } of await outcomesOf(
      cubby,
      helped.map((args) => [...args, '--help']),
    )) {
      const usage = `Usage: ${['cubby', ...args.slice(0, -1)].join(' ')} [options]`;
      expect(outcome).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining(usage) });
    }
  });

  it('accepts --json before the command too', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    expect(JSON.parse((await cubby('--json', 'migrate')).stdout)).toMatchObject({
      applied: expect.arrayContaining(['0001-schema']),
    });
  });

  it('names the database that cannot be used', async () => {
    const cubby = cubbyHere(await temporaryFolder());
    await writeFile(join(cubby.dataDir, 'master.key'), 'f'.repeat(64));
    await writeFile(join(cubby.dataDir, 'cubby.db'), 'no database at all, but long enough to be taken for one');
    expect(await cubby('account', 'list')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: The database .*cubby\.db is damaged \(SQLite: file is not a database\)\..*\n$/,
      ),
    });
  });
});

describe('cubby config check', () => {
  it('shows the settings in force', async () => {
    const env = { CUBBY_API_PORT: '8400', CUBBY_MASTER_KEY: 'k'.repeat(40) };
    const cubby = cubbyOver(await temporaryFolder(), env);
    const { ok, problems, settings } = await cubbyHere(cubby.dataDir, env).json('config', 'check');
    expect({ ok, problems }).toEqual({ ok: true, problems: [] });
    expect(settings).toContainEqual({ name: 'CUBBY_API_PORT', value: '8400', source: 'environment' });
    expect(settings).toContainEqual({ name: 'CUBBY_BASE_URL', value: 'http://localhost:8400', source: 'default' });
    expect(settings).toContainEqual({ name: 'CUBBY_MASTER_KEY', value: 'set, not shown', source: 'environment' });
    const { code, stdout, stderr } = await cubby('config', 'check');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^CUBBY_API_PORT +8400$/m);
    expect(stdout).toMatch(/^CUBBY_HOST +127\.0\.0\.1 +\(default\)$/m);
    expect(stdout).not.toContain('kkkk');
    expect(await readdir(cubby.dataDir)).toEqual([]);
  });

  it('shows every problem at once and exits with 1', async () => {
    const env = { CUBBY_API_PORT: 'x', CUBBY_LOG: 'loud', CUBBY_WORKERS: '4', CUBBY_COLOUR: 'blue' };
    const cubby = cubbyOver(await temporaryFolder(), env);
    const [forPeople, forScripts] = await Promise.all([
      cubby('config', 'check'),
      cubbyHere(cubby.dataDir, env)('config', 'check', '--json'),
    ]);
    expect(forPeople).toMatchObject({ code: 1, stdout: expect.stringMatching(/^CUBBY_API_PORT +not valid$/m) });
    for (const name of Object.keys(env)) expect(forPeople.stderr).toContain(`  - ${name} `);
    expect(forScripts.code).toBe(1);
    expect(JSON.parse(forScripts.stdout)).toMatchObject({
      ok: false,
      problems: expect.toSatisfy((all: string[]) => all.length === 4),
    });
    expect(await cubbyHere(cubby.dataDir, env)('account', 'list')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The configuration has 4 problems:'),
    });
  });
});

describe('cubby migrate', () => {
  it('applies the missing migrations and prints them', async () => {
    const parent = await temporaryFolder();
    const cubby = cubbyHere(join(parent, 'deep', 'data'));
    const first = await cubbyOver(cubby.dataDir).json('migrate');
    expect(first).toEqual({
      version: first.applied.length,
      applied: expect.toSatisfy((names: string[]) => names[0] === '0001-schema'),
    });
    expect(await cubby.json('migrate')).toEqual({ version: first.version, applied: [] });
    expect((await cubby('migrate')).stdout).toBe(
      `Nothing to do: the database in ${cubby.dataDir} is already at version ${first.version}.\n`,
    );

    const other = cubbyHere(join(parent, 'other'));
    await mkdir(other.dataDir);
    expect((await other('migrate')).stdout).toContain('Applied:\n  0001-schema\n');
  });
});
