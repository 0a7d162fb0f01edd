import type { Harvest } from './note.ts';

export const folders: Readonly<Record<string, Harvest>> = {
  startFolderJob: (world, { json }) => world.pool.add('folderJob', json.response.id),
};
