import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const compressible = new Set(['.js', '.css', '.html', '.svg']);

/** Writes a `.br` and a `.gz` form beside every text file of a folder. The server sends them as they are. */
export async function compressAll(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => compressible.has(extname(name)));
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await writeFile(join(folder, `${name}.br`), await brotli(bytes, { params }));
      await writeFile(join(folder, `${name}.gz`), await zip(bytes, { level: 9 }));
    }),
  );
}
