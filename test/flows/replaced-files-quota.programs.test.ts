import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { importLegacyFile } from '#server/features/files/legacy/import-legacy-file.ts';
import { rawSend } from '#test/contract/bad-input/raw-request.ts';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '#test/s3/small-client.ts';
import { gatewayOf, startGateway, type Gateway } from '#test/s3/gateway.ts';
import { postForm } from '#test/s3/signed-request.ts';
import { chunking, partBytes } from '#test/support/chunked.ts';
import { formWith, someBytes } from '#test/support/files.ts';
import { handleOf, serialUploads, tusBytes } from '#test/support/serial.ts';
import type { TestAnswer, TestServer } from '#test/support/server.ts';

let first: Gateway;
let server: TestServer;
beforeAll(async () => {
  first = await startGateway();
  ({ server } = first);
});
afterAll(() => first.stop());

const chunks = chunking(() => server);
const serial = serialUploads(() => server);

/** A way to write the file `<name>.bin`. Returns the code of its refusal, or `stored`. */
type Write = (gateway: Gateway, name: string, bytes: Buffer) => Promise<string>;

interface Door {
  readonly write: Write;
  /** Whether bytes are reserved part by part, so that several growing files may lie in each other's way. */
  readonly isInParts?: boolean;
  /** Whether it writes legacy files. */
  readonly isLegacy?: boolean;
}

const outcome = (answer: Pick<TestAnswer, 'status' | 'json'>) =>
  answer.status < 300 ? 'stored' : String(answer.json().code);

/** The outcome of the last answer, or of the first refusal. */
async function inTurn(...steps: ReadonlyArray<() => Promise<TestAnswer>>): Promise<string> {
  for (const step of steps) {
    const result = outcome(await step());
    if (result !== 'stored') return result;
  }
  return 'stored';
}

const byS3 = (work: Promise<unknown>) =>
  work.then(
    () => 'stored',
    ({ name }: Error) => (name === 'QuotaExceeded' ? 'STORAGE_QUOTA_EXCEEDED' : name),
  );

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7_000) yield bytes.subarray(at, at + 7_000);
}

function formOf(fields: Readonly<Record<string, string>>, bytes: Uint8Array): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new File([bytes as Uint8Array<ArrayBuffer>], 'a.bin'));
  return form;
}

async function byChunks({ account }: Gateway, name: string, pieces: readonly Buffer[]): Promise<string> {
  const started = await chunks.start(account, { name, filename: `${name}.bin` });
  if (started.status !== 200) return outcome(started);
  const { upload } = started.json().response;
  const result = await inTurn(...pieces.map((piece, at) => () => chunks.put(account, upload, at + 1, piece)), () =>
    chunks.complete(account, upload),
  );
  if (result !== 'stored') await chunks.abort(account, upload);
  return result;
}

async function byMultipart({ client }: Gateway, name: string, pieces: readonly Buffer[]): Promise<string> {
  const file = { Bucket: 'public', Key: `${name}.bin` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(file));
  const Parts: Array<{ PartNumber: number; ETag: string | undefined }> = [];
  const sent = async () => {
    for (const [at, Body] of pieces.entries()) {
      const part = { ...file, UploadId, PartNumber: at + 1 };
      const { ETag } = await client.send(new UploadPartCommand({ ...part, Body }));
      Parts.push({ PartNumber: at + 1, ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...file, UploadId, MultipartUpload: { Parts } }));
  };
  const result = await byS3(sent());
  if (result !== 'stored') await client.send(new AbortMultipartUploadCommand({ ...file, UploadId }));
  return result;
}

/** Makes a file of so many bytes that takes nothing of the quota that matters here, to copy from. */
async function sourceFor(gateway: Gateway, bytes: Buffer): Promise<string> {
  const name = `source${bytes.length}`;
  await quota(gateway, null);
  await put(gateway, name, bytes);
  return name;
}

const put: Write = ({ account: { credential } }, name, bytes) =>
  server.send(`/v1/objects?name=${name}`, { method: 'POST', credential, body: formWith(bytes, 'a.bin') }).then(outcome);

const doors: Readonly<Record<string, Door>> = {
  'uploadObject, a form': { write: put },
  'uploadObject, a form without Content-Length': {
    async write({ account: { credential } }, name, bytes) {
      const form = new Response(formWith(bytes, 'a.bin'));
      const headers = { 'Content-Type': form.headers.get('Content-Type')! };
      const body = inPieces(Buffer.from(await form.arrayBuffer()));
      const answer = await rawSend(server, {
        method: 'POST',
        path: `/v1/objects?name=${name}`,
        credential,
        headers,
        body,
      });
      return outcome(answer);
    },
  },
  'PutObject over S3': {
    write: ({ client }, name, Body) =>
      byS3(client.send(new PutObjectCommand({ Bucket: 'public', Key: `${name}.bin`, Body }))),
  },
  'PostObject over S3': {
    async write(gateway, name, bytes) {
      const file = { bucket: 'public', key: `${name}.bin` };
      const expiration = new Date(Date.now() + 60_000).toISOString();
      const form = formOf(
        postForm(
          gateway,
          { expiration, conditions: Object.entries(file).map(([name, value]) => ({ [name]: value })) },
          { key: file.key },
        ),
        bytes,
      );
      const answer = await fetch(`${gateway.url}/public`, { method: 'POST', body: form });
      const text = await answer.text();
      if (answer.ok) return 'stored';
      return text.includes('<Code>QuotaExceeded</Code>') ? 'STORAGE_QUOTA_EXCEEDED' : text;
    },
  },
  'a chunked upload': { write: (gateway, name, bytes) => byChunks(gateway, name, [bytes]), isInParts: true },
  'a chunked upload with its size': {
    async write({ account }, name, bytes) {
      const started = await chunks.start(account, { name, filename: 'a.bin', size: String(bytes.length) });
      if (started.status !== 200) return outcome(started);
      const { upload } = started.json().response;
      const result = await inTurn(
        () => chunks.put(account, upload, 1, bytes),
        () => chunks.complete(account, upload),
      );
      if (result !== 'stored') await chunks.abort(account, upload);
      return result;
    },
    isInParts: true,
  },
  'a multipart upload over S3': {
    write: (gateway, name, bytes) => byMultipart(gateway, name, [bytes]),
    isInParts: true,
  },
  'tus, at once': {
    write: ({ account }, name, bytes) =>
      serial
        .create(account, { 'Upload-Length': String(bytes.length), ...tusBytes }, { name, filename: 'a.bin' }, bytes)
        .then(outcome),
    isInParts: true,
  },
  'tus, in two requests': {
    async write({ account }, name, bytes) {
      const headers = { 'Upload-Length': String(bytes.length) };
      const made = await serial.create(account, headers, { name, filename: 'a.bin' });
      if (made.status !== 201) return outcome(made);
      const address = made.headers.get('location')!;
      const half = Math.floor(bytes.length / 2);
      const result = await inTurn(
        () => serial.append(account, address, 0, bytes.subarray(0, half)),
        () => serial.append(account, address, half, bytes.subarray(half)),
      );
      if (result !== 'stored') await chunks.abort(account, handleOf(address));
      return result;
    },
    isInParts: true,
  },
  'the draft of the IETF': {
    write: ({ account }, name, bytes) =>
      serial.draft(account, { 'Upload-Complete': '?1' }, { name, filename: 'a.bin' }, bytes).then(outcome),
    isInParts: true,
  },
  'an import of legacy files': {
    async write({ account }, name, bytes) {
      const { stores } = server.running.app;
      const key = `${name}.bin`;
      const file = { key, sizeBytes: bytes.length, open: () => inPieces(bytes), signal: new AbortController().signal };
      const found = (await stores.metadata.read.accounts.find(account.id))!;
      return importLegacyFile(stores, { account: found, again: true, ...file }).then(
        () => 'stored',
        ({ code }: { code?: string }) => String(code),
      );
    },
    isLegacy: true,
  },
};

async function quota({ account }: Gateway, quotaBytes: number | null): Promise<void> {
  await server.running.app.stores.metadata.atomically((tx) => tx.accounts.setQuota(account.id, quotaBytes));
}

async function sums({
  account,
}: Gateway): Promise<readonly [usedBytes: number, reservedBytes: number, inFlight: number]> {
  const found = (await server.running.app.stores.metadata.read.accounts.find(account.id))!;
  return [found.usedBytes, found.reservedBytes, found.inFlightBytes];
}

const table = Object.entries(doors).map(([door, { isInParts = false, ...rest }]) => ({ door, isInParts, ...rest }));
const sizeBytes = 20_000;
const full = 'STORAGE_QUOTA_EXCEEDED';

const copies = ['copyObject', 'CopyObject over S3', 'UploadPartCopy over S3'] as const;

/** Copies `<source>.bin` to `<name>.bin`. */
async function copyBy(
  door: (typeof copies)[number],
  { account: { id: accountId, credential }, client }: Gateway,
  source: string,
  name: string,
): Promise<string> {
  const target = { Bucket: 'public', Key: `${name}.bin` };
  const CopySource = `public/${source}.bin`;
  if (door === 'CopyObject over S3') return byS3(client.send(new CopyObjectCommand({ ...target, CopySource })));
  if (door === 'UploadPartCopy over S3') {
    const inParts = async () => {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
      const part = { ...target, UploadId, PartNumber: 1 };
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand({ ...part, CopySource }));
      const Parts = [{ PartNumber: 1, ETag: CopyPartResult!.ETag }];
      await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } }));
    };
    return byS3(inParts());
  }
  const id = `pub/${accountId}/${source}.bin`;
  const body = JSON.stringify({ source: id, destination: { name }, overwrite: true });
  return server.send('/v1/objects/copy', { method: 'POST', credential, body }).then(outcome);
}

describe('a file in place of another one, in a full account', () => {
  it.each(table)('needs space for the difference only: $door', async ({ write }) => {
    const gateway = await first.other();
    for (const size of [sizeBytes, 3_000]) {
      const name = `file${size}`;
      await quota(gateway, null);
      const [usedBefore] = await sums(gateway);
      expect(await write(gateway, name, someBytes(size))).toBe('stored');
      const usedBytes = usedBefore + size;
      await quota(gateway, usedBytes);
      expect(await write(gateway, name, someBytes(size)), 'of the same size').toBe('stored');
      expect(await sums(gateway)).toEqual([usedBytes, 0, 0]);
      expect(await write(gateway, name, someBytes(size + 1)), 'one byte more').toBe(full);
      await expect.poll(() => sums(gateway)).toEqual([usedBytes, 0, 0]);
      await quota(gateway, usedBytes + 1);
      expect(await write(gateway, name, someBytes(size + 2)), 'two bytes more').toBe(full);
      expect(await write(gateway, name, someBytes(size + 1)), 'the byte that is left').toBe('stored');
      expect(await write(gateway, `new${size}`, someBytes(512)), 'a new file').toBe(full);
      // The quota has shrunk below what is stored.
      await quota(gateway, 1_000);
      expect(await write(gateway, name, someBytes(size)), 'a smaller one').toBe('stored');
      await expect.poll(() => sums(gateway)).toEqual([usedBytes, 0, 0]);
      await quota(gateway, 0);
      expect(await write(gateway, name, someBytes(size)), 'a quota of 0').toBe(full);
      await expect.poll(() => sums(gateway)).toEqual([usedBytes, 0, 0]);
    }
  });

  it.each(table)('is counted exactly among parallel ones: $door', async ({ write, isInParts }) => {
    const gateway = await first.other();
    const names = Array.from({ length: 6 }, (_, at) => `file${at}`);
    for (const name of names) expect(await write(gateway, name, someBytes(sizeBytes))).toBe('stored');
    const usedBytes = names.length * sizeBytes;
    await quota(gateway, usedBytes);
    const same = await Promise.all(names.map((name) => write(gateway, name, someBytes(sizeBytes))));
    expect(same).toEqual(names.map(() => 'stored'));
    await quota(gateway, usedBytes + 3);
    const grown = await Promise.all(names.map((name) => write(gateway, name, someBytes(sizeBytes + 1))));
    const stored = grown.filter((one) => one === 'stored').length;
    expect(grown.filter((one) => one === full)).toHaveLength(names.length - stored);
    // Parts count as a whole until they are put together, so growing files may have to wait for each other.
    if (isInParts) expect(stored).toBeLessThanOrEqual(3);
    else expect(stored).toBe(3);
    await expect.poll(() => sums(gateway)).toEqual([usedBytes + stored, 0, 0]);
  });

  it.each(copies)('holds for %s', async (door) => {
    const gateway = await first.other();
    await put(gateway, 'file', someBytes(sizeBytes));
    const same = await sourceFor(gateway, someBytes(sizeBytes));
    const larger = await sourceFor(gateway, someBytes(sizeBytes + 1));
    const [usedBytes] = await sums(gateway);
    await quota(gateway, usedBytes);
    const copy = (source: string) => copyBy(door, gateway, source, 'file');
    expect(await copy(same)).toBe('stored');
    expect(await copy(larger)).toBe(full);
    expect(await copy(same)).toBe('stored');
  });

  it('fits in several parts too, and its parts never take more than the file that they replace', async () => {
    const gateway = await gatewayOf(server, await server.account());
    const parts = [someBytes(partBytes), someBytes(partBytes), someBytes(700)];
    const size = 2 * partBytes + 700;
    expect(await byChunks(gateway, 'big', parts)).toBe('stored');
    await quota(gateway, size);
    expect(await byChunks(gateway, 'big', parts)).toBe('stored');
    expect(await byMultipart(gateway, 'big', parts)).toBe('stored');
    expect(await sums(gateway)).toEqual([size, 0, 0]);
    expect(await byChunks(gateway, 'big', [...parts.slice(0, 2), someBytes(701)])).toBe(full);
    // An upload that is never put together holds its bytes, and leaves others no more than one file.
    const upload = await chunks.open(gateway.account, { name: 'big', filename: 'big.bin' });
    for (const [at, part] of parts.entries()) await chunks.put(gateway.account, upload, at + 1, part);
    expect(await sums(gateway)).toEqual([size, size, 0]);
    expect(await byChunks(gateway, 'big', parts)).toBe(full);
  });

  it('leaves partial uploads as they are if their file needs space that there is not', async () => {
    const gateway = await gatewayOf(server, await server.account());
    const { account } = gateway;
    const fields = { name: 'old', filename: 'old.bin' };
    expect(await put(gateway, 'old', someBytes(2 * sizeBytes))).toBe('stored');
    await quota(gateway, 2 * sizeBytes);
    const partial = { 'Upload-Concat': 'partial', 'Upload-Length': String(sizeBytes), ...tusBytes };
    const partials: string[] = [];
    for (let at = 0; at < 2; at++) {
      const made = await serial.create(account, partial, fields, someBytes(sizeBytes));
      partials.push(made.headers.get('location')!);
    }
    const final = (name: string) =>
      serial.create(account, { 'Upload-Concat': `final;${partials.join(' ')}` }, { name, filename: 'any.bin' });
    expect(outcome(await final('new'))).toBe(full);
    for (const address of partials) expect((await serial.head(account, address)).status).toBe(200);
    expect(outcome(await final('old'))).toBe('stored');
    await expect.poll(() => sums(gateway)).toEqual([2 * sizeBytes, 0, 0]);
  });

  it('needs space as a new file where the trash keeps the earlier one', async () => {
    const gateway = await first.other();
    await gateway.keepDeleted('kept');
    const name = 'file&prefix=kept';
    expect(await put(gateway, name, someBytes(sizeBytes))).toBe('stored');
    await quota(gateway, sizeBytes);
    expect(await put(gateway, name, someBytes(sizeBytes))).toBe(full);
    await quota(gateway, 2 * sizeBytes);
    expect(await put(gateway, name, someBytes(sizeBytes))).toBe('stored');
    expect(await sums(gateway)).toEqual([2 * sizeBytes, 0, 0]);
  });
});

describe('a file for which what only requests keep gives way, in a full account', () => {
  /** Stores files and deletes them, so that the trash keeps them for 30 days. Each has `size` bytes. */
  async function trashed(gateway: Gateway, names: readonly string[], size = sizeBytes): Promise<void> {
    await quota(gateway, null);
    for (const name of names) expect(await put(gateway, name, someBytes(size))).toBe('stored');
    for (const name of names) {
      const object = `pub/${gateway.account.id}/${name}.bin`;
      const body = JSON.stringify({ object, keep_deleted_days: 30 });
      const { credential } = gateway.account;
      expect((await server.send('/v1/objects', { method: 'DELETE', credential, body })).status).toBe(200);
    }
    await quota(gateway, (await sums(gateway))[0]);
  }

  async function kept({ account: { id, credential } }: Gateway): Promise<string[]> {
    const { versions } = (await server.send('/v1/trash', { credential })).json().response;
    return versions.map((version: { id: string }) => version.id.replace(`pub/${id}/`, '').replace('.bin', ''));
  }

  const written = table.filter(({ isLegacy }) => !isLegacy);
  const names = ['old1', 'old2', 'old3', 'old4', 'old5'];

  it.each(written)('the oldest, and no more than has to: $door', async ({ write }) => {
    const gateway = await first.other();
    for (const size of [sizeBytes, 3_000]) {
      await trashed(gateway, names, size);
      const [usedBytes] = await sums(gateway);
      expect(await write(gateway, `new${size}`, someBytes(size + 1)), 'a byte more than one of them').toBe('stored');
      expect(await kept(gateway)).toEqual(names.slice(2));
      expect(await sums(gateway)).toEqual([usedBytes - size + 1, 0, 0]);
      // There is space for one byte less than a file, and three could give way.
      expect(await write(gateway, `huge${size}`, someBytes(4 * size)), 'more than all of them').toBe(full);
      expect(await kept(gateway)).toEqual(names.slice(2));
      expect(await write(gateway, `rest${size}`, someBytes(4 * size - 1)), 'as many as all of them').toBe('stored');
      expect(await kept(gateway)).toEqual([]);
      await expect.poll(() => sums(gateway)).toEqual([usedBytes, 0, 0]);
      expect(await write(gateway, `more${size}`, someBytes(512)), 'without any').toBe(full);
    }
    expect(await server.running.app.stores.metadata.read.storeCheck.differences()).toEqual([]);
  });

  it.each(written)('not for a key without all scopes, nor where a rule keeps it: $door', async ({ write }) => {
    const gateway = await first.other();
    await trashed(gateway, names.slice(0, 1));
    const scopes = ['blob:read', 'blob:write'] as const;
    const weak = await gatewayOf(server, {
      ...gateway.account,
      credential: await server.key(gateway.account, { scopes: [...scopes] }),
    });
    expect(await write(weak, 'new', someBytes(512))).toBe(full);
    expect(await kept(gateway)).toEqual(['old1']);
    // The rule keeps it for as long as the request.
    await gateway.keepDeleted('ruled');
    await quota(gateway, null);
    const file = { name: 'kept', prefix: 'ruled', filename: 'kept.bin' };
    expect(await put(gateway, new URLSearchParams(file).toString().slice('name='.length), someBytes(sizeBytes))).toBe(
      'stored',
    );
    const object = `pub/${gateway.account.id}/ruled/kept.bin`;
    const body = JSON.stringify({ object, keep_deleted_days: 30 });
    const { credential } = gateway.account;
    expect((await server.send('/v1/objects', { method: 'DELETE', credential, body })).status).toBe(200);
    await quota(gateway, (await sums(gateway))[0]);
    expect(await write(gateway, 'new', someBytes(sizeBytes))).toBe('stored');
    expect(await kept(gateway)).toEqual(['ruled/kept']);
    expect(await write(gateway, 'newer', someBytes(512))).toBe(full);
    expect(await kept(gateway)).toEqual(['ruled/kept']);
  });

  it.each(written)('once for each of parallel ones: $door', async ({ write }) => {
    const gateway = await first.other();
    await trashed(gateway, names);
    const [usedBytes] = await sums(gateway);
    const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => write(gateway, name, someBytes(sizeBytes))));
    expect(outcomes).toEqual(['stored', 'stored', 'stored']);
    expect(await kept(gateway)).toEqual(names.slice(3));
    await expect.poll(() => sums(gateway)).toEqual([usedBytes, 0, 0]);
  });

  it.each(copies)('for %s too', async (door) => {
    const gateway = await first.other();
    expect(await put(gateway, 'source', someBytes(sizeBytes))).toBe('stored');
    await trashed(gateway, names);
    expect(await copyBy(door, gateway, 'source', 'copy')).toBe('stored');
    expect(await kept(gateway)).toEqual(names.slice(1));
  });

  it('in steps, if they are many', async () => {
    const gateway = await first.other();
    const many = Array.from({ length: 120 }, (_, at) => `old${String(at).padStart(3, '0')}`);
    await trashed(gateway, many, 600);
    expect(await put(gateway, 'new', someBytes(600 * 110 - 1))).toBe('stored');
    expect(await kept(gateway)).toEqual(many.slice(110));
    expect(await put(gateway, 'newer', someBytes(600 * 11))).toBe(full);
    expect(await kept(gateway)).toEqual(many.slice(110));
  });
});
