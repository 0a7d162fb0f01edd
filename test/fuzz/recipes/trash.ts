import { draftOf } from '../contract-draft.ts';
import type { Draft } from '../draft.ts';
import type { Recipe, World } from '../world.ts';
import { uploadTo } from './objects.ts';

/** How far a world is on its way to a version. */
const steps = new WeakMap<World, number>();

/**
 * Calls `use` with the id of a version. Without one, the request is the next step to one: a rule that keeps files, a
 * file, another one in its place, and a list.
 */
function withVersion(world: World, use: (fields: Record<string, unknown>) => Draft): Draft {
  const version = world.some('trashVersion');
  if (version !== undefined)
    return use(
      world.random.chance(0.5)
        ? { version, versions: undefined }
        : { version: undefined, versions: [version, world.some('trashVersion')!] },
    );
  const step = steps.get(world) ?? 0;
  steps.set(world, (step + 1) % 4);
  if (step === 0) {
    const rules = ['a', 'b', 'docs'].map((prefix) => ({ prefix, keep_deleted_days: 30 }));
    return draftOf(world, 'replaceSettings', { fields: { rules, image_presets: undefined } });
  }
  if (step < 3) return uploadTo(world, { name: 'kept', prefix: 'a' });
  return draftOf(world, 'listTrash', { query: { prefix: undefined, cursor: undefined, continuationToken: undefined } });
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
