import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Files in the data folder are readable by this user only.
const inheritedUmask = process.umask(0o077);

// Caches compiled modules, which halves a command's run time. If the folder is not writable, commands only run slower.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/cubby-cli'));
const { runCli } = await import('./program.ts');

// A reader such as `| head -1` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCli(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isWatched: process.stderr.isTTY,
  inheritedUmask,
});
