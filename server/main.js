import { checkNode } from './check-node.js';

checkNode();

// All written files are private to this user.
process.umask(0o077);

// Syncs of the database log need one of these threads. Uploads, which write and sync files, keep Node's usual four
// busy.
process.env.UV_THREADPOOL_SIZE ??= '16';

const { keepCompiled, resolveOwnFiles } = await import('./compile-cache.js');
keepCompiled();
resolveOwnFiles();
const { serve } = await import('./serve.ts');

await serve(process.env);
