import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findProgram } from '#test/support/programs.ts';

/** A folder with a command that replaces a program in Python. */
export interface Forks {
  /** Must come first in `PATH`. */
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Starts a process that has loaded the modules of a program, and runs each command in a fork of it. The command passes
 * on its arguments, folder, environment and open files, so that shell scripts see no difference except the time.
 *
 * @param program the path of the program
 */
export async function startForks(
  program: string,
  modules: readonly string[],
  env: Record<string, string>,
): Promise<Forks> {
  const folder = await mkdtemp(join(tmpdir(), 'cubby-forks-'));
  const address = join(folder, 'socket');
  const python = findProgram('python3')!;
  const child = spawn(python, [join(import.meta.dirname, 'forks.py'), address, program, ...modules], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const command = join(folder, program.split('/').at(-1)!);
  await writeFile(command, commandFor(python, address));
  await chmod(command, 0o755);
  const isReady = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error(`${program} could not be loaded: see what Python says above.`);
  return {
    folder,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Python starts in a few milliseconds when it is isolated, without the modules of the machine. */
function commandFor(python: string, address: string): string {
  return `#!${python} -IS
import json, os, socket, sys
door = socket.socket(socket.AF_UNIX)
door.connect(${JSON.stringify(address)})
socket.send_fds(door, [json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()], [0, 1, 2])
sys.exit((door.recv(1) or b"\\x01")[0])
`;
}
