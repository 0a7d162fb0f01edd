import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Whatever is written to the data folder is for this user alone.
const inheritedUmask = process.umask(0o077);

// Half of a command's time would go into compiling the same modules again. Where the folder cannot be written, it just takes that longer.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/cubby-cli'));
const { runCli } = await import('./program.ts');

// Whoever reads only the first lines (`| head -1`) has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCli(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isWatched: process.stderr.isTTY,
  inheritedUmask,
});
