import { appendFile, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createClient } from '@hey-api/openapi-ts';

import { banner, type Json } from '../codegen/document.ts';
import { defaultAddress, writeHosts } from './client-hosts.ts';
import { withoutReadOnly } from './without-read-only.ts';
import { withoutSessions } from './without-sessions.ts';

const root = join(import.meta.dirname, '../..');

/** What the client exports beside the functions of operations and their types. */
const further = `export { sign } from './sign.js';
export { hosts } from './hosts.js';
export { client } from './client.js';
export { ReceiptInvalid, verifyReceipt, verifySentReceipt, type Receipt, type ReceiptKey, type SentReceipt } from './verify-receipt.js';
// Code that talks to several servers, and tests, need their own clients besides the standard one.
export { createClient, createConfig } from './client/index.js';
`;

/** Writes the client as TypeScript. Its `types.ts` has the types of the contract, which the server uses too. */
export async function writeClientSource(folder: string, document: Json): Promise<void> {
  await createClient({
    input: withoutSessions(withoutReadOnly(document)),
    output: {
      path: folder,
      module: { extension: '.js' },
      fileName: { suffix: null },
      header: [banner.trim(), ''],
    },
    plugins: [
      '@hey-api/typescript',
      { name: '@hey-api/sdk' },
      { name: '@hey-api/client-fetch', baseUrl: defaultAddress(document.servers) },
    ],
    logs: { level: 'silent' },
  });
  await writeHosts(folder, document);
  await cp(join(root, 'openapi/codegen/client'), folder, { recursive: true });
  await appendFile(join(folder, 'index.ts'), further);
}

/**
 * Bundles the client into one module: browsers run no TypeScript, and Node runs none below `node_modules`. Its comments are
 * left out, because editors read them in the declarations.
 */
export async function bundleClient(source: string): Promise<string> {
  const { build } = await import('vite');
  const outDir = join(source, 'bundled');
  await build({
    configFile: false,
    root: source,
    logLevel: 'error',
    build: {
      outDir,
      target: 'es2022',
      minify: false,
      lib: { entry: join(source, 'index.ts'), formats: ['es'], fileName: 'client' },
      rolldownOptions: { output: { entryFileNames: 'client.js', comments: false } },
    },
  });
  const text = await readFile(join(outDir, 'client.js'), 'utf8');
  // The bundler names each source, with the path of a temporary folder.
  return banner + text.replaceAll(/^\/\/ \S+\.ts\n/gm, '');
}

// A program of its own for modules.ts, which also runs where the packages for this are not installed.
if (import.meta.main) {
  const document: Json = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'));
  await writeClientSource(process.argv[2]!, document);
}
