import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A clone without any package: what a server without development dependencies has for this. */
let clone: string;
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'cubby-modules-'));
  for (const path of ['openapi/build', 'openapi/codegen', 'generated', 'uploader', 'mocks/consumer', 'package.json'])
    await cp(join(root, path), join(clone, path), { recursive: true });
});
afterAll(() => rm(clone, { recursive: true, force: true }));

const make = () => promisify(execFile)(process.execPath, [join(clone, 'openapi/build/modules.ts'), '--if-stale']);
const built = (path: string) => join(clone, 'dist/modules', path);
const read = (path: string) => readFile(built(path), 'utf8');
const changedAt = async (path: string) => (await stat(built(path))).mtimeMs;

it('three processes that make the modules at once leave them whole', async () => {
  await Promise.all([make(), make(), make()]);
  expect(await readdir(join(clone, 'dist'))).toEqual(['modules']);
  const { objectName } = await import(pathToFileURL(built('uploader/index.js')).href);
  expect(objectName('april.pdf')).toBe('april');
  const { fixtures } = await import(pathToFileURL(built('fixtures/index.js')).href);
  expect(fixtures.listObjects.RATE_LIMITED.code).toBe('RATE_LIMITED');
  expect(await read('client/index.js')).toBe(await readFile(join(root, 'generated/client.js'), 'utf8'));
});

it('modules that match their sources are left alone', async () => {
  const before = [await changedAt('made-from.txt'), await changedAt('uploader/index.js')];
  await make();
  expect([await changedAt('made-from.txt'), await changedAt('uploader/index.js')]).toEqual(before);
});

it('a module that is missing, changed or without a source is put right, and no other is written', async () => {
  const before = await changedAt('uploader/index.js');
  const [retry, session] = [await read('uploader/retry.js'), await read('uploader/session.js')];
  await rm(built('uploader/retry.js'));
  await writeFile(built('uploader/session.js'), 'half');
  await writeFile(built('uploader/stray.js'), '');
  await make();
  expect([await read('uploader/retry.js'), await read('uploader/session.js')]).toEqual([retry, session]);
  await expect(read('uploader/stray.js')).rejects.toThrow('ENOENT');
  expect(await changedAt('uploader/index.js')).toBe(before);
});

it('a changed source is compiled again', async () => {
  const source = join(clone, 'uploader/element/speed.ts');
  await writeFile(source, `${await readFile(source, 'utf8')}\nexport const added: number = 1;\n`);
  await make();
  expect(await read('uploader/element/speed.js')).toMatch(/export const added\s*= 1;/);
});

it('a folder that nobody may write to ends the process with the reason', async () => {
  await rm(join(clone, 'dist'), { recursive: true });
  await writeFile(join(clone, 'dist'), 'no folder');
  await expect(make()).rejects.toThrow(/EEXIST|ENOTDIR/);
});
