import { keepCompiled, resolveOwnFiles } from '../../compile-cache.js';

// As in `server/main.js`.
process.umask(0o077);

keepCompiled();
resolveOwnFiles();
const { takeOneBackup } = await import('./child.ts');

await takeOneBackup();
