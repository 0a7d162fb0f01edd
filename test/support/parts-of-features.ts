import { globSync } from 'node:fs';
import { join } from 'node:path';

import { features } from '#server/features.ts';
import type { Listed } from '#test/architecture/listed.ts';
import type { CommandLine } from '#test/cli/command-line.ts';
import type { RequestFields } from '#test/contract/bad-input/request-fields.ts';
import type { SettledTables } from '#test/contract/bad-input/settled-tables.ts';
import type { HostileTexts } from '#test/browser/hostile-texts.ts';
import type { Cases } from '#test/flows/cases.ts';
import type { Mocked } from '#test/mocks/example-home.ts';
import type { Addresses } from './addresses.ts';

/** What a feature may add to tests about the whole, by the name of its file: `test/features/<feature>/<part>.ts`. */
interface Parts {
  readonly addresses: Addresses;
  readonly architecture: Listed;
  readonly cases: Cases;
  readonly 'command-line': CommandLine;
  readonly 'hostile-texts': HostileTexts;
  readonly mocked: Mocked;
  readonly 'request-fields': RequestFields;
  readonly 'settled-tables': SettledTables;
}

/** What these files may export. */
const known: { readonly [Part in keyof Parts]: Readonly<Record<keyof Parts[Part], true>> } = {
  addresses: { open: true, takingBodies: true, streaming: true, secret: true },
  architecture: { stateful: true, outbound: true },
  cases: {
    ...{ forms: true, caps: true, nameDoors: true, switches: true, kept: true },
    ...{ conditions: true, refusing: true, byteLimits: true },
  },
  'command-line': { wrong: true, helped: true, unknown: true },
  'hostile-texts': { store: true },
  mocked: { makers: true, fillLists: true, notFound: true, lists: true, atOffsets: true, differences: true },
  'request-fields': { sent: true, elsewhere: true, whole: true, secret: true, ids: true },
  'settled-tables': { settledTables: true },
};

const folder = join(import.meta.dirname, '../features');

/** Returns what features add to a test about the whole, in the order of `server/features.ts`. */
export async function partsOfFeatures<Part extends keyof Parts>(
  part: Part,
): Promise<ReadonlyArray<Partial<Parts[Part]>>> {
  const order = features.map(({ name }): string => name);
  const owners = globSync(`*/${part}.ts`, { cwd: folder }).map((path) => path.split(/[\\/]/)[0]!);
  const strange = owners.filter((name) => !order.includes(name));
  if (strange.length > 0) throw new Error(`No feature has the name ${strange.join(', ')}.`);
  const sorted = owners.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return Promise.all(
    sorted.map(async (name) => {
      const own: Partial<Parts[Part]> = await import(`../features/${name}/${part}.ts`);
      const names = Object.keys(own);
      if (names.length === 0 || names.some((exported) => !Object.hasOwn(known[part], exported)))
        throw new Error(`${name}/${part}.ts exports ${names.join(', ') || 'nothing'}, which no test takes.`);
      return own;
    }),
  );
}
