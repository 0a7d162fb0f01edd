import type { IncomingMessage } from 'node:http';

import { checksumAlgorithms } from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '#server/domain/s3/s3-refusal.ts';
import { checksumHeader } from '../checksum-names.ts';
import type { ChunkReader } from './chunk-reader.ts';

/** A line behind the bytes of a body: its name in lower case, and its value. */
export type Trailer = readonly [name: string, value: string];

const maxTrailers = 16;
const known: readonly string[] = checksumAlgorithms.map(checksumHeader);

/**
 * The trailers that `x-amz-trailer` says to come behind the bytes, in lower case.
 *
 * @throws InvalidRequest for what is no checksum; S3 takes commas at the end, and no others too many
 */
export function announcedTrailers({ headers }: Pick<IncomingMessage, 'headers'>): string[] {
  const text = String(headers['x-amz-trailer'] ?? '')
    .toLowerCase()
    .trim();
  if (text === '') return [];
  const pieces = text.split(',');
  while (pieces.at(-1) === '') pieces.pop();
  const names = pieces.map((name) => name.trim());
  if (names.some((name) => !known.includes(name)))
    throw new S3Refusal('InvalidRequest', {
      message: `x-amz-trailer may name a checksum and nothing else: one of ${known.join(', ')}.`,
    });
  return [...new Set(names)];
}

/**
 * Lines up to an empty one; some clients leave that out at the very end. Of a name that comes twice the last value
 * counts. @throws MalformedTrailerError
 */
export async function readTrailers(reader: ChunkReader): Promise<Trailer[]> {
  const given: Trailer[] = [];
  for (let line = await reader.lastLine(); line !== undefined && line !== ''; line = await reader.lastLine()) {
    const colon = line.indexOf(':');
    if (colon < 1 || given.length >= maxTrailers) throw new S3Refusal('MalformedTrailerError');
    given.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return given;
}
