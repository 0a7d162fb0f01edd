import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { masterKeyOf } from '#server/stores/system/master-key.ts';

let folder: string;
const path = () => join(folder, 'master.key');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cubby-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('masterKeyOf()', () => {
  it('creates a key once, readable only by its owner, and leaves nothing else behind', async () => {
    const key = await masterKeyOf(folder, undefined);
    expect(Buffer.from(key).toString()).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['master.key']);
    expect(await masterKeyOf(folder, undefined)).toEqual(key);
  });

  it('creates a different key in every folder', async () => {
    const other = mkdtempSync(join(tmpdir(), 'cubby-key-'));
    expect(await masterKeyOf(folder, undefined)).not.toEqual(await masterKeyOf(other, undefined));
    rmSync(other, { recursive: true });
  });

  it('uses the configured key, and does not touch any file', async () => {
    const configured = 'a key of the operator, 32 characters or more';
    expect(Buffer.from(await masterKeyOf(folder, configured)).toString()).toBe(configured);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('returns the same key to all parallel calls', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => masterKeyOf(folder, undefined)));
    expect(new Set(keys.map(String)).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['master.key']);
  });

  it('returns the same key in other processes', async () => {
    const script = `
      import { masterKeyOf } from '${new URL('../../../server/stores/system/master-key.ts', import.meta.url)}';
      process.stdout.write(Buffer.from(await masterKeyOf(process.argv[1], undefined)).toString());`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, folder]);
    const keys = await Promise.all([run(), run(), run()]);
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1);
    expect(keys[0]!.stdout).toBe(readFileSync(path(), 'utf8').trim());
  });

  it.each(['', '\n', 'abc', 'x'.repeat(31), `${' '.repeat(40)}\n`])('refuses a damaged file: %j', async (text) => {
    writeFileSync(path(), text);
    await expect(masterKeyOf(folder, undefined)).rejects.toThrow(/master\.key is damaged/);
    expect(readFileSync(path(), 'utf8')).toBe(text);
  });

  it('takes a file of 32 characters', async () => {
    writeFileSync(path(), `${'x'.repeat(32)}\n`);
    expect(await masterKeyOf(folder, undefined)).toEqual(Buffer.from('x'.repeat(32)));
  });

  it('never shows the content of a damaged file', async () => {
    writeFileSync(path(), 'half-a-secret');
    await expect(masterKeyOf(folder, undefined)).rejects.not.toThrow(/half-a-secret/);
  });

  it('reports that the folder cannot be written, and does not invent a key', async () => {
    await expect(masterKeyOf(join(folder, 'missing'), undefined)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('masterKeyOf() in a folder that was used before', () => {
  it('refuses to create another key in place of a lost one', async () => {
    await expect(masterKeyOf(folder, undefined, false)).rejects.toThrow(/master\.key is missing.*Restore it/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
