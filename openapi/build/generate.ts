/**
 * `npm run generate`: bundles the contract and generates everything in `generated/` from it. `generated/uploader/` is
 * compiled from `uploader/`, and `generated/mocks/` from `mocks/consumer/`, against the client. `generated/docs/` also has
 * limits and codes that the server defines. `--check` generates into a temporary folder and fails when it differs from the
 * committed files.
 */
import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createClient } from '@hey-api/openapi-ts';

import type { Json } from '../codegen/document.ts';
import { printFixtures, printFixtureTypes } from '../codegen/print-fixtures.ts';
import { printErrors } from '../codegen/print-errors.ts';
import { printMessagesErrorTypes } from '../codegen/print-messages-error-types.ts';
import { printPolicies } from '../codegen/print-policies.ts';
import { printRouter } from '../codegen/print-router.ts';
import { defaultAddress, writeHosts } from './client-hosts.ts';
import { writeContractPages } from './pages/write-contract-pages.ts';
import { withoutReadOnly } from './without-read-only.ts';
import { withoutSessions } from './without-sessions.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const committed = join(root, 'generated');

async function bundle(folder: string): Promise<void> {
  await Promise.all(
    ['json', 'yaml'].map((ending) =>
      run('redocly', ['bundle', 'openapi/openapi.yaml', '-o', join(folder, `openapi.${ending}`)], { cwd: root }),
    ),
  );
}

const header = ['// Made from openapi/ by `npm run generate`. Never edit it by hand.', ''];

async function types(folder: string, document: Json): Promise<void> {
  const made = join(folder, 'made-types');
  await createClient({
    input: document,
    output: { path: made, module: { extension: '.ts' }, fileName: { suffix: null }, entryFile: false, header },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  await cp(join(made, 'types.ts'), join(folder, 'types.ts'));
  await rm(made, { recursive: true });
}

/** Compiles the client: Node runs no TypeScript below `node_modules`, and browsers run none at all. */
async function client(folder: string, document: Json): Promise<void> {
  const source = join(folder, 'client-source');
  await createClient({
    input: withoutSessions(document),
    output: { path: source, module: { extension: '.js' }, fileName: { suffix: null }, header },
    plugins: [
      '@hey-api/typescript',
      { name: '@hey-api/sdk' },
      { name: '@hey-api/client-fetch', baseUrl: defaultAddress(document.servers) },
    ],
    logs: { level: 'silent' },
  });
  await writeHosts(source, document);
  await cp(join(root, 'openapi/codegen/client'), source, { recursive: true });
  // Code that talks to several servers, and tests, need their own clients besides the standard one.
  await appendFile(
    join(source, 'index.ts'),
    "export { sign } from './sign.js';\nexport { hosts } from './hosts.js';\nexport { client } from './client.js';\nexport { ReceiptInvalid, verifyReceipt, verifySentReceipt, type Receipt, type ReceiptKey, type SentReceipt } from './verify-receipt.js';\nexport { createClient, createConfig } from './client/index.js';\n",
  );
  await writeFile(
    join(source, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'nodenext',
        moduleResolution: 'nodenext',
        types: [],
        strict: true,
        skipLibCheck: true,
        declaration: true,
        rootDir: '.',
        outDir: '../client',
      },
      include: ['.'],
    }),
  );
  await writeFile(join(source, 'package.json'), '{ "type": "module" }\n');
  await run('tsc', ['-p', join(source, 'tsconfig.json')], { cwd: root });
  await rm(source, { recursive: true });
}

/** Compiles the uploader for the same reason, against the new client. */
async function uploader(folder: string): Promise<void> {
  const source = join(folder, 'uploader-source');
  await cp(join(root, 'uploader'), source, { recursive: true });
  await rewrite(source, '**/*.ts', (text) => text.replaceAll('../generated/client/', '../client/'));
  await writeFile(join(source, 'package.json'), '{ "type": "module" }\n');
  await run('tsc', ['-p', join(source, 'tsconfig.json'), '--outDir', join(folder, 'uploader')], { cwd: root });
  await rm(source, { recursive: true });
  await finish(join(folder, 'uploader'), 'uploader/');
}

async function fixtures(folder: string, document: Json): Promise<void> {
  await mkdir(join(folder, 'fixtures'));
  await writeFile(join(folder, 'fixtures/index.js'), printFixtures(document));
  await writeFile(join(folder, 'fixtures/index.d.ts'), printFixtureTypes(document));
}

/** Compiles what tests of other programs import: the sandbox and the handlers of Mock Service Worker. */
async function consumerMocks(folder: string): Promise<void> {
  const source = join(folder, 'mocks-source');
  await cp(join(root, 'mocks/consumer'), source, { recursive: true });
  await rewrite(source, '**/*.ts', (text) => text.replaceAll('../../generated/', '../'));
  await writeFile(join(source, 'package.json'), '{ "type": "module" }\n');
  // The types of Node and of msw.
  await symlink(join(root, 'node_modules'), join(source, 'node_modules'));
  await run('tsc', ['-p', join(source, 'tsconfig.json'), '--outDir', join(folder, 'mocks')], { cwd: root });
  await rm(source, { recursive: true });
  await finish(join(folder, 'mocks'), 'mocks/consumer/');
}

/** Adds the header, and the extensions that tsc keeps in the imports of declarations as they were written. */
async function finish(folder: string, source: string): Promise<void> {
  const made = `// Made from ${source} by \`npm run generate\`. Never edit it by hand.\n`;
  await rewrite(
    folder,
    '**/*.{js,d.ts}',
    (text) => made + text.replaceAll(/((?:from|import\() ?'\.[^']*)\.ts'/g, "$1.js'"),
  );
}

async function rewrite(folder: string, pattern: string, change: (text: string) => string): Promise<void> {
  for await (const entry of glob(pattern, { cwd: folder })) {
    const file = join(folder, entry);
    await writeFile(file, change(await readFile(file, 'utf8')));
  }
}

async function generateInto(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await bundle(folder);
  const document: Json = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'));
  const written = withoutReadOnly(document);
  await Promise.all([
    writeFile(join(folder, 'errors.ts'), printErrors(document) + printMessagesErrorTypes(document)),
    writeFile(join(folder, 'policies.ts'), printPolicies(document)),
    writeFile(join(folder, 'router.ts'), printRouter(document)),
    writeContractPages(join(folder, 'docs'), document),
    types(folder, written)
      .then(() => client(folder, written))
      .then(() => Promise.all([uploader(folder), fixtures(folder, document).then(() => consumerMocks(folder))])),
  ]);
}

async function contents(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const entry of glob('**/*.*', { cwd: folder })) {
    const text = await readFile(join(folder, entry), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EISDIR') throw error;
    });
    if (text !== undefined) files.set(entry, text);
  }
  return files;
}

async function check(fresh: string): Promise<void> {
  const [made, kept] = await Promise.all([contents(fresh), contents(committed)]);
  const differing = [...new Set([...made.keys(), ...kept.keys()])].filter((file) => made.get(file) !== kept.get(file));
  if (differing.length === 0) return;
  console.error(
    'generated/ is not what openapi/, uploader/, mocks/consumer/ and the limits of server/domain/ make. Run `npm run generate` and commit the result. It differs in:',
  );
  for (const file of differing.sort()) console.error(`  generated/${file}`);
  process.exitCode = 1;
}

const fresh = await mkdtemp(join(tmpdir(), 'cubby-generate-'));
try {
  await generateInto(fresh);
  if (process.argv.includes('--check')) {
    await check(fresh);
  } else {
    await rm(committed, { recursive: true, force: true });
    await cp(fresh, committed, { recursive: true });
    // mkdtemp allows only the owner, but the server's user must be able to read this folder.
    await chmod(committed, 0o755);
    console.log('generated/ is up to date with openapi/, uploader/ and mocks/consumer/.');
  }
} finally {
  await rm(fresh, { recursive: true, force: true });
}
