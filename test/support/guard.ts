import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ends programs and removes their folder, also when this process is killed. */
export interface Guard {
  /** From now on the program is ended too. */
  add(pid: number, signal: 'QUIT' | 'KILL'): void;
  /** Ends the programs and removes the folder now. May be called twice. */
  release(): Promise<void>;
}

/**
 * Starts a shell that waits for the end of its standard input: we close it, or it breaks when we are killed. It then
 * ends the programs that were added, waits for them and removes the folder.
 */
export function guardOf(folder: string): Guard {
  const script = `cat >/dev/null; cd "$1" || exit
    while read -r signal pid; do kill -s "$signal" "$pid" 2>/dev/null; done < guarded
    while read -r signal pid; do
      for i in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
    done < guarded
    cd / && rm -rf "$1"`;
  appendFileSync(join(folder, 'guarded'), '');
  const child = spawn('sh', ['-c', script, 'sh', folder], {
    cwd: '/',
    // Of its own group, so that Ctrl-C in a terminal does not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(child, 'exit');
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return {
    add: (pid, signal) => appendFileSync(join(folder, 'guarded'), `${signal} ${pid}\n`),
    async release() {
      child.ref();
      child.stdin!.end();
      await gone;
    },
  };
}
