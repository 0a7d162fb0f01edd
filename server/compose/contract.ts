import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { RequestValidator } from '#server/doors/contract/request-validator.ts';

export const contractFolder = join(import.meta.dirname, '../../generated');

async function readContract(): Promise<Record<string, any>> {
  return JSON.parse(await readFile(join(contractFolder, 'openapi.json'), 'utf8'));
}

let contract: ReturnType<typeof readContract> | undefined;

/** Servers that run one after the other in a process share the validators. */
export const validator = new RequestValidator(() => (contract ??= readContract()));
