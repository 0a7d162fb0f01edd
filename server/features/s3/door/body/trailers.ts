import type { IncomingMessage } from 'node:http';

import { checksumAlgorithms } from '#server/domain/checksums/algorithms.ts';
import { S3Refusal } from '../../s3-refusal.ts';
import { checksumHeader } from '../checksum-fields.ts';
import type { ChunkReader } from './chunk-reader.ts';

/** A line after the bytes of a body. The name is in lower case. */
export type Trailer = readonly [name: string, value: string];

const maxTrailers = 16;
const known: readonly string[] = checksumAlgorithms.map(checksumHeader);

/**
 * Returns the trailers that `x-amz-trailer` announces, in lower case. Like S3 it takes commas at the end, and no other
 * empty names.
 *
 * @throws InvalidRequest for a trailer that is no checksum
 */
export function announcedTrailers({ headers }: Pick<IncomingMessage, 'headers'>): string[] {
  const pieces = String(headers['x-amz-trailer'] ?? '')
    .toLowerCase()
    .trim()
    .split(',');
  while (pieces.at(-1) === '') pieces.pop();
  const names = pieces.map((name) => name.trim());
  if (names.some((name) => !known.includes(name)))
    throw new S3Refusal('InvalidRequest', {
      message: `x-amz-trailer can name only a checksum: one of ${known.join(', ')}.`,
    });
  return [...new Set(names)];
}

/**
 * Reads lines up to an empty one, which some clients leave out at the end of the body. When a name comes twice, the
 * last value wins.
 *
 * @throws MalformedTrailerError
 */
export async function readTrailers(reader: ChunkReader): Promise<Trailer[]> {
  const given: Trailer[] = [];
  for (let line = await reader.lastLine(); line; line = await reader.lastLine()) {
    const colon = line.indexOf(':');
    if (colon < 1 || given.length >= maxTrailers) throw new S3Refusal('MalformedTrailerError');
    given.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return given;
}
