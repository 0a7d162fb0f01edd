import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, Upload, World } from '../world.ts';
import { sha256, someMetadata } from './content.ts';
import { nameOf } from './objects.ts';

/** Calls `use` with an upload that is under way. Without one, the request starts one. */
function withUpload(world: World, use: (upload: string, about: Upload) => Draft): Draft {
  const upload = world.some('upload');
  const about = upload === undefined ? undefined : world.uploads.get(upload);
  return about ? use(upload!, about) : startChunkedUpload(world);
}

const startChunkedUpload: Recipe = (world) => {
  const { random } = world;
  const token = random.chance(0.15) ? world.some('uploadToken') : undefined;
  return draftOf(world, 'startChunkedUpload', {
    query: {
      ...nameOf(world, token),
      metadata: someMetadata(world),
      size: random.pick([undefined, 512, 1000, 3000]),
      overwrite: random.chance(0.7) ? true : undefined,
      ...(random.chance(0.7) && { auto_download: undefined }),
    },
    ...(token !== undefined && { credential: token }),
  });
};

function putPart(world: World, upload: string, { size, credential }: Upload): Draft {
  const content = world.random.bytes(size ?? world.random.between(512, 2000));
  const body = { kind: 'bytes' as const, bytes: content, type: 'application/octet-stream' };
  return draftOf(world, 'putChunkedPart', {
    query: {
      upload,
      part: world.random.chance(0.9) ? 1 : 2,
      checksum_sha256: world.random.chance(0.2) ? sha256(content) : undefined,
    },
    body,
    ...(credential !== undefined && { credential }),
  });
}

/** The credential that began the upload. */
const byOwner = ({ credential }: Upload) => (credential === undefined ? {} : { credential });

export const chunked: Readonly<Record<string, Recipe>> = {
  startChunkedUpload,
  getChunkedUpload: (world) =>
    withUpload(world, (upload, about) => draftOf(world, 'getChunkedUpload', { query: { upload }, ...byOwner(about) })),
  putChunkedPart: (world) => withUpload(world, (upload, about) => putPart(world, upload, about)),
  abortChunkedUpload: (world) =>
    withUpload(world, (upload, about) =>
      draftOf(world, 'abortChunkedUpload', { fields: { upload }, ...byOwner(about) }),
    ),
  completeChunkedUpload: (world) =>
    withUpload(world, (upload, about) =>
      about.parts.has(1)
        ? draftOf(world, 'completeChunkedUpload', { fields: { upload, checksum_sha256: undefined }, ...byOwner(about) })
        : putPart(world, upload, about),
    ),
};
