import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { crc32cOf } from './crc32c.ts';
import { crc64NvmeOf } from './crc64-nvme.ts';

/**
 * The checksums that S3 clients may choose, by S3's names.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Checksum.html
 */
export const checksumAlgorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;

export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/**
 * The bytes that a checksum covers: all bytes of the file, or the checksums of its parts. A file without parts has only
 * the first.
 */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

/** The checksum of a part of a file. */
export interface PartChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64. */
  readonly value: string;
}

/** The checksum of a file. A composite one ends in `-` and the number of its parts. */
export interface Checksum extends PartChecksum {
  readonly type: ChecksumType;
}

/** A checksum that is computed while bytes arrive. */
interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** Returns the value so far, in base64. */
  digest(): string;
}

/** The length of a value in bytes. */
const checksumBytes: Readonly<Record<ChecksumAlgorithm, number>> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
};

/** Starts a checksum of zero bytes. */
export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  if (algorithm === 'CRC32') return running32(crc32);
  if (algorithm === 'CRC32C') return running32(crc32cOf);
  if (algorithm === 'CRC64NVME') return running64();
  const hash = createHash(algorithm === 'SHA1' ? 'sha1' : 'sha256');
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.copy().digest('base64') };
}

/** Returns the checksum of bytes, in base64. */
export function checksumOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array): string {
  const running = startChecksum(algorithm);
  running.update(bytes);
  return running.digest();
}

/** Whether a text can be a value of this algorithm: canonical base64 of the right length. */
export function isChecksumValue(algorithm: ChecksumAlgorithm, text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === checksumBytes[algorithm] && bytes.toString('base64') === text;
}

function running32(add: (bytes: Uint8Array, before: number) => number): RunningChecksum {
  let value = 0;
  return {
    update: (bytes) => void (value = add(bytes, value)),
    digest: () => {
      const out = Buffer.alloc(4);
      out.writeUInt32BE(value);
      return out.toString('base64');
    },
  };
}

function running64(): RunningChecksum {
  let value = { high: 0, low: 0 };
  return {
    update: (bytes) => void (value = crc64NvmeOf(bytes, value)),
    digest: () => {
      const out = Buffer.alloc(8);
      out.writeUInt32BE(value.high, 0);
      out.writeUInt32BE(value.low, 4);
      return out.toString('base64');
    },
  };
}
