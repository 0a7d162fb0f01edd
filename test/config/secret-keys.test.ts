import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { checkConfig, parseConfig } from '#server/config/config.ts';

const key = 'k'.repeat(32);
const settingOf = (env: Record<string, string>) =>
  checkConfig(env).settings.find(({ name }) => name === 'CUBBY_KEY_ENCRYPTION_KEY');

describe('CUBBY_KEY_ENCRYPTION_KEY', () => {
  it('is a text or a file, and is not shown', async () => {
    expect(parseConfig({ CUBBY_KEY_ENCRYPTION_KEY: key }).keyEncryptionKey).toBe(key);
    const folder = await mkdtemp(join(tmpdir(), 'cubby-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'key'), `${key}\n`);
    const env = { CUBBY_KEY_ENCRYPTION_KEY_FILE: join(folder, 'key') };
    expect(parseConfig(env).keyEncryptionKey).toBe(key);
    expect(settingOf(env)).toMatchObject({ value: 'set, not shown', source: 'environment' });
    expect(settingOf({})).toMatchObject({ value: 'none', source: 'default' });
    expect(JSON.stringify(checkConfig(env).settings)).not.toContain(key);
  });

  it.each([
    [{ CUBBY_KEY_ENCRYPTION_KEY: 'short' }, /The key-encryption key has 5 characters, but must have at least 32\./],
    [
      { CUBBY_KEY_ENCRYPTION_KEY: key, CUBBY_KEY_ENCRYPTION_KEY_FILE: '/tmp/x' },
      /CUBBY_KEY_ENCRYPTION_KEY and CUBBY_KEY_ENCRYPTION_KEY_FILE are both set\. Keep one of them\./,
    ],
    [
      { CUBBY_KEY_ENCRYPTION_KEY_FILE: '/nowhere/key' },
      /CUBBY_KEY_ENCRYPTION_KEY_FILE must name a file that can be read \(ENOENT\)\./,
    ],
    [
      { CUBBY_KEY_ENCRYPTION_KEY: key, CUBBY_MASTER_KEY: key },
      /The key-encryption key and the master key are the same\..* Make another one/,
    ],
  ])('is refused with words: %j', (env: Record<string, string>, words) => {
    const { problems } = checkConfig(env);
    expect(problems.join(' ')).toMatch(words);
    expect(problems.join(' ')).not.toContain(key);
    expect(settingOf(env)!.value).toBeNull();
  });
});
