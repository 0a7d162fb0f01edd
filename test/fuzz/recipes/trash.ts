import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';

/** Calls `use` with the id of a version. Without one, the request leads to one: by a list, or by a rule that keeps files. */
function withVersion(world: World, use: (fields: Record<string, unknown>) => Draft): Draft {
  const version = world.some('trashVersion');
  if (version === undefined)
    return world.random.chance(0.5)
      ? draftOf(world, 'listTrash', { query: { prefix: undefined, cursor: undefined, continuationToken: undefined } })
      : draftOf(world, 'replaceSettings', {
          fields: { rules: ['a', 'b', 'docs'].map((prefix) => ({ prefix, keep_deleted_days: 30 })) },
        });
  return use(
    world.random.chance(0.5)
      ? { version, versions: undefined }
      : { version: undefined, versions: [version, world.some('trashVersion')!] },
  );
}

export const trash: Readonly<Record<string, Recipe>> = {
  listTrash: (world) =>
    draftOf(world, 'listTrash', {
      query: {
        prefix: world.pick(undefined, 'a/', 'docs/'),
        limit: world.pick(undefined, 1, 2),
        cursor: world.random.chance(0.2) ? world.some('trashCursor') : undefined,
        continuationToken: undefined,
      },
    }),
  restoreTrash: (world) =>
    withVersion(world, (fields) =>
      draftOf(world, 'restoreTrash', { fields: { ...fields, overwrite: world.pick(undefined, true) } }),
    ),
  deleteTrash: (world) => withVersion(world, (fields) => draftOf(world, 'deleteTrash', { fields })),
};
