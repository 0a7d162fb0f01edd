import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';
import { someConditions } from './content.ts';
import { objects, withObject } from './objects.ts';

/** A download from an address that an earlier response named. */
function download(world: World, operation: string, kind: string, before: Recipe): Draft {
  const path = world.some(kind);
  if (path === undefined) return before(world);
  const draft = draftOf(world, operation, { headers: { ...someConditions(world), ...accept(world) }, query: {} });
  return { ...draft, path, pathValues: {}, method: world.random.chance(0.15) ? 'HEAD' : 'GET' };
}

const accept = ({ random }: World): Record<string, string> =>
  random.chance(0.5) ? { Accept: random.pick(['text/html', '*/*', 'application/json', 'image/*;q=0.5, */*']) } : {};

/** Calls `use` with a share link that has a password. Without one, the request makes one. */
function withPassword(world: World, use: (id: string, password: string) => Draft): Draft {
  const id = world.some('lockedShare');
  if (id !== undefined) return use(id, world.passwords.get(id)!);
  const password = `pass-${world.random.text('abc', 6)}`;
  return withObject(world, (object) =>
    draftOf(world, 'createShare', {
      fields: { object, objects: undefined, prefix: undefined, password, max_downloads: undefined },
    }),
  );
}

export const delivery: Readonly<Record<string, Recipe>> = {
  openDownloadLink: (world) => {
    const draft = download(world, 'openDownloadLink', 'linkTarget', objects.getDownloadLink!);
    return draft;
  },
  openShare: (world) => download(world, 'openShare', 'sharePath', objects.createShare!),
  getPublicFile: (world) => download(world, 'getPublicFile', 'publicPath', objects.uploadObject!),
  submitSharePassword: (world) =>
    withPassword(world, (share_id, password) =>
      draftOf(world, 'submitSharePassword', {
        path: { share_id },
        body: { kind: 'form', fields: [['password', password]] },
      }),
    ),
};
