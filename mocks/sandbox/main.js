/*
 * The program of `npm run sandbox`. JavaScript, because Node would load its TypeScript compiler before the cache of
 * compiled modules is open.
 */
import { checkNode } from '../../server/check-node.js';

checkNode();

const { keepCompiled, resolveOwnFiles } = await import('../../server/compile-cache.js');
keepCompiled();
resolveOwnFiles();
const { runSandbox } = await import('../sandbox.ts');
await runSandbox();
