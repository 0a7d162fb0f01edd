import { draftOf } from '../contract-draft.ts';
import type { Recipe } from '../world.ts';

export const events: Readonly<Record<string, Recipe>> = {
  listEvents: (world) =>
    draftOf(world, 'listEvents', {
      query: {
        limit: world.pick(undefined, 1, 3, 1000),
        cursor: world.random.chance(0.5) ? world.some('eventCursor') : world.pick(undefined, 'latest'),
      },
    }),
};
