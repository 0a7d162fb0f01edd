import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { partsOfFeatures } from '#test/support/parts-of-features.ts';
import type { CommandLine } from './command-line.ts';
import { cubbyHere, type Cubby } from './cubby.ts';

/** Ids of the right form that nothing has. */
const account = '123456789012345678';
const scopes = ['--scopes', 'blob:read'];

/** Each command that names a thing, and the thing that its message must name. No other thing may be spoken of. */
const commands: CommandLine['unknown'] = [
  ['account', 'account', 'show', account],
  ['account', 'account', 'set-plan', account, 'pro'],
  ['account', 'account', 'set-quota', account, '1GB'],
  ['account', 'account', 'set-ai-budget', account, '1000'],
  ['account', 'account', 'set-ai-limits', account, '--tools', '1'],
  ['account', 'account', 'ai-usage', account],
  ['account', 'account', 'usage', account],
  ['account', 'account', 'suspend', account],
  ['account', 'account', 'resume', account],
  ['account', 'account', 'delete', account],
  ['account', 'account', 'restore', account],
  ['account', 'key', 'create', '--account', account, '--name', 'x', ...scopes],
  ['account', 'key', 'list', '--account', account],
  ['account', 'key', 'import-legacy', '--account', account, '--file', 'FILE'],
  ['account', 'app', 'create', '--account', account, '--name', 'x'],
  ['account', 'app', 'list', '--account', account],
  ['account', 'legacy', 'import', '--account', account, 'FOLDER'],
  ['key', 'key', 'revoke', 'nope'],
  ['key', 'key', 'set-ai-limits', 'nope', '--ai-requests-per-day', '1'],
  ['operator key', 'operator', 'key', 'revoke', 'nope'],
  ['job', 'jobs', 'run', 'nope'],
  ...(await partsOfFeatures('command-line')).flatMap(({ unknown = [] }) => unknown),
];

let folder: string;
let cubby: Cubby;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cubby-unknown-'));
  cubby = cubbyHere(join(folder, 'data'));
  await cubby.json('account', 'create', '--name', 'a', '--plan', 'pro');
  await writeFile(join(folder, 'file'), 'legacy-key-of-some-length\n');
});
afterAll(() => rm(folder, { recursive: true }));

describe('a command with the id of nothing', () => {
  it.each(commands)('names what was looked for: %s (%s %s)', async (thing, ...args) => {
    const files: Readonly<Record<string, string>> = { FILE: join(folder, 'file'), FOLDER: folder };
    const { code, stdout, stderr } = await cubby(...args.map((one) => files[one] ?? one));
    // A job is one of a list, so a wrong name is a wrong call.
    expect([code, stdout]).toEqual([thing === 'job' ? 2 : 1, '']);
    expect(stderr).toMatch(new RegExp(`^error: .*\\b(no|not a|No|No live) ${thing}\\b`));
    const others = ['account', 'application', 'deploy'].filter((one) => one !== thing);
    const [first] = stderr.split('. ');
    for (const other of others) expect(first).not.toMatch(new RegExp(`\\b${other}\\b`));
    // The second sentence says where the ids are.
    expect(stderr).toMatch(/\. .*(shows|List|are)\b/);
  });
});
