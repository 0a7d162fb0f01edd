/*
 * The process of a sandbox that a test or `npx cubby sandbox` starts. JavaScript, because Node runs no TypeScript below
 * `node_modules` until `strip-types.js` has told it how.
 */
import './strip-types.js';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { keepCompiled, resolveOwnFiles } from '../../server/compile-cache.js';

keepCompiled();
// In a clone the bundle may be older than the sources.
const isInstalled = import.meta.url.includes('/node_modules/');
const bundle = new URL('../../dist/sandbox/process.js', import.meta.url);
if (!isInstalled) resolveOwnFiles();
const { runChild } = await (isInstalled && existsSync(fileURLToPath(bundle))
  ? import(bundle.href)
  : import('./process.ts'));
await runChild();
