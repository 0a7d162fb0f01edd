import { textOf, textsOf } from '#test/s3/exchange.ts';
import type { Exchanged } from './exchanged.ts';
import type { World } from './world.ts';

/** Remembers what later requests to the gateway can build on. */
export function harvestS3(world: World, { request, answer }: Exchanged): void {
  if (
    answer.status >= 300 ||
    request.method === 'HEAD' ||
    /(^|, )(method|path|door|bytes|preflight)/.test(request.broken ?? '')
  )
    return;
  const { pool } = world;
  const [path = '', search] = request.target.split('?');
  const named = decoded(path.slice(1));
  const text = answer.body.toString();
  const uploadId = new URLSearchParams(search).get('uploadId') ?? '';
  if (answer.headers.etag) pool.add('etag', answer.headers.etag);
  switch (request.operation.slice(3)) {
    case 'PutObject':
    case 'CopyObject':
      return pool.add('s3File', named);
    case 'DeleteObject':
      pool.remove(
        'object',
        named.replace(/^(pub|pri)\w+\//, (_, start) => `${start === 'pub' ? 'pub' : 'prv'}/${world.member.id}/`),
      );
      return pool.remove('s3File', named);
    case 'ListObjects':
    case 'ListObjectsV2':
      for (const key of textsOf(text, 'Key').slice(0, 3))
        if (!search?.includes('encoding-type')) pool.add('s3File', `${named}/${key}`);
      return;
    case 'CreateMultipartUpload': {
      const id = textOf(text, 'UploadId');
      const [bucket = '', key = ''] = named.split(/\/(.*)/s);
      if (id === undefined) return;
      pool.add('s3Upload', id);
      return void world.uploads.set(id, { bucket, key, parts: new Map(), bytes: 0 });
    }
    case 'UploadPart':
      return void world.uploads.get(uploadId)?.parts.set(1, answer.headers.etag ?? '');
    case 'UploadPartCopy':
      return void world.uploads.get(uploadId)?.parts.set(1, textOf(text, 'ETag') ?? '');
    case 'CompleteMultipartUpload':
    case 'AbortMultipartUpload':
      world.uploads.delete(uploadId);
      return pool.remove('s3Upload', uploadId);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
