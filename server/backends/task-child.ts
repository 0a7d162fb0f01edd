import { setPriority } from 'node:os';

/*
 * The other end of `task-process.ts`, in the process of a task.
 */

/** The server is more urgent than tasks. */
const lowPriority = 10;

/** Lets the server go first, and ends this process with it. */
export function beginTask(): void {
  setPriority(lowPriority);
  // The server has ended.
  process.on('disconnect', () => process.exit());
  // A signal to all processes of the server is the server's to handle.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => {});
}

/** Reads the whole input, whose size is known. */
export async function readInput(sizeBytes: number): Promise<Buffer> {
  const source = Buffer.allocUnsafeSlow(sizeBytes);
  let at = 0;
  for await (const chunk of process.stdin) at += (chunk as Buffer).copy(source, at);
  // The server could not read the file.
  if (at !== sizeBytes) process.exit(1);
  return source;
}

/** Tells the server. The first message counts. */
export function tell(message: object): Promise<void> {
  return new Promise((resolve) => (process.connected ? process.send!(message, () => resolve()) : resolve()));
}
