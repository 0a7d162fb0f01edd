import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { SwitchedOff } from './switched-off.ts';

/** A contract that a thread is to write. */
export interface ContractWork {
  readonly json: string;
  readonly form: 'json' | 'yaml';
  /** What it leaves out. */
  readonly off: SwitchedOff;
}

/** Writes the bundled contract. In a thread, because it takes up to half a second. */
export async function writeContract(workerData: ContractWork): Promise<Buffer> {
  const thread = new Worker(new URL('./contract-thread.ts', import.meta.url), { workerData });
  const [text] = (await once(thread, 'message')) as [string];
  return Buffer.from(text);
}
