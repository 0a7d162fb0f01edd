import { globSync } from 'node:fs';

import { storeInTest, type OpenedMetadata, type StoreInTest } from './store-in-test.ts';

type Suite = (store: StoreInTest) => void;

/** The suites: each export of this folder that is named `<table>Conformance`. */
const suites = (
  await Promise.all(
    globSync('*.ts', { cwd: import.meta.dirname, exclude: ['conformance.ts'] })
      .toSorted()
      .map((file): Promise<Readonly<Record<string, unknown>>> => import(`./${file}`)),
  )
).flatMap((module) =>
  Object.entries(module).flatMap(([name, suite]) => (name.endsWith('Conformance') ? [suite as Suite] : [])),
);

if (suites.length < 20) throw new Error(`Only ${suites.length} suites were found in this folder.`);

/**
 * Tests that a metadata store keeps the port's contract, table by table. `open` is called before each test and returns
 * an empty store.
 */
export function metadataConformance(name: string, open: () => Promise<OpenedMetadata>): void {
  const store = storeInTest(name, open);
  for (const conformance of suites) conformance(store);
}
