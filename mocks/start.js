/*
 * `npm start`, `npm run sandbox` and `npm run mock`. Any Node from 20 on can read it, and starts one that the programs
 * run on. In package.json a shell replaces itself by this (`exec`), so that it gets the signals of npm. Windows has no
 * `exec`, and runs the second half of that line.
 *
 * A server must listen at once. So the documentation and the console, if they are missing or old, are built beside it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { nodeProgram } from './consumer/node-program.js';
import { runProgram, runServer } from './consumer/run-program.js';
import { makeModules } from './make-modules.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (path) => join(root, path);

/** The console comes first, because it takes a fraction of the time. */
const sites = [
  { folder: 'dist/console', program: 'console/build/build.ts', needs: 'vite' },
  { folder: 'dist/docs', program: 'openapi/build/docs.ts' },
];

const isBuilt = ({ folder }) => existsSync(inRoot(`${folder}/index.html`));

function canBuild({ needs }) {
  try {
    if (needs) createRequire(import.meta.url).resolve(needs);
    return true;
  } catch {
    return false;
  }
}

/** Builds what is missing or old, one after the other, with less right to the processors than the server. */
function buildBeside(node) {
  const [next, ...later] = sites.filter((site) => isBuilt(site) || canBuild(site));
  mkdirSync(inRoot('dist'), { recursive: true });
  const markers = [next, ...later].filter((site) => !isBuilt(site)).map(({ folder }) => inRoot(`${folder}.building`));
  for (const marker of markers) writeFileSync(marker, String(process.pid));
  let child;
  const build = ({ folder, program }, rest) => {
    child = spawn(node, [inRoot(program), '--if-stale'], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: inRoot('node_modules/.cache/docs') },
    });
    try {
      setPriority(child.pid, 10);
    } catch {} // it has ended, or may not be changed
    child.on('error', () => {});
    child.on('close', () => {
      rmSync(inRoot(`${folder}.building`), { force: true });
      if (rest.length > 0) build(rest[0], rest.slice(1));
    });
  };
  build(next, later);
  process.on('exit', () => {
    child.kill();
    for (const marker of markers) rmSync(marker, { force: true });
  });
}

/** The server works without these pages, for instance in a folder that nobody may write to. */
function tryToBuild(node) {
  try {
    buildBeside(node);
  } catch (error) {
    console.error(`The documentation and the console are not built: ${error.message}`);
  }
}

const [command] = process.argv.slice(2);
try {
  const node = nodeProgram();
  const isMissing =
    command !== undefined &&
    spawnSync(node, [inRoot('openapi/build/dev-dependencies.ts'), command], { stdio: 'inherit' }).status !== 0;
  if (isMissing) process.exit(1);
  // What a program under test imports.
  if (command !== undefined) makeModules();
  if (command !== 'mock') tryToBuild(node);
  if (command === 'mock') await runProgram('mocks/mock.ts', []);
  else if (command === 'sandbox') await runProgram('mocks/sandbox/main.js', []);
  else await runServer();
} catch (error) {
  console.error(error.message);
  process.exitCode = 78;
}
// A build that is still running would keep this process.
process.exit();
