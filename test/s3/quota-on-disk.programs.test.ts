import { once } from 'node:events';
import { lstatSync, readdirSync } from 'node:fs';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { fileHead, multipartType } from '#test/contract/bad-input/multipart.ts';
import { chunking } from '#test/support/chunked.ts';
import { eventually } from '#test/support/eventually.ts';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from './small-client.ts';
import { textOf } from './exchange.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { postForm, sign } from './signed-request.ts';

/** The blobs of an account never exceed its quota on the disk by more than this. @see docs/operating/accounts.md */
const beyondUnannounced = 16 * 1_048_576;
const beyondReplaced = 192 * 1_048_576;

const isLong = process.env.CUBBY_TEST_LONG === '1';

/** Together the files are several times as large as the disk is allowed to hold. */
const atOnce = isLong ? 80 : 40;
const fileBytes = isLong ? 9_000_000 : 2_500_000;
const quotaBytes = fileBytes + 1_000_000;
/** The size of a part that is sent again. */
const partBytes = 9_000_000;
const piece = Buffer.alloc(100_000, 'q');

/** The rest of the last block of each file. */
const roundingBytes = 80 * 4096;

let gateway: Gateway;
const opened: ClientRequest[] = [];
const chunked = chunking(() => gateway.server);

beforeAll(async () => {
  gateway = await startGateway();
});
afterEach(() => closeAll());
afterAll(() => gateway.stop());

async function closeAll(): Promise<void> {
  for (const one of opened.splice(0)) one.destroy();
  // Uploads that are never completed are removed from the disk.
  await expect.poll(blobBytes).toBeLessThan(1_000_000);
}

/** Returns the bytes that blobs take on the disk. Only one account has files here. */
function blobBytes(): number {
  const entries = readdirSync(join(gateway.server.dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.reduce((sum, { parentPath, name }) => {
    const found = lstatSync(join(parentPath, name), { throwIfNoEntry: false });
    return found?.isFile() ? sum + found.blocks * 512 : sum;
  }, 0);
}

async function smallAccount(): Promise<Gateway> {
  const other = await gateway.other();
  await setQuota(other, quotaBytes);
  return other;
}

function setQuota({ account }: Gateway, bytes: number): Promise<unknown> {
  return gateway.server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, bytes));
}

interface Unfinished {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes before the file in the body. */
  readonly before?: string;
  /** The announced length. Without one the body is chunked. */
  readonly announcedBytes?: number;
  /** The number of bytes to send. Default: the whole file. */
  readonly sentBytes?: number;
}

/** A request that was sent except for its end. */
interface Left {
  /** Whether the server refused it. This can become true later. */
  readonly isOver: boolean;
}

/** Sends a file except for its end. Resolves when that is sent, or the server has refused it. */
async function leaveUnfinished({
  url,
  method,
  headers,
  before = '',
  announcedBytes,
  sentBytes = fileBytes,
}: Unfinished): Promise<Left> {
  const framing =
    announcedBytes === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(announcedBytes) };
  const wire = httpRequest(url, { method, headers: { ...headers, ...framing }, agent: false });
  opened.push(wire);
  let isOver = false;
  const end = new Promise<void>((resolve) => {
    const over = () => {
      isOver = true;
      resolve();
    };
    wire.on('response', (res: IncomingMessage) => {
      res.resume();
      over();
    });
    wire.on('error', over);
  });
  wire.write(before);
  for (let sent = 0; sent < sentBytes && !isOver; sent += piece.length) {
    if (!wire.write(piece)) await Promise.race([once(wire, 'drain'), end]);
  }
  return {
    get isOver() {
      return isOver;
    },
  };
}

function unsized(from: Gateway, path: string, query: Readonly<Record<string, string>> = {}): Unfinished {
  const { method, target, headers } = sign(from, { method: 'PUT', path, query, payload: 'unsigned' });
  const sent = headers.filter(([name]) => name !== 'content-length');
  return { url: from.url + target, method, headers: Object.fromEntries(sent) };
}

function formOf(fields: Readonly<Record<string, string>>): string {
  const boundary = /boundary=(.*)/.exec(multipartType)![1]!;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return parts.join('') + fileHead();
}

async function multipartUpload({ client }: Gateway): Promise<string> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: 'private', Key: 'parts' }));
  return UploadId!;
}

/** The ways to send bytes of unannounced length. Each returns one of many requests. */
const ways: Readonly<Record<string, (from: Gateway) => Promise<(number: number) => Unfinished>>> = {
  'files over S3': async (from) => (number) => unsized(from, `/private/file${number}`),
  'parts over S3': async (from) => {
    const uploadId = await multipartUpload(from);
    return (number) => unsized(from, '/private/parts', { partNumber: String(number + 1), uploadId });
  },
  'forms over S3': async (from) => {
    const fields = postForm(
      from,
      {
        expiration: new Date(Date.now() + 3_600_000).toISOString(),
        conditions: [{ bucket: 'private' }, ['starts-with', '$key', '']],
      },
      { key: 'posted' },
    );
    return () => ({
      url: `${from.url}/private`,
      method: 'POST',
      headers: { 'content-type': multipartType },
      before: formOf(fields),
    });
  },
  'files over REST':
    async ({ account, server }) =>
    (number) => ({
      url: `${server.running.urls.api}/v1/objects?name=file${number}`,
      method: 'POST',
      headers: { 'content-type': multipartType, authorization: account.credential },
      before: fileHead(),
    }),
  'parts over REST': async ({ account, server }) => {
    const upload = await chunked.open(account);
    return (number) => ({
      url: `${server.running.urls.api}/v1/objects/chunked?${new URLSearchParams({ upload, part: String(number + 1) })}`,
      method: 'PUT',
      headers: { authorization: account.credential },
    });
  },
};

/** Waits until the blobs stop growing, and returns their bytes. */
async function settledBytes(): Promise<number> {
  let now = blobBytes();
  for (let quiet = 0; quiet < 5;) {
    await sleep(50);
    const before = now;
    now = blobBytes();
    quiet = now === before ? quiet + 1 : 0;
  }
  return now;
}

// The limit on concurrent requests is off, so that only the quota applies.
describe(`the disk of an account with a quota of ${quotaBytes / 1e6} MB`, () => {
  it.each(Object.keys(ways))(
    `exceeds the quota only a little while ${atOnce} %s of ${fileBytes / 1e6} MB each without a length stay unfinished`,
    async (way) => {
      const from = await smallAccount();
      const unfinished = await ways[way]!(from);
      const before = blobBytes();
      await Promise.all(Array.from({ length: atOnce }, (_, number) => leaveUnfinished(unfinished(number))));
      const onDisk = (await settledBytes()) - before;
      if (isLong) console.log(`${way}: ${onDisk} bytes on disk with a quota of ${quotaBytes}`);
      expect(onDisk).toBeLessThanOrEqual(quotaBytes + beyondUnannounced + roundingBytes);
    },
  );

  it('does not exceed it further when files of announced length arrive too', async () => {
    const from = await smallAccount();
    const before = blobBytes();
    const unannounced = Array.from({ length: 20 }, (_, number) =>
      leaveUnfinished(unsized(from, `/private/file${number}`)),
    );
    const announced = Array.from({ length: 20 }, (_, number) =>
      leaveUnfinished({ ...unsized(from, `/private/announced${number}`), announcedBytes: fileBytes + 1 }),
    );
    await Promise.all([...unannounced, ...announced]);
    expect((await settledBytes()) - before).toBeLessThanOrEqual(quotaBytes + beyondUnannounced + roundingBytes);
  });

  it('exceeds the quota by at most one part for each slot while the same part is sent repeatedly', async () => {
    const from = await gateway.other();
    const uploadId = await multipartUpload(from);
    await setQuota(from, partBytes + 1);
    const first = { Bucket: 'private', Key: 'parts', UploadId: uploadId, PartNumber: 1, Body: Buffer.alloc(partBytes) };
    await from.client.send(new UploadPartCommand(first));
    const before = await settledBytes();
    const again = unsized(from, '/private/parts', { partNumber: '1', uploadId });
    const send = (count: number, more: Partial<Unfinished>) =>
      Promise.all(Array.from({ length: count }, () => leaveUnfinished({ ...again, sentBytes: partBytes, ...more })));
    // An announced length reserves its room before its bytes come.
    const sentBytes = isLong ? partBytes : piece.length;
    const announced = await send(isLong ? 20 : 12, { announcedBytes: partBytes, sentBytes });
    const unannounced = await send(isLong ? 20 : 14, {});
    const goOn = (left: readonly Left[]) => left.filter(({ isOver }) => !isOver).length;
    // Sent bytes can still wait for the server, which refuses once it has read them.
    await eventually(() => expect(goOn(unannounced)).toBeLessThan(unannounced.length));
    const takenBytes = goOn(announced) * (partBytes - sentBytes) + (await settledBytes()) - before;
    const going = { announced: goOn(announced), unannounced: goOn(unannounced) };
    await from.client.send(new AbortMultipartUploadCommand({ Bucket: 'private', Key: 'parts', UploadId: uploadId }));
    expect(takenBytes).toBeLessThanOrEqual(beyondReplaced + roundingBytes);
    expect(going.announced, 'those that there is space for go on').toBeGreaterThan(10);
    expect(going.unannounced).toBeLessThan(unannounced.length);
  });

  it('does not exceed it further when parts of announced length are copied', async () => {
    const from = await gateway.other();
    await from.client.send(new PutObjectCommand({ Bucket: 'private', Key: 'source', Body: Buffer.alloc(5_300_000) }));
    await setQuota(from, 16_000_000);
    const uploadId = await multipartUpload(from);
    const before = await settledBytes();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const { method, target, headers } = sign(from, {
          method: 'PUT',
          path: '/private/parts',
          query: { partNumber: String(number + 1), uploadId },
          headers: { 'x-amz-copy-source': '/private/source' },
        });
        return (
          await fetch(from.url + target, {
            method,
            headers: Object.fromEntries(headers.filter(([name]) => name !== 'host' && name !== 'content-length')),
          })
        ).status;
      }),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(2);
    expect(answers.filter((status) => status === 403)).toHaveLength(18);
    expect((await settledBytes()) - before).toBeLessThanOrEqual(2 * 5_300_000 + roundingBytes);
    await from.client.send(new AbortMultipartUploadCommand({ Bucket: 'private', Key: 'parts', UploadId: uploadId }));
    await from.client.send(new DeleteObjectCommand({ Bucket: 'private', Key: 'source' }));
  });
});

describe('small files of unannounced length', () => {
  it('fill the quota to its last byte when they are sent in parallel', async () => {
    const from = await smallAccount();
    await setQuota(from, 300_000);
    const put = async (number: number) => {
      const { url, method, headers } = unsized(from, `/private/small${number}`);
      const wire = httpRequest(url, { method, headers: { ...headers, 'transfer-encoding': 'chunked' }, agent: false });
      wire.end(Buffer.alloc(100_000, 'x'));
      const [answer] = (await once(wire, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, number) => put(number)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 403)).toHaveLength(9);
  });
});

describe('the gateway with its limits on', () => {
  it('accepts 64 files and parts of an account at once, and refuses more with SlowDown before the body', async () => {
    const limited = await startGateway({ rateLimits: true });
    onTestFinished(() => limited.stop());
    const held: ClientRequest[] = [];
    const hold = async (number: number) => {
      const { url, method, headers } = unsized(limited, `/private/held${number}`);
      const wire = httpRequest(url, {
        method,
        headers: { ...headers, 'transfer-encoding': 'chunked', expect: '100-continue' },
        agent: false,
      });
      opened.push(wire);
      wire.on('error', () => undefined);
      wire.flushHeaders();
      const outcome = await Promise.race([
        once(wire, 'continue').then(() => 'asked for its body' as const),
        once(wire, 'response').then(([answer]) => answer as IncomingMessage),
      ]);
      if (outcome === 'asked for its body') held.push(wire);
      return outcome;
    };
    const outcomes = await Promise.all(Array.from({ length: 80 }, (_, number) => hold(number)));
    const refused = outcomes.filter((outcome) => typeof outcome !== 'string');
    expect(held).toHaveLength(64);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(503));
    expect(refused[0]!.headers['retry-after']).toBe('1');
    const text = (await refused[0]!.toArray()).join('');
    expect([textOf(text, 'Code'), textOf(text, 'Message')]).toEqual([
      'SlowDown',
      expect.stringContaining('64 files and parts'),
    ]);

    // Reading and copying need no slot. Another account has its own slots. A request that ends frees its slot for the
    // next.
    await expect(limited.client.send(new ListObjectsV2Command({ Bucket: 'private' }))).resolves.toBeDefined();
    const other = await limited.other();
    await other.client.send(new PutObjectCommand({ Bucket: 'private', Key: 'k', Body: 'x' }));
    const [first, second] = held;
    first!.end('x');
    await once(first!, 'response');
    second!.destroy();
    await expect.poll(() => hold(100), { interval: 20 }).toBe('asked for its body');
    await expect.poll(() => hold(101), { interval: 20 }).toBe('asked for its body');
    expect(await hold(102)).toHaveProperty('statusCode', 503);
  });
});
