import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { nodeProgram } from './consumer/node-program.js';

/** Makes `dist/modules/` if it is missing or older than its sources. An installed package has it. */
export function makeModules() {
  if (import.meta.url.includes('/node_modules/')) return;
  const program = fileURLToPath(import.meta.resolve('#openapi/build/modules.ts'));
  spawnSync(nodeProgram(), [program, '--if-stale'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
