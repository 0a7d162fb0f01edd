import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const patterns = [
  'console/**/*.{ts,tsx,css,html}',
  'generated/client.js',
  'uploader/{*,element/*}.ts',
  'server/pages/tokens.css',
  'docs/cubby.svg',
];

/** Returns a short text that covers every input of the console. */
export async function inputsOf(root: string): Promise<string> {
  const files: string[] = [];
  for (const pattern of patterns) for await (const name of glob(pattern, { cwd: root })) files.push(name);
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file).update(await readFile(join(root, file)));
  return hash.digest('hex');
}
