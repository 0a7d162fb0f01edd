import { createHash } from 'node:crypto';

import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, Upload, World } from '../world.ts';
import { someMetadata } from './content.ts';
import { nameOf } from './objects.ts';

const tus = { 'Tus-Resumable': '1.0.0' };
const draft = { 'Upload-Draft-Interop-Version': '8' };

const bytesOf = (bytes: Buffer, type: string) => ({ kind: 'bytes' as const, bytes, type });

/** Calls `use` with an upload of serial bytes that is under way. Without one, the request starts one. */
function withUpload(world: World, use: (upload: string, about: Upload) => Draft): Draft {
  const upload = world.some('serialUpload');
  const about = upload === undefined ? undefined : world.uploads.get(upload);
  return about ? use(upload!, about) : startUpload(world);
}

const startUpload: Recipe = (world) => {
  const { random } = world;
  const token = random.chance(0.15) ? world.some('uploadToken') : undefined;
  const isTus = random.chance(0.6);
  const size = random.pick([512, 1000, 3000]);
  return draftOf(world, 'startUpload', {
    query: {
      ...nameOf(world, token),
      metadata: someMetadata(world),
      overwrite: random.chance(0.7) ? true : undefined,
      ...(random.chance(0.7) && { auto_download: undefined }),
    },
    headers: isTus
      ? { ...tus, ...(random.chance(0.8) ? { 'Upload-Length': String(size) } : { 'Upload-Defer-Length': '1' }) }
      : { ...draft, 'Upload-Complete': '?0', ...(random.chance(0.5) && { 'Upload-Length': String(size) }) },
    ...(token !== undefined && { credential: token }),
  });
};

/** Whoever began an upload goes on with it. */
const byOwner = ({ credential }: Upload) => (credential === undefined ? {} : { credential });

function putUploadBytes(world: World, upload: string, about: Upload): Draft {
  const { random } = world;
  const { size = about.bytes + 600, bytes: offset } = about;
  const content = random.bytes(random.chance(0.4) ? size - offset : random.between(0, size - offset));
  const isTus = random.chance(0.6);
  const checksum = createHash('sha1').update(content).digest('base64');
  const isLast = about.size !== undefined && offset + content.length === size;
  return draftOf(world, 'putUploadBytes', {
    path: { upload },
    headers: {
      'Upload-Offset': String(offset),
      ...(isTus
        ? { ...tus, ...(random.chance(0.2) && { 'Upload-Checksum': `sha1 ${checksum}` }) }
        : { ...draft, 'Upload-Complete': isLast ? '?1' : '?0' }),
    },
    body: bytesOf(content, isTus ? 'application/offset+octet-stream' : 'application/partial-upload'),
    ...byOwner(about),
  });
}

export const uploads: Readonly<Record<string, Recipe>> = {
  startUpload,
  putUploadBytes: (world) => withUpload(world, (upload, about) => putUploadBytes(world, upload, about)),
  getUpload: (world) =>
    withUpload(world, (upload, about) =>
      draftOf(world, 'getUpload', {
        path: { upload },
        headers: world.random.chance(0.6) ? tus : draft,
        ...byOwner(about),
      }),
    ),
  deleteUpload: (world) =>
    withUpload(world, (upload, about) =>
      draftOf(world, 'deleteUpload', { path: { upload }, headers: tus, ...byOwner(about) }),
    ),
};
