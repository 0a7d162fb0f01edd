import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

import { describe, expect, test } from 'vitest';

import { payloadBody, presignedBody } from '#server/features/s3/door/body/payload.ts';
import { signingKey } from '#server/signature-v4/canonical.ts';
import type { S3Refusal } from '#server/features/s3/s3-refusal.ts';

/*
 * The uploads in chunks that Amazon prints in "Signature Calculations for the Authorization Header: Transferring
 * Payload in Multiple Chunks", with and without trailer.
 */
const scope = { date: '20130524', region: 'us-east-1' };
const signing = (signature: string) => ({
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  canonicalRequest: 'PUT',
  key: signingKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', scope),
  timestamp: '20130524T000000Z',
  scope,
  signature,
});
const file = Buffer.alloc(66_560, 'a');

const plainSeed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9';
const plain = Buffer.concat([
  Buffer.from('10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n'),
  file.subarray(0, 65_536),
  Buffer.from('\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n'),
  file.subarray(65_536),
  Buffer.from('\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n'),
]);

const trailerSeed = '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e';
const withTrailer = Buffer.concat([
  Buffer.from('10000;chunk-signature=b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2\r\n'),
  file.subarray(0, 65_536),
  Buffer.from('\r\n400;chunk-signature=1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7\r\n'),
  file.subarray(65_536),
  Buffer.from('\r\n0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n'),
  Buffer.from(
    'x-amz-checksum-crc32c:sOO8/Q==\r\n' +
      'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n',
  ),
]);

interface Sent {
  readonly hash: string;
  readonly seed?: string;
  readonly decodedBytes?: number;
  /** The announced trailers. */
  readonly trailer?: string;
  /** The bytes of each read. */
  readonly step?: number;
}

async function receive(
  wire: Buffer,
  { hash, seed = plainSeed, decodedBytes = file.length, trailer, step = 1000 }: Sent,
) {
  // Copied, because the reader frees the memory of each.
  const pieces = Array.from({ length: Math.ceil(wire.length / step) }, (_, index) =>
    Buffer.from(wire.subarray(index * step, (index + 1) * step)),
  );
  const req = Object.assign(Readable.from(pieces, { objectMode: false }), {
    headers: {
      'transfer-encoding': 'chunked',
      'x-amz-decoded-content-length': String(decodedBytes),
      ...(trailer !== undefined && { 'x-amz-trailer': trailer }),
    },
  });
  // Node sets it when the last byte has come.
  Object.defineProperty(req, 'complete', { get: () => req.readableEnded });
  const body = payloadBody(req as unknown as IncomingMessage, hash, signing(seed));
  const received: Uint8Array[] = [];
  for await (const chunk of body.bytes()) received.push(Buffer.from(chunk));
  return { bytes: Buffer.concat(received), sha256: body.sha256, trailers: Object.fromEntries(body.trailers) };
}

/** Chunks with their signatures, each of which includes the one before. */
function signedChunksOf(texts: readonly string[]): Buffer {
  const { key, timestamp } = signing(plainSeed);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  let last = plainSeed;
  return Buffer.from(
    texts
      .map((text) => {
        last = createHmac('sha256', key)
          .update(
            [
              'AWS4-HMAC-SHA256-PAYLOAD',
              timestamp,
              '20130524/us-east-1/s3/aws4_request',
              last,
              hash(''),
              hash(text),
            ].join('\n'),
          )
          .digest('hex');
        return `${text.length.toString(16)};chunk-signature=${last}\r\n${text}\r\n`;
      })
      .join(''),
  );
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: S3Refusal) => error.code,
  );

const signedChunks = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
const signedTrailer = `${signedChunks}-TRAILER`;
const unsignedTrailer = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

describe('bodies in chunks', () => {
  test.each([7, 1000, 70_000])('the upload that Amazon prints is accepted in reads of %i bytes', async (step) => {
    expect((await receive(plain, { hash: signedChunks, step })).bytes.equals(file)).toBe(true);
  });

  test('the upload with a trailer that Amazon prints is accepted with its trailer', async () => {
    const { bytes, trailers } = await receive(withTrailer, {
      hash: signedTrailer,
      seed: trailerSeed,
      trailer: 'x-amz-checksum-crc32c',
    });
    expect(bytes.equals(file)).toBe(true);
    expect(trailers).toEqual({ 'x-amz-checksum-crc32c': 'sOO8/Q==' });
  });

  test('chunks without signatures are accepted when the request announces the unsigned form', async () => {
    const wire = Buffer.from('5\r\nhello\r\n1\r\n!\r\n0\r\nx-amz-checksum-crc32:nEuDnw==\r\n\r\n');
    const { bytes, trailers } = await receive(wire, {
      hash: unsignedTrailer,
      decodedBytes: 6,
      trailer: 'x-amz-checksum-crc32',
    });
    expect(bytes.toString()).toBe('hello!');
    expect(trailers).toEqual({ 'x-amz-checksum-crc32': 'nEuDnw==' });
  });

  function changed(wire: Buffer, at: number): Buffer {
    const copy = Buffer.from(wire);
    copy[at] = copy[at]! ^ 1;
    return copy;
  }

  test.each([
    ['a byte of the first chunk', changed(plain, 200), 'SignatureDoesNotMatch'],
    ['a byte of the second chunk', changed(plain, 66_000), 'SignatureDoesNotMatch'],
    ['a signature', Buffer.from(plain.toString('latin1').replace('ad80', 'ad81'), 'latin1'), 'SignatureDoesNotMatch'],
    ['the last signature', changed(plain, plain.length - 10), 'SignatureDoesNotMatch'],
  ])('a change of %s is refused', async (_name, wire, code) =>
    expect(await codeOf(receive(wire, { hash: signedChunks }))).toBe(code),
  );

  test('a changed trailer is refused', async () => {
    const wire = Buffer.from(withTrailer.toString('latin1').replace('sOO8', 'sOO9'), 'latin1');
    expect(
      await codeOf(receive(wire, { hash: signedTrailer, seed: trailerSeed, trailer: 'x-amz-checksum-crc32c' })),
    ).toBe('SignatureDoesNotMatch');
  });

  test('a trailer whose signature is missing is IncompleteBody', async () => {
    const wire = Buffer.from(withTrailer.toString('latin1').replace(/x-amz-trailer-signature:.*\r\n/, ''), 'latin1');
    expect(
      await codeOf(receive(wire, { hash: signedTrailer, seed: trailerSeed, trailer: 'x-amz-checksum-crc32c' })),
    ).toBe('IncompleteBody');
  });

  test('a signed trailer is IncompleteBody if it is missing, MalformedTrailerError if unannounced', async () => {
    const without = Buffer.from(
      withTrailer.toString('latin1').replace('x-amz-checksum-crc32c:sOO8/Q==\r\n', ''),
      'latin1',
    );
    expect(await codeOf(receive(without, { hash: signedTrailer, seed: trailerSeed }))).toBe('IncompleteBody');
    expect(await codeOf(receive(withTrailer, { hash: signedTrailer, seed: trailerSeed }))).toBe(
      'MalformedTrailerError',
    );
  });

  test('the last value of a repeated trailer wins', async () => {
    const wire = Buffer.from(
      '6\r\nhello!\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\nx-amz-checksum-crc32:nEuDnw==\r\n\r\n',
    );
    expect(
      (await receive(wire, { hash: unsignedTrailer, decodedBytes: 6, trailer: 'x-amz-checksum-crc32' })).trailers,
    ).toEqual({ 'x-amz-checksum-crc32': 'nEuDnw==' });
  });

  test.each(['\r\n', 'more', 'bonus: trailer\r\n', '\xff\xde\xad'])(
    'bytes after the end of a body are dropped: %j',
    async (behind) => {
      const wire = Buffer.from(`5\r\nhello\r\n0\r\n\r\n${behind}`, 'latin1');
      expect((await receive(wire, { hash: unsignedTrailer, decodedBytes: 5 })).bytes.toString()).toBe('hello');
    },
  );

  test.each(['x-amz-checksum-crc32,', 'x-amz-checksum-crc32,, ', ' X-Amz-Checksum-CRC32'])(
    'commas after the name of a trailer are accepted: %j',
    async (trailer) => {
      const wire = Buffer.from('6\r\nhello!\r\n0\r\nx-amz-checksum-crc32:nEuDnw==\r\n\r\n');
      expect((await receive(wire, { hash: unsignedTrailer, decodedBytes: 6, trailer })).bytes.toString()).toBe(
        'hello!',
      );
    },
  );

  test('unsigned chunks are refused in a signed form', async () => {
    expect(await codeOf(receive(Buffer.from('5\r\nhello\r\n0\r\n\r\n'), { hash: signedChunks, decodedBytes: 5 }))).toBe(
      'IncompleteBody',
    );
  });

  test.each([
    ['ends in a chunk', '5\r\nhel', 5],
    ['ends between chunks', '5\r\nhello\r\n', 5],
    ['is longer than announced', '5\r\nhello\r\n0\r\n\r\n', 4],
    ['is shorter than announced', '5\r\nhello\r\n0\r\n\r\n', 6],
    ['has more than 64 KiB after its end', `5\r\nhello\r\n0\r\n\r\n${'more'.repeat(16_385)}`, 5],
    ['continues after an empty chunk', '5\r\nhello\r\n0\r\n\r\n5\r\nhello\r\n0\r\n\r\n', 10],
    ['has a chunk that is longer than its head says', '5\r\nhello!\r\n0\r\n\r\n', 5],
  ])('a body that %s is IncompleteBody', async (_name, wire, decodedBytes) =>
    expect(await codeOf(receive(Buffer.from(wire), { hash: unsignedTrailer, decodedBytes }))).toBe('IncompleteBody'),
  );

  test.each([
    ['no number', 'xyz\r\n'],
    ['a number below zero', '-5\r\n'],
    ['an empty signature', '5;chunk-signature=\r\n'],
    ['a parameter after the signature', '5;chunk-signature=ab;more=1\r\n'],
  ])('a head of a chunk with %s is IncompleteBody', async (_name, wire) =>
    expect(await codeOf(receive(Buffer.from(wire), { hash: signedChunks, decodedBytes: 5 }))).toBe('IncompleteBody'),
  );

  test('a head of a chunk without an end is InvalidRequest', async () => {
    expect(await codeOf(receive(Buffer.from('0'.repeat(5000)), { hash: unsignedTrailer, decodedBytes: 5 }))).toBe(
      'InvalidRequest',
    );
  });

  test.each(['chunk-signature=invalid', 'more=1;chunk-signature=ad80', 'more=1'])(
    'a signature of another form is SignatureDoesNotMatch: %s',
    async (parameter) => {
      expect(
        await codeOf(receive(Buffer.from(`5;${parameter}\r\nhello\r\n`), { hash: signedChunks, decodedBytes: 5 })),
      ).toBe('SignatureDoesNotMatch');
    },
  );

  test('the refusal of a chunk shows the texts that the server signed', async () => {
    const error = await receive(changed(plain, 200), { hash: signedChunks }).catch((refusal: S3Refusal) => refusal);
    const { StringToSign, StringToSignBytes, ...details } = (error as S3Refusal).details;
    expect(StringToSign).toMatch(
      new RegExp(`^AWS4-HMAC-SHA256-PAYLOAD\\n20130524T000000Z\\n20130524/us-east-1/s3/aws4_request\\n${plainSeed}\\n`),
    );
    expect(Buffer.from(StringToSignBytes!.replaceAll(' ', ''), 'hex').toString()).toBe(StringToSign);
    expect(details).toEqual({
      AWSAccessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      SignatureProvided: expect.stringMatching(/^ad80c7/),
      CanonicalRequest: 'PUT',
      CanonicalRequestBytes: '50 55 54',
    });
  });

  test('a signed chunk under 8 KiB is refused unless it is the last one', async () => {
    const wire = signedChunksOf(['x'.repeat(8192), 'y'.repeat(8191), 'z', '']);
    const error = await receive(wire, { hash: signedChunks, decodedBytes: 16_384 }).catch(
      (refusal: S3Refusal) => refusal,
    );
    expect(error).toMatchObject({ code: 'InvalidChunkSizeError', details: { Chunk: '3', BadChunkSize: '8191' } });
    expect(
      (await receive(signedChunksOf(['x'.repeat(8192), 'y', '']), { hash: signedChunks, decodedBytes: 8193 })).bytes
        .length,
    ).toBe(8193);
  });

  test('a signature under another name is SignatureDoesNotMatch', async () => {
    const wire = Buffer.from(plain.toString('latin1').replace('chunk-signature', 'other-signature'), 'latin1');
    expect(await codeOf(receive(wire, { hash: signedChunks }))).toBe('SignatureDoesNotMatch');
  });

  test('spaces around the parts of a head are accepted', async () => {
    const wire = Buffer.from(
      plain
        .toString('latin1')
        .replace('10000;chunk-signature=', '10000 ; chunk-signature = ')
        .replace('400;chunk', '400 ;chunk'),
      'latin1',
    );
    expect((await receive(wire, { hash: signedChunks })).bytes.equals(file)).toBe(true);
  });

  test.each<readonly [what: string, trailer: string | undefined, sent: string, code: string]>([
    ['that was not announced', undefined, 'x-amz-checksum-crc32:nEuDnw==\r\n', 'MalformedTrailerError'],
    ['of another name', 'x-amz-checksum-crc32', 'x-amz-checksum-crc32c:nEuDnw==\r\n', 'MalformedTrailerError'],
    ['that is missing', 'x-amz-checksum-crc32', '', 'MalformedTrailerError'],
    ['after an empty line', 'x-amz-checksum-crc32', '\r\nx-amz-checksum-crc32:nEuDnw==\r\n', 'MalformedTrailerError'],
    [
      'beside another one',
      'x-amz-checksum-crc32',
      'x-amz-checksum-crc32:nEuDnw==\r\nbonus:1\r\n',
      'MalformedTrailerError',
    ],
    [
      'among seventeen',
      'x-amz-checksum-crc32',
      'x-amz-checksum-crc32:nEuDnw==\r\n'.repeat(17),
      'MalformedTrailerError',
    ],
    ['announced after a comma', ',x-amz-checksum-crc32', 'x-amz-checksum-crc32:nEuDnw==\r\n', 'InvalidRequest'],
    [
      'announced before a blank between commas',
      'x-amz-checksum-crc32, ,',
      'x-amz-checksum-crc32:nEuDnw==\r\n',
      'InvalidRequest',
    ],
    ['without a colon', 'x-amz-checksum-crc32', 'x-amz-checksum-crc32\r\n', 'MalformedTrailerError'],
    ['that is not a checksum', 'x-amz-content-sha256', 'x-amz-content-sha256:00\r\n', 'InvalidRequest'],
  ])('a trailer %s is refused', async (_what, trailer, sent, code) => {
    const wire = Buffer.from(`6\r\nhello!\r\n0\r\n${sent}\r\n`);
    expect(
      await codeOf(
        receive(wire, { hash: unsignedTrailer, decodedBytes: 6, ...(trailer !== undefined && { trailer }) }),
      ),
    ).toBe(code);
  });
});

describe('bodies in one piece', () => {
  test('another SHA-256 than announced is refused at the end', async () => {
    expect(await codeOf(receive(Buffer.from('hello'), { hash: 'a'.repeat(64) }))).toBe('XAmzContentSHA256Mismatch');
    const sha256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
    expect((await receive(Buffer.from('hello'), { hash: sha256 })).bytes.toString()).toBe('hello');
    expect((await receive(Buffer.from('hello'), { hash: sha256.toUpperCase() })).bytes.toString()).toBe('hello');
    // The row of the file takes it from here, in lower case.
    for (const hash of [sha256, sha256.toUpperCase()])
      expect((await receive(Buffer.from('hello'), { hash })).sha256).toBe(sha256);
  });

  test('an unsigned body is accepted unchanged', async () =>
    expect(await receive(plain, { hash: 'UNSIGNED-PAYLOAD' })).toEqual({
      bytes: plain,
      sha256: undefined,
      trailers: {},
    }));

  test.each([
    ['STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD'],
    ['unsigned-payload'],
    [''],
    ['constructor'],
    ['__proto__'],
    ['G'.repeat(64)],
  ])('%j is not the name of a form', async (hash) =>
    expect(await codeOf(receive(plain, { hash }))).toBe('InvalidArgument'),
  );
});

describe('bodies of presigned requests', () => {
  const hello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

  async function presigned(hash: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const req = Object.assign(Readable.from([Buffer.from('hello')], { objectMode: false }), {
      complete: true,
      headers: { 'content-length': '5', ...headers },
    });
    const body = presignedBody(req as unknown as IncomingMessage, hash);
    const received: Uint8Array[] = [];
    for await (const chunk of body.bytes()) received.push(Buffer.from(chunk));
    return Buffer.concat(received).toString();
  }

  test.each(['UNSIGNED-PAYLOAD', hello, hello.toUpperCase()])('are accepted with the hash %s', async (hash) =>
    expect(await presigned(hash)).toBe('hello'),
  );

  test.each(['a'.repeat(64), 'invalid', 'unsigned-payload', ''])(
    'are refused when their hash is not %j',
    async (hash) => expect(await codeOf(presigned(hash))).toBe('XAmzContentSHA256Mismatch'),
  );

  test('have no chunks, so the name of a chunked form is compared as a hash', async () => {
    expect(await codeOf(presigned(unsignedTrailer))).toBe('MissingContentLength');
    expect(await codeOf(presigned(unsignedTrailer, { 'x-amz-decoded-content-length': '4' }))).toBe('IncompleteBody');
    expect(await codeOf(presigned(unsignedTrailer, { 'x-amz-decoded-content-length': '5' }))).toBe(
      'XAmzContentSHA256Mismatch',
    );
  });

  test('are not checked when nobody reads them', () =>
    expect(() =>
      presignedBody(Object.assign(Readable.from([]), { headers: {} }) as unknown as IncomingMessage, 'invalid'),
    ).not.toThrow());
});
