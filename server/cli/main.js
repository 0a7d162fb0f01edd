import { checkNode } from '../check-node.js';

checkNode();

// Files in the data folder are readable by this user only.
const inheritedUmask = process.umask(0o077);

const { keepCompiled, resolveOwnFiles } = await import('../compile-cache.js');
keepCompiled();
resolveOwnFiles();
const { runCli } = await import('./program.ts');

// A reader such as `| head -1` may close the pipe early.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await runCli(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isWatched: process.stderr.isTTY,
  isScreen: process.stdout.isTTY,
  inheritedUmask,
});
