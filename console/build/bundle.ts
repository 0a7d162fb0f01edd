import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { earlyScript } from './early.ts';
import { firstChunk } from './first-chunk.ts';
import { withChosenTheme } from './theme.ts';

/** Bundles the console into a folder with Vite, which is a development dependency. */
export async function bundle(root: string, outDir: string): Promise<void> {
  const { build } = await import('vite');
  // Vite takes the development forms of packages when this variable says anything else, as it does within tests.
  const kept = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  const built = build({
    configFile: false,
    root: join(root, 'console'),
    base: '/console/',
    mode: 'production',
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'cubby:theme',
        enforce: 'pre',
        // The stylesheet is not imported by name, so that Vite does not read the tokens as they are.
        async transform(code, id) {
          if (!id.endsWith('console/style/base.css')) return undefined;
          const tokens = join(root, 'server/pages/tokens.css');
          this.addWatchFile(tokens);
          return code.replace(
            "@import '../../server/pages/tokens.css';",
            withChosenTheme(await readFile(tokens, 'utf8')),
          );
        },
      },
      earlyScript(root),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      // A data address in a script or style would need a wider policy.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstChunk(root), debugName: 'first' }] } } },
    },
  });
  try {
    await built;
  } finally {
    if (kept === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = kept;
  }
}
