import { bodyOf, cursor, noteObject, s3Name, targetOf, type Harvest } from './note.ts';

export const files: Readonly<Record<string, Harvest>> = {
  uploadObject: (world, { json }) => noteObject(world, json.response),
  getObjectInfo: (world, { json }) => noteObject(world, json.response),
  copyObject: (world, exchanged) => {
    const { response } = exchanged.json;
    noteObject(world, response);
    if (response.moved) world.pool.remove('object', bodyOf(exchanged).source);
  },
  listObjects: (world, exchanged) => {
    for (const object of exchanged.json.response.objects.slice(0, 3)) noteObject(world, object);
    cursor('objectCursor')(world, exchanged);
  },
  updateObjects: (world, exchanged) => {
    const { object, objects = [] } = bodyOf(exchanged);
    // A change of the visibility moves a file.
    for (const old of [object, ...objects]) world.pool.remove('object', old);
    for (const { id, url } of exchanged.json.response?.results ?? []) noteObject(world, { id, url });
  },
  deleteObjects: (world, exchanged) => {
    for (const id of exchanged.json.response?.deleted ?? [bodyOf(exchanged).object]) {
      world.pool.remove('object', id);
      world.pool.remove('s3File', s3Name(id));
    }
  },
  getDownloadLink: (world, { json }) => {
    const target = targetOf(json.response?.url);
    world.pool.add(target?.startsWith('/d/') ? 'linkTarget' : 'publicPath', target);
  },
};
