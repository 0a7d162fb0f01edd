import { cursor, noteObject, type Harvest } from './note.ts';

export const trash: Readonly<Record<string, Harvest>> = {
  listTrash: (world, exchanged) => {
    for (const { version } of exchanged.json.response.versions.slice(0, 5)) world.pool.add('trashVersion', version);
    cursor('trashCursor')(world, exchanged);
  },
  restoreTrash: (world, { json }) => {
    for (const { version, id } of json.response.restored) {
      world.pool.remove('trashVersion', version);
      noteObject(world, { id });
    }
  },
  deleteTrash: (world, { json }) => {
    for (const version of json.response.purged) world.pool.remove('trashVersion', version);
  },
};
