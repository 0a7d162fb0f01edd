import { resolveOwnFiles } from '#server/compile-cache.js';

resolveOwnFiles();
const { renderOnce } = await import('./child.ts');

await renderOnce(JSON.parse(process.argv[2]));
