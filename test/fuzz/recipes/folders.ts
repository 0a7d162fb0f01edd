import { draftOf } from '../contract-draft.ts';
import type { Recipe } from '../world.ts';

/** Names a job of the account, or starts one. */
const ofOne =
  (operation: string): Recipe =>
  (world) => {
    const id = world.some('folderJob');
    return id === undefined ? folders.startFolderJob!(world) : draftOf(world, operation, { path: { id } });
  };

export const folders: Readonly<Record<string, Recipe>> = {
  startFolderJob: (world) => {
    const action = world.pick('move', 'copy', 'delete', 'restore', 'purge', 'update');
    const isMove = action === 'move' || action === 'copy';
    return draftOf(world, 'startFolderJob', {
      fields: {
        action,
        prefix: world.pick('a', 'docs'),
        destination: isMove ? world.pick('b', 'folders/c') : undefined,
        private: action === 'update' ? world.random.chance(0.5) : undefined,
        expire: undefined,
      },
    });
  },
  getFolderJob: ofOne('getFolderJob'),
  abortFolderJob: ofOne('abortFolderJob'),
};
