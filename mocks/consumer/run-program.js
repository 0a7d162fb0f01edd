import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { nodeProgram } from './node-program.js';
import { nodeFlags, processEnv } from './process-settings.js';

/** Runs a server. */
export function runServer() {
  return runProgram('server/main.js', [], { flags: nodeFlags, env: processEnv });
}

/** Runs a program of the package with a Node that the server runs on, and passes signals on to it. */
export async function runProgram(path, args, { flags = [], env = {} } = {}) {
  // This file is in two folders: its own, and that of the compiled mocks.
  const program = fileURLToPath(import.meta.resolve(`#${path}`));
  const stripTypes = import.meta.resolve('#mocks/sandbox/strip-types.js');
  const child = spawn(
    nodeProgram(),
    [...flags, '--disable-warning=ExperimentalWarning', '--import', stripTypes, program, ...args],
    { stdio: 'inherit', env: { ...env, ...process.env } },
  );
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // The terminal sends Ctrl+C to both. The program decides when it ends.
  process.on('SIGINT', () => {});
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}
