import { globSync } from 'node:fs';
import { join } from 'node:path';

import { features } from '#server/features.ts';

const folder = join(import.meta.dirname, '../features');

/**
 * What features add to a test about the whole: the modules `test/features/<feature>/<part>.ts`, in the order of
 * `server/features.ts`. A feature that adds nothing has no such file.
 */
export async function partsOfFeatures<Part extends object>(part: string): Promise<ReadonlyArray<Partial<Part>>> {
  const order = features.map(({ name }): string => name);
  const found = globSync('*/', { cwd: folder }).map((path) => path.replace(/[\\/]$/, ''));
  const known = found.filter((name) => globSync(`${name}/${part}.ts`, { cwd: folder }).length > 0);
  const strange = known.filter((name) => !order.includes(name));
  if (strange.length > 0) throw new Error(`No feature has the name ${strange.join(', ')}.`);
  const sorted = known.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return Promise.all(sorted.map((name): Promise<Partial<Part>> => import(`../features/${name}/${part}.ts`)));
}
