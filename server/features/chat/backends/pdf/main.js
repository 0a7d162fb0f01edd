import { resolveOwnFiles } from '#server/compile-cache.js';

resolveOwnFiles();
const { readOnce } = await import('./child.ts');

await readOnce(JSON.parse(process.argv[2]));
