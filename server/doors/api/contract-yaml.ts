import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { dump } from 'js-yaml';

/** Returns a contract as YAML. */
export function yamlOf(contract: unknown): string {
  return dump(contract, { lineWidth: -1, noRefs: true });
}

/** Writes the bundled contract as YAML. In a thread, because it takes half a second. */
export async function writeYaml(json: Buffer): Promise<Buffer> {
  const thread = new Worker(new URL('./yaml-thread.ts', import.meta.url), { workerData: json.toString() });
  const [text] = (await once(thread, 'message')) as [string];
  return Buffer.from(text);
}
