import { appendFile, copyFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { temporaryFolder } from '#test/cli/cubby.ts';
import { LogCounter } from '#server/features/edge-errors/commands/edge-log/log-counter.ts';
import { LogFile } from '#server/features/edge-errors/commands/edge-log/log-file.ts';
import { createAccount } from '#server/domain/access/create-account.ts';
import { builtInAppId } from '#server/features/apps/app.ts';
import type { Metadata } from '#server/domain/ports/metadata.ts';
import { storedErrors } from '#test/support/edge-errors.ts';
import { openTestStores } from '#test/support/stores.ts';
import { nginxLine } from './log-lines.ts';

const line = nginxLine({ at: Date.parse('2026-04-21T09:30:00Z'), status: 502, method: 'GET', path: '/a' });

async function open() {
  const stores = await openTestStores();
  const appId = builtInAppId((await createAccount(stores, { name: 'a', plan: 'pro' })).accountId);
  const path = join(await temporaryFolder(), 'access.log');
  await writeFile(path, `${line}\n`.repeat(3));
  await copyFile(path, `${path}.copy`);
  const { metadata } = stores;
  const counter = async (over: Metadata = metadata, of = path) => {
    const file = await LogFile.open(of);
    return { counter: await LogCounter.open({ metadata: over, appId, format: undefined }, file), file };
  };
  const read = async ({ counter: one, file }: Awaited<ReturnType<typeof counter>>) => {
    await one.takeFrom(file).finally(() => file[Symbol.asyncDispose]());
    await one.store();
  };
  const total = async () => (await storedErrors(metadata, appId)).reduce((sum, { count }) => sum + count, 0);
  return { metadata, path, counter, read, total };
}

describe('LogCounter', () => {
  it.each(['all of it', 'only where it begins', 'only where a copy of it begins'])(
    'counts a log once when another command has stored %s since the checkpoints were listed',
    async (what) => {
      const { metadata, path, counter, read, total } = await open();
      const began =
        what === 'all of it' ? undefined : await counter(metadata, what.includes('copy') ? `${path}.copy` : path);
      let isFirst = true;
      const listOf: Metadata['read']['edgeLogs']['listOf'] = async (appId) => {
        const listed = await metadata.read.edgeLogs.listOf(appId);
        if (isFirst) {
          isFirst = false;
          await read(began ?? (await counter()));
        }
        return listed;
      };
      await read(
        await counter({
          atomically: (work) => metadata.atomically(work),
          read: { ...metadata.read, edgeLogs: { listOf } },
        }),
      );
      expect(await total()).toBe(3);
    },
  );

  it('does not read on in a file that was truncated and written again after its bytes were checked', async () => {
    const { path, counter, total } = await open();
    const { counter: one, file } = await counter();
    onTestFinished(() => file[Symbol.asyncDispose]());
    await one.takeFrom(file);
    await truncate(path);
    await appendFile(path, `${line.replace('/a', '/b')}\n`.repeat(90));
    await one.takeFrom(file);
    await one.store();
    expect(await total()).toBe(3);
  });

  it('throws and counts nothing when another command has read on meanwhile', async () => {
    const { counter, read, total } = await open();
    const both = [await counter(), await counter()];
    await read(both[0]!);
    await expect(read(both[1]!)).rejects.toThrow('Another "edge-log import"');
    expect(await total()).toBe(3);
  });
});
