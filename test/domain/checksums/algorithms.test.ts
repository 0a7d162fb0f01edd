import { randomBytes } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import {
  checksumAlgorithms,
  checksumOf,
  isChecksumValue,
  startChecksum,
  type ChecksumAlgorithm,
} from '#server/domain/checksums/algorithms.ts';
import { combineCrcs, isCombinable } from '#server/domain/checksums/combine-crcs.ts';
import { typesOf, wholeChecksum } from '#server/domain/checksums/whole-checksum.ts';
import { threadMs } from '#test/support/thread-ms.ts';

/**
 * The published values: RFC 3720 (B.4), the NVM Command Set Specification (64b CRC test cases), and the check values of
 * "123456789".
 */
const zeros = Buffer.alloc(32);
const ones = Buffer.alloc(32, 0xff);
const page = Buffer.alloc(4096);
const vectors: ReadonlyArray<readonly [ChecksumAlgorithm, string, Uint8Array, string]> = [
  ['CRC32', 'the nine digits', Buffer.from('123456789'), 'cbf43926'],
  ['CRC32C', 'the nine digits', Buffer.from('123456789'), 'e3069283'],
  ['CRC32C', '32 zeros', zeros, '8a9136aa'],
  ['CRC32C', '32 bytes of ones', ones, '62a8ab43'],
  ['CRC32C', '32 bytes counting up', Buffer.from(Array.from({ length: 32 }, (_, at) => at)), '46dd794e'],
  ['CRC64NVME', 'the nine digits', Buffer.from('123456789'), 'ae8b14860a799888'],
  ['CRC64NVME', '4 KiB of zeros', page, '6482d367eb22b64e'],
  ['CRC64NVME', '4 KiB of ones', Buffer.alloc(4096, 0xff), 'c0ddba7302eca3ac'],
  ['SHA1', 'abc', Buffer.from('abc'), 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['SHA256', 'abc', Buffer.from('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
];

describe('checksums', () => {
  test.each(vectors)('%s of %s is the published one', (algorithm, _what, bytes, hex) => {
    expect(checksumOf(algorithm, bytes)).toBe(Buffer.from(hex, 'hex').toString('base64'));
  });

  test.each(checksumAlgorithms)('%s does not depend on how the bytes are split', (algorithm) => {
    const bytes = randomBytes(10_001);
    for (const step of [1, 3, 7, 8, 9, 4096]) {
      const running = startChecksum(algorithm);
      for (let at = 0; at < bytes.length; at += step) running.update(bytes.subarray(at, at + step));
      expect(running.digest()).toBe(checksumOf(algorithm, bytes));
    }
  });

  test('a value is base64 of the right length, in its only spelling', () => {
    expect(isChecksumValue('CRC32', 'AAAAAA==')).toBe(true);
    for (const text of ['', 'AAAAAA', 'AAAAAB==', 'AAAAAA==-1', 'AAAA', 'AAAAAAAA', '!!!!!!=='])
      expect(isChecksumValue('CRC32', text)).toBe(false);
  });
});

describe('the checksum of a file in parts', () => {
  const bytes = randomBytes(100_003);
  const cuts = [0, 1, 5_000, 5_000, 65_537, 99_999, bytes.length];
  const partsIn = (algorithm: ChecksumAlgorithm) =>
    cuts
      .slice(1)
      .map((end, at) => ({ sizeBytes: end - cuts[at]!, value: checksumOf(algorithm, bytes.subarray(cuts[at], end)) }));

  test.each(checksumAlgorithms.filter(isCombinable))(
    '%s of the whole follows from those of the parts',
    async (algorithm) => {
      expect(await combineCrcs(algorithm, partsIn(algorithm))).toBe(checksumOf(algorithm, bytes));
      expect(await wholeChecksum(algorithm, 'FULL_OBJECT', partsIn(algorithm))).toEqual({
        algorithm,
        type: 'FULL_OBJECT',
        value: checksumOf(algorithm, bytes),
      });
    },
  );

  test.each(checksumAlgorithms.filter((algorithm) => algorithm !== 'CRC64NVME'))(
    '%s composite is the checksum of the checksums',
    async (algorithm) => {
      const parts = partsIn(algorithm);
      const together = checksumOf(algorithm, Buffer.concat(parts.map(({ value }) => Buffer.from(value, 'base64'))));
      expect(await wholeChecksum(algorithm, 'COMPOSITE', parts)).toEqual({
        algorithm,
        type: 'COMPOSITE',
        value: `${together}-6`,
      });
    },
  );

  test('ten thousand parts of different sizes do not block the process', async () => {
    const parts = Array.from({ length: 10_000 }, (_, at) => ({ sizeBytes: 5_242_880 + at * 7, value: 'rosUhgp5mIg=' }));
    const from = threadMs();
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await combineCrcs('CRC64NVME', parts);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
    expect(threadMs() - from).toBeLessThan(500);
  });

  test('hashes have no checksum of the whole, and CRC64NVME has no composite one', () => {
    expect(typesOf('SHA256')).toEqual(['COMPOSITE']);
    expect(typesOf('CRC64NVME')).toEqual(['FULL_OBJECT']);
    expect(typesOf('CRC32')).toContain('FULL_OBJECT');
  });
});
