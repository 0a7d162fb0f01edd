import { draftOf } from '../contract-draft.ts';
import { serverClock } from '../server-clock.ts';
import type { Recipe } from '../world.ts';
import { appOf } from './apps.ts';

export const edgeErrors: Readonly<Record<string, Recipe>> = {
  getNetworkErrors: (world) => {
    const end = serverClock.now() - world.random.below(1e7);
    const start = end - world.random.between(60_000, 20 * 86_400_000);
    return draftOf(world, 'getNetworkErrors', {
      path: appOf(world),
      query: { start: new Date(start).toISOString(), end: new Date(end).toISOString() },
    });
  },
};
