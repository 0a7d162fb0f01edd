import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * Lets Node run the TypeScript of this package where it is installed: below `node_modules` Node itself refuses to. The
 * types are replaced by blanks, so lines and columns stay the same.
 */

const root = new URL('../../', import.meta.url).href;

if (root.includes('/node_modules/'))
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith(root) || !url.endsWith('.ts')) return nextLoad(url, context);
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
