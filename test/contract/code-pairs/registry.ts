import { globSync } from 'node:fs';

import { codesOfOperation, type ErrorCode } from '#generated/errors.ts';
import { accountSuspended } from './account-suspended.ts';
import { csrfTokenInvalid } from './csrf-token-invalid.ts';
import { operatorPairs } from './operator.ts';
import type { Provocation } from './provocation.ts';
import { serverOverloaded } from './server-overloaded.ts';
import { storageUnavailable } from './storage-unavailable.ts';
import { uploadTokenNotAllowed } from './upload-token-not-allowed.ts';
import { writeConditions } from './write-conditions.ts';

type Pairs = Readonly<Record<string, Partial<Record<ErrorCode, Provocation>>>>;

/** Files of this folder that are neither tests nor this one. */
const files = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts', 'registry.ts'] });
const modules = (await Promise.all(files.sort().map((file) => import(`./${file}`)))) as readonly object[];

/** Operations with provocations of their own: each export that is named as its operation, in a file of any name. */
const exported = modules
  .flatMap((module) => Object.entries(module))
  .filter(([name]) => name === 'unrouted' || Object.hasOwn(codesOfOperation, name));
const twice = exported.map(([name]) => name).filter((name, at, all) => all.indexOf(name) !== at);
if (twice.length > 0) throw new Error(`Two files have the pairs of ${twice.join(', ')}. One would hide the other.`);

const own: Pairs = { ...Object.fromEntries(exported), ...operatorPairs };

/** The provocation of each (operation, code) pair. `unrouted` is for requests that reach no operation. */
export const pairs: Pairs = Object.fromEntries(
  Object.entries(own).map(([operation, provocations]) => [
    operation,
    {
      ...storageUnavailable(operation),
      ...serverOverloaded(operation),
      ...accountSuspended(operation),
      ...csrfTokenInvalid(operation),
      ...writeConditions(operation),
      ...provocations,
      ...uploadTokenNotAllowed(operation),
    },
  ]),
);
