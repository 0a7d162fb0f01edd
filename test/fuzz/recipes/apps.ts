import { draftOf } from '../contract-draft.ts';
import type { Recipe, World } from '../world.ts';

/** Names the application of the account. */
export const appOf = (world: World) => ({ app_id: world.member.app ?? 'app_4x7k2m9q3v8n6tbw' });

export const apps: Readonly<Record<string, Recipe>> = {
  listApps: (world) => draftOf(world, 'listApps'),
};
