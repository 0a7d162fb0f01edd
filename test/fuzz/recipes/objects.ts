import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';
import { formWithFile, someContent, someMetadata, sha256 } from './content.ts';

/** Calls `use` with the id of a file. Without one, the request uploads a file. */
export function withObject(world: World, use: (object: string) => Draft): Draft {
  const object = world.some('object');
  return object === undefined ? uploadObject(world) : use(object);
}

/** A token may pin the name of a file. Otherwise every upload names it. */
export function nameOf({ random }: World, token: string | undefined): Record<string, string> {
  if (token !== undefined && random.chance(0.5)) return {};
  return { name: `${random.text('abcdefgh', 3)}${random.pick(['', '.txt', '.png', '.tar.gz'])}` };
}

const uploadObject: Recipe = (world) => {
  const content = someContent(world);
  const { random } = world;
  const token = random.chance(0.15) ? world.some('uploadToken') : undefined;
  return draftOf(world, 'uploadObject', {
    query: {
      ...nameOf(world, token),
      metadata: someMetadata(world),
      checksum_sha256: random.chance(0.2) ? sha256(content) : undefined,
      overwrite: random.chance(0.7) ? true : undefined,
      // It contradicts a disposition.
      ...(random.chance(0.7) && { auto_download: undefined }),
    },
    body: formWithFile(world, content),
    ...(random.chance(0.1) && {
      headers: random.pick<Record<string, string>>([{ 'If-None-Match': '*' }, { 'If-Match': '*' }]),
    }),
    ...(token !== undefined && { credential: token }),
  });
};

/** Uploads a public file to a place, in place of one that is there. */
export function uploadTo(world: World, place: { readonly name: string; readonly prefix: string }): Draft {
  return draftOf(world, 'uploadObject', {
    query: {
      ...place,
      private: undefined,
      security_hash: undefined,
      expire: undefined,
      overwrite: undefined,
      metadata: undefined,
      checksum_sha256: undefined,
      auto_download: undefined,
    },
    body: formWithFile(world, someContent(world), 'a.txt'),
  });
}

/** One file, or several. */
function targets(world: World, object: string): Record<string, unknown> {
  if (world.random.chance(0.5)) return { object, objects: undefined };
  const others = Array.from({ length: world.random.below(4) }, () => world.some('object')!);
  return { object: undefined, objects: [...new Set([object, ...others])] };
}

export const objects: Readonly<Record<string, Recipe>> = {
  uploadObject,
  listObjects: (world) =>
    draftOf(world, 'listObjects', {
      query: {
        prefix: world.pick(undefined, 'a/', 'docs/', 'b'),
        limit: world.pick(undefined, 1, 2, 1000),
        ...world.pick<object>(
          { min_size: undefined, created_from: undefined },
          { max_size: undefined, created_before: undefined },
        ),
        metadata: world.pick(undefined, undefined, '{"a":"b"}', '{}'),
        cursor: world.random.chance(0.2) ? world.some('objectCursor') : undefined,
        continuationToken: undefined,
      },
    }),
  deleteObjects: (world) =>
    withObject(world, (object) => draftOf(world, 'deleteObjects', { fields: targets(world, object) })),
  updateObjects: (world) =>
    withObject(world, (object) =>
      draftOf(world, 'updateObjects', {
        fields: {
          ...targets(world, object),
          ...(world.random.chance(0.4) ? { metadata: { a: 'b' } } : { metadata: undefined }),
          ...world.pick<object>(
            { private: true },
            { expire: '30d' },
            { disposition: 'inline' },
            { cache_control: null },
          ),
        },
      }),
    ),
  getObjectInfo: (world) => withObject(world, (object) => draftOf(world, 'getObjectInfo', { query: { object } })),
  copyObject: (world) =>
    withObject(world, (source) =>
      draftOf(world, 'copyObject', { fields: { source, overwrite: world.random.chance(0.7) } }),
    ),
  getDownloadLink: (world) =>
    withObject(world, (object) =>
      draftOf(world, 'getDownloadLink', { query: { object, redirect: world.pick(undefined, false, false) } }),
    ),
  createUploadToken: (world) =>
    draftOf(world, 'createUploadToken', {
      fields: {
        metadata: undefined,
        ...(world.random.chance(0.7) && { allowed_extensions: undefined, allowed_origins: undefined, name: undefined }),
        max_uses: world.pick(undefined, 1, 5, 100),
      },
    }),
  createShare: (world) =>
    withObject(world, (object) =>
      draftOf(world, 'createShare', {
        fields: {
          ...world.pick(
            { object, objects: undefined, prefix: undefined },
            { object, objects: undefined, prefix: undefined },
            { object: undefined, objects: [object], prefix: undefined },
            { object: undefined, objects: undefined, prefix: 'photos' },
          ),
          // Each try of a password takes the server's processor for a moment.
          password: world.random.chance(0.2) ? `pass-${world.random.text('abc', 6)}` : undefined,
          max_downloads: world.pick(undefined, 1, 3, 10_000),
        },
      }),
    ),
  listShareFiles: (world) => {
    const id = world.some('share');
    return id === undefined
      ? objects.createShare!(world)
      : draftOf(world, 'listShareFiles', { query: { id, cursor: undefined, continuationToken: undefined } });
  },
  updateShare: (world) => {
    const id = world.some('share');
    return id === undefined
      ? objects.createShare!(world)
      : draftOf(world, 'updateShare', { fields: { id, landing: true, title: 'x y', password: undefined } });
  },
  deleteShare: (world) => {
    const id = world.some('share');
    return id === undefined ? objects.createShare!(world) : draftOf(world, 'deleteShare', { fields: { id } });
  },
};
