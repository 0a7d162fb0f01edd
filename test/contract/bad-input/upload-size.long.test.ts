import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { closing, fileHead, multipart, multipartType, smallest } from './multipart.ts';
import { openRequest, rawSend } from './raw-request.ts';

import { watchedServer } from './watched-server.ts';

const watched = watchedServer({ sendsFiles: true });
/** 100 MB as defined by the contract. */
const largest = 104_857_600;
const piece = Buffer.alloc(1024 * 1024, 'x');
/** Each 100 MB take a second. The short form leaves out cases that differ little from its own. */
const long = process.env.CUBBY_TEST_LONG !== undefined;

/** A file of this size in a form. It takes one mebibyte of memory, whatever its size. */
async function* formOf(bytes: number, end = closing): AsyncGenerator<Buffer> {
  yield Buffer.from(fileHead());
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
  yield Buffer.from(end);
}

const lengthOf = (bytes: number, end = closing) => String(fileHead().length + bytes + end.length);

function upload(
  name: string,
  bytes: number,
  { isSized, end = closing }: { readonly isSized: boolean; readonly end?: string },
) {
  return rawSend(watched.server, {
    method: 'POST',
    path: `/v1/objects?name=${name}`,
    credential: watched.account.credential,
    headers: { 'Content-Type': multipartType, ...(isSized && { 'Content-Length': lengthOf(bytes, end) }) },
    body: formOf(bytes, end),
  });
}

describe('uploadObject()', () => {
  it.each([
    ['512 bytes', 512, true],
    ['512 bytes', 512, false],
    ['16 KiB, the largest that the database takes', 16_384, true],
    ['16 KiB and a byte', 16_385, false],
    ['100 MB', largest, true],
    ['100 MB', largest, false],
  ])('stores a file of %s (%d, with a Content-Length: %s)', async (_, bytes, isSized) => {
    const expected = createHash('sha256');
    for (let left = bytes; left > 0; left -= piece.length)
      expected.update(piece.subarray(0, Math.min(left, piece.length)));
    const answer = await upload('exact', bytes, { isSized });
    expect(answer.json().response).toMatchObject({ size: bytes, sha256: expected.digest('hex') });
  });

  it.each(long ? [true, false] : [false])(
    'answers FILE_TOO_LARGE and keeps nothing of a file of 100 MB plus one byte (with a Content-Length: %s)',
    async (isSized) => {
      const answer = await watched.state.unchangedBy(() => upload('over', largest + 1, { isSized }));
      expect(answer.json().code).toBe('FILE_TOO_LARGE');
    },
  );

  it('answers FILE_TOO_LARGE from the Content-Length, before a byte of the file is sent', async () => {
    await watched.state.unchangedBy(async () => {
      const { wire, answer } = openRequest(watched.server, {
        method: 'POST',
        path: '/v1/objects?name=over',
        credential: watched.account.credential,
        headers: { 'Content-Type': multipartType, 'Content-Length': lengthOf(largest + 1025) },
      });
      wire.write(fileHead());
      expect((await answer).json().code).toBe('FILE_TOO_LARGE');
      wire.destroy();
    });
  });

  it('answers FILE_TOO_LARGE from a Content-Length that exceeds all numbers', async () => {
    await watched.state.unchangedBy(async () => {
      const { wire, answer } = openRequest(watched.server, {
        method: 'POST',
        path: '/v1/objects?name=over',
        credential: watched.account.credential,
        headers: { 'Content-Type': multipartType, 'Content-Length': String(Number.MAX_SAFE_INTEGER) },
      });
      wire.write(fileHead());
      expect((await answer).json().code).toBe('FILE_TOO_LARGE');
      wire.destroy();
    });
  });

  it('stores 100 MB even when blanks behind the form make the Content-Length larger', async () => {
    const answer = await upload('padded', largest, { isSized: true, end: `${closing}\r\n\r\n` });
    expect(answer.json().response).toMatchObject({ size: largest });
  });

  it.runIf(long)('stores 100 MB even when the form ends without a line break', async () => {
    const answer = await upload('unpadded', largest, { isSized: true, end: closing.trimEnd() });
    expect(answer.json().response).toMatchObject({ size: largest });
  });

  it.runIf(long)(
    'answers FILE_TOO_LARGE to 100 MB plus one byte even when the form ends without a line break',
    async () => {
      const answer = await watched.state.unchangedBy(() =>
        upload('unpadded', largest + 1, { isSized: true, end: closing.trimEnd() }),
      );
      expect(answer.json().code).toBe('FILE_TOO_LARGE');
    },
  );

  it('stores a file just above the database’s limit whose form ends without a line break', async () => {
    const answer = await upload('unpadded', 16_385, { isSized: true, end: closing.trimEnd() });
    expect(answer.json().response).toMatchObject({ size: 16_385 });
  });

  it('stores a file whose bytes look like its own boundary, up to the last one', async () => {
    const lookalikes = Buffer.from('\r\n--XXcubbyX\r\n--XXcubbyXY\r--XXcubbyXX-\n--XXcubbyXX--'.repeat(20));
    const answer = await rawSend(watched.server, {
      method: 'POST',
      path: '/v1/objects?name=lookalike',
      credential: watched.account.credential,
      headers: { 'Content-Type': multipartType },
      body: multipart(lookalikes),
    });
    const served = await rawSend(watched.server, {
      path: new URL(answer.json().response.url).pathname,
      door: 'public',
    });
    expect(served.body.equals(lookalikes)).toBe(true);
  });

  it('stores a file that arrives byte by byte', async () => {
    async function* bytewise(): AsyncGenerator<Buffer> {
      for (const byte of multipart(smallest)) yield Buffer.of(byte);
    }
    const headers = { 'Content-Type': multipartType };
    const answer = await rawSend(watched.server, {
      method: 'POST',
      path: '/v1/objects?name=slow',
      credential: watched.account.credential,
      headers,
      body: bytewise(),
    });
    expect(answer.json().response).toMatchObject({ size: 512 });
  });
});
