/*
 * The process of a sandbox that a test or `npx cubby sandbox` starts. JavaScript, because Node runs no TypeScript below
 * `node_modules` until `strip-types.js` has told it how.
 */
import './strip-types.js';
import { keepCompiled } from '../../server/compile-cache.js';

keepCompiled();
const { runChild } = await import('./process.ts');
await runChild();
