import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Json } from '../../codegen/document.ts';
import { contractPages } from './pages.ts';
import { repositoryPages } from './repository-pages.ts';

/** Writes the pages that are made from the contract, for readers of the repository. */
export async function writeContractPages(folder: string, document: Json): Promise<void> {
  for (const [name, text] of repositoryPages(await contractPages(document))) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
