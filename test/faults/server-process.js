import { resolveOwnFiles } from '../../server/compile-cache.js';

// As in `server/main.js`. Tests start a hundred of these processes.
resolveOwnFiles();
await import('./server-entry.ts');
