/**
 * `npm run generate`: lists the addresses of the contract, bundles it and makes everything in `generated/` from it, and then the modules that are
 * made from both (`modules.ts`). `--check` generates into a temporary folder and fails when it differs from the committed
 * files.
 */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, copyFile, cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';

import { resolve, type Json } from '../codegen/document.ts';
import { printContract } from '../codegen/print-contract.ts';
import { printErrors } from '../codegen/print-errors.ts';
import { printPaths } from '../codegen/print-paths.ts';
import { printMessagesErrorTypes } from '../codegen/print-messages-error-types.ts';
import { printPolicies } from '../codegen/print-policies.ts';
import { printRouter } from '../codegen/print-router.ts';
import { printVocabulary } from '../codegen/print-vocabulary.ts';
import { shareExamples } from '../codegen/share-examples.ts';
import { shareResponses } from '../codegen/share-responses.ts';
import { bundleClient, writeClientSource } from './client.ts';
import { buildModules } from './modules.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const committed = join(root, 'generated');

/** The list of all addresses, which Redocly reads. */
const pathsFile = join(root, 'openapi/paths.yaml');

async function listedPaths(): Promise<string> {
  const files = globSync('**/*.yaml', { cwd: join(root, 'openapi/paths') }).map((file) => file.split(sep).join('/'));
  return printPaths(files, await readFile(pathsFile, 'utf8'));
}

async function bundle(folder: string): Promise<Json> {
  const file = join(folder, 'openapi.json');
  await run('redocly', ['bundle', 'openapi/openapi.yaml', '-o', file], { cwd: root });
  const document = shareResponses(shareExamples(JSON.parse(await readFile(file, 'utf8'))));
  requireTargets(document);
  await writeFile(file, `${printContract(document)}\n`);
  return document;
}

/** Redocly does not look into extensions, such as `x-unrouted`. @throws if a reference leads to nothing */
function requireTargets(document: Json, part: Json = document): void {
  if (part === null || typeof part !== 'object') return;
  resolve(document, part);
  for (const within of Object.values<Json>(part)) requireTargets(document, within);
}

async function typesAndClient(folder: string, document: Json): Promise<void> {
  const source = await mkdtemp(join(tmpdir(), 'cubby-client-'));
  try {
    await writeClientSource(source, document);
    await copyFile(join(source, 'types.ts'), join(folder, 'types.ts'));
    await writeFile(join(folder, 'client.js'), await bundleClient(source));
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

async function generateInto(folder: string): Promise<void> {
  const document = await bundle(folder);
  await Promise.all([
    writeFile(join(folder, 'errors.ts'), printErrors(document) + printMessagesErrorTypes(document)),
    writeFile(join(folder, 'policies.ts'), printPolicies(document)),
    writeFile(join(folder, 'router.ts'), printRouter(document)),
    writeFile(join(folder, 'vocabulary.ts'), printVocabulary(document)),
    typesAndClient(folder, document),
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
  if ((await listedPaths()) !== (await readFile(pathsFile, 'utf8'))) {
    console.error('openapi/paths.yaml does not list the files of openapi/paths/. Run `npm run generate`.');
    process.exitCode = 1;
  }
  if (differing.length === 0) return;
  console.error('generated/ is not what openapi/ makes. Run `npm run generate` and commit the result. It differs in:');
  for (const file of differing.sort()) console.error(`  generated/${file}`);
  process.exitCode = 1;
}

const isCheck = process.argv.includes('--check');
if (!isCheck) await writeFile(pathsFile, await listedPaths());
const fresh = await mkdtemp(join(tmpdir(), 'cubby-generate-'));
try {
  await generateInto(fresh);
  if (isCheck) {
    await check(fresh);
  } else {
    await rm(committed, { recursive: true, force: true });
    await cp(fresh, committed, { recursive: true });
    // mkdtemp allows only the owner, but the server's user must be able to read this folder.
    await chmod(committed, 0o755);
    await buildModules();
    console.log('generated/ is up to date with openapi/, and dist/modules/ with both.');
  }
} finally {
  await rm(fresh, { recursive: true, force: true });
}
