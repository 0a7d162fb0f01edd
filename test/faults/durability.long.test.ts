import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { someBytes } from '#test/support/files.ts';
import { ask, deleteFiles, rawUpload, uploadFile } from './client.ts';
import { spawnServer } from './spawned-server.ts';
import { noStrace, readTrace, tracing, type Call } from './strace.ts';

const tracedCalls = [
  'fsync',
  'fdatasync',
  'rename',
  'renameat',
  'renameat2',
  'openat',
  'pwrite64',
  'pwritev',
  'write',
  'writev',
  'sendto',
  'sendmsg',
];

const largeBytes = 300_000;
const smallBytes = 6_000;
const parallelUploads = 64;

/** The system calls of one request: everything after the previous response, up to its own. */
interface Deed {
  readonly calls: readonly Call[];
  readonly answer: Call;
}

interface Traced {
  readonly large: Deed;
  readonly small: Deed;
  readonly deletion: Deed;
  /** Syncs of the log during the parallel uploads. */
  readonly groupSyncs: number;
}

/** Runs a server under strace, makes requests that must be durable, and reads its system calls. */
async function trace(sync: boolean): Promise<Traced> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-trace-'));
  const file = join(folder, 'trace');
  const server = await spawnServer({ sync, under: tracing(tracedCalls, file) });
  try {
    const account = await server.account();
    await ask(`${server.urls.api}/healthz`); // the first window begins with its response
    const large = await uploadFile(server, account, 'large', someBytes(largeBytes));
    expect(large.status, server.stderr()).toBe(200);
    const small = await uploadFile(server, account, 'small', someBytes(smallBytes));
    const deletion = await deleteFiles(server, account, [large.json.response.id]);
    for (const { status } of [small, deletion]) expect(status).toBe(200);
    // The last bytes of all uploads arrive together. Otherwise the server would be as slow as this process sends them.
    const many = await Promise.all(
      Array.from({ length: parallelUploads }, (_, number) =>
        rawUpload(server, account, `many-${number}`, someBytes(4096)),
      ),
    );
    for (const one of many) await one.sendUntil(one.at.closing);
    await server.idle();
    await server.pause();
    for (const one of many) await one.sendUntil(one.at.end);
    server.resume();
    for (const one of many) expect(await one.status()).toBe(200);
    for (const { socket } of many) socket.destroy();
    await server.stop();

    const calls = readTrace(file);
    const answers = calls.filter(isAnswer);
    expect(answers).toHaveLength(4 + parallelUploads);
    const deed = (index: number): Deed => ({
      answer: answers[index]!,
      calls: calls.filter(({ beganAt }) => beganAt > answers[index - 1]!.endedAt && beganAt < answers[index]!.beganAt),
    });
    const grouped = calls.filter(({ beganAt }) => beganAt > answers[3]!.endedAt && beganAt < answers.at(-1)!.beganAt);
    return { large: deed(1), small: deed(2), deletion: deed(3), groupSyncs: grouped.filter(isSyncOfLog).length };
  } finally {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

const isAnswer = ({ name, args }: Call) =>
  /^(write|writev|sendto|sendmsg)$/.test(name) && /^\d+<socket:/.test(args) && args.includes('"HTTP/1.1 ');
const isSync = ({ name, result }: Call) => /^f(data)?sync$/.test(name) && result === 0;
const pathOf = ({ args }: Call) => /^\d+<([^>]*)>/.exec(args)?.[1] ?? '';
const isLog = (call: Call) => pathOf(call).endsWith('/cubby.db-wal');
const isSyncOfLog = (call: Call) => isSync(call) && isLog(call);
const isWrite = ({ name }: Call) => /^p?write(v|64)?$/.test(name);

/**
 * Returns everything that a power cut could lose although the response promises it. Returns an empty list if nothing
 * could be lost.
 */
function gapsOfRow({ calls, answer }: Deed, atLeastBytes: number, since = -1): string[] {
  const written = calls.filter((call) => isWrite(call) && isLog(call) && call.beganAt > since);
  const bytes = written.reduce((sum, { result }) => sum + result, 0);
  if (bytes < atLeastBytes) return [`the log got ${bytes} bytes, ${atLeastBytes} were expected`];
  const isSynced = calls.some(
    (call) => isSyncOfLog(call) && call.beganAt > written.at(-1)!.endedAt && call.endedAt < answer.beganAt,
  );
  return isSynced ? [] : ['the log is not synced before the answer'];
}

/**
 * The same for a file that is stored as a blob: its bytes before its name, its name before the row, and everything
 * before the response.
 */
function gapsOfBlob(deed: Deed): string[] {
  const { calls } = deed;
  const renaming = calls.find(({ name, args }) => name.startsWith('rename') && args.includes('/blobs/'));
  if (!renaming) return ['no blob was given its name'];
  const [temporary = '', path = ''] = [...renaming.args.matchAll(/"([^"]*)"/g)].map(([, quoted]) => quoted!);
  const written = calls.filter((call) => isWrite(call) && pathOf(call) === temporary);
  const bytes = written.reduce((sum, { result }) => sum + result, 0);
  const between = (wanted: string, after: Call, before: Call) =>
    calls.find(
      (call) =>
        isSync(call) && pathOf(call) === wanted && call.beganAt > after.endedAt && call.endedAt < before.beganAt,
    );
  const ofFile = written.length > 0 && between(temporary, written.at(-1)!, renaming);
  const ofFolder = between(dirname(path), renaming, deed.answer);
  return [
    ...(bytes === largeBytes ? [] : [`the blob got ${bytes} bytes`]),
    ...(ofFile ? [] : ['the file is not synced before it gets its name']),
    ...(ofFolder ? [] : ['the folder is not synced after the file got its name']),
    // The row is written after all of that. Until then, the log has only the reservation.
    ...gapsOfRow(deed, 1, (ofFolder || renaming).endedAt),
  ];
}

describe.skipIf(noStrace)(
  `an acknowledged upload or deletion survives a power cut${noStrace ? ` (skipped: ${noStrace})` : ''}`,
  () => {
    describe('the unchanged server', () => {
      let traced: Traced;
      beforeAll(async () => void (traced = await trace(true)));

      it('syncs a large file, names it, syncs its folder and syncs the row before it responds', () => {
        expect(gapsOfBlob(traced.large)).toEqual([]);
      });

      it('syncs the log that holds a small file with its bytes before it responds', () => {
        expect(gapsOfRow(traced.small, smallBytes)).toEqual([]);
        expect(traced.small.calls.some(({ name, args }) => name === 'openat' && args.includes('/blobs/'))).toBe(false);
      });

      it('syncs the log before it responds to a deletion', () => {
        expect(gapsOfRow(traced.deletion, 1)).toEqual([]);
      });

      it('lets parallel uploads share a sync', () => {
        console.log(`${parallelUploads} parallel small uploads took ${traced.groupSyncs} syncs of the log`);
        expect(traced.groupSyncs).toBeGreaterThan(0);
        expect(traced.groupSyncs).toBeLessThan(parallelUploads / 2);
      });
    });

    describe('without syncs, the same checks find that', () => {
      let traced: Traced;
      beforeAll(async () => void (traced = await trace(false)));
      afterAll(() => void (traced = undefined!));

      it('a large file is not synced', () => {
        expect(gapsOfBlob(traced.large)).toEqual([
          'the file is not synced before it gets its name',
          'the folder is not synced after the file got its name',
          'the log is not synced before the answer',
        ]);
      });

      it('a small file and a deletion are not synced', () => {
        expect(gapsOfRow(traced.small, smallBytes)).toEqual(['the log is not synced before the answer']);
        expect(gapsOfRow(traced.deletion, 1)).toEqual(['the log is not synced before the answer']);
        expect(traced.groupSyncs).toBe(0);
      });
    });
  },
);
