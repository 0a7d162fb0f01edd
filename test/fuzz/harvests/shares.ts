import { bodyOf, targetOf, type Harvest } from './note.ts';

export const shares: Readonly<Record<string, Harvest>> = {
  createShare: (world, exchanged) => {
    const { id, url } = exchanged.json.response;
    const { password } = bodyOf(exchanged);
    world.pool.add('share', id);
    world.pool.add('sharePath', targetOf(url));
    if (typeof password !== 'string') return;
    world.passwords.set(id, password);
    world.pool.add('lockedShare', id);
  },
  deleteShare: (world, exchanged) => {
    const { id } = bodyOf(exchanged);
    world.pool.remove('share', id);
    world.pool.remove('lockedShare', id);
  },
};
