import type { Harvest } from './note.ts';

export const uploadTokens: Readonly<Record<string, Harvest>> = {
  createUploadToken: (world, { json }) => world.pool.add('uploadToken', json.response.token),
};
