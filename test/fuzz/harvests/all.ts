import { globSync } from 'node:fs';

import { operations } from '../contract-draft.ts';
import type { Harvest } from './note.ts';

const files = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['all.ts', 'note.ts'] }).toSorted();
const modules = (await Promise.all(files.map((file) => import(`./${file}`)))) as readonly object[];
const found = modules
  .flatMap((module) => Object.values(module) as object[])
  .flatMap((exported) => Object.entries(exported) as Array<[string, Harvest]>);
const strange = found.filter(([id], at) => !operations.has(id) || found.findIndex(([other]) => other === id) !== at);
if (strange.length > 0)
  throw new Error(`Harvests of no operation, or two of one: ${strange.map(([id]) => id).join(', ')}`);

/** What to remember of a success, by operation: the objects that this folder's files export. */
export const harvests: Readonly<Record<string, Harvest>> = Object.fromEntries(found);
