import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin, Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk & { readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } };

/**
 * Puts `early.ts` before every other script of the page, with the names of the files that each screen and language
 * needs. It is a script of its own that waits for no module.
 */
export function earlyScript(root: string): Plugin {
  return {
    name: 'cubby:early',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build of the console has no index.html.');
        const code = `{const builtFiles=${JSON.stringify(filesOf(bundle, root))};${await bundledAlone(root)}}`;
        const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
        const fileName = `assets/early-${hash}.js`;
        this.emitFile({ type: 'asset', fileName, source: code });
        const html = String(page.source);
        // A script after a stylesheet would wait for it.
        const at = html.indexOf('<script type="module"');
        page.source = `${html.slice(0, at)}<script src="/console/${fileName}"></script>\n    ${html.slice(at)}`;
      },
    },
  };
}

async function bundledAlone(root: string): Promise<string> {
  const { build } = await import('vite');
  const [built] = (await build({
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, 'console/early/early.ts'), formats: ['iife'], name: 'unused' },
    },
  })) as Rolldown.RolldownOutput[];
  return built!.output[0].code;
}

/** Returns what `early.ts` calls `builtFiles`. */
function filesOf(bundle: Bundle, root: string) {
  const chunks = Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk');
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => neededBy(chunk, bundle)));
  const files: string[] = [];
  const placesOf = (chunk: Chunk) =>
    neededBy(chunk, bundle)
      .filter((name) => !first.has(name))
      .map((name) => {
        if (!files.includes(name)) files.push(name);
        return files.indexOf(name);
      });
  const places = (pattern: RegExp) =>
    Object.fromEntries(
      chunks.flatMap((chunk) => {
        const [, name] = pattern.exec(chunk.facadeModuleId ?? '') ?? [];
        return name === undefined ? [] : [[name, placesOf(chunk)] as const];
      }),
    );
  // The name of a screen, which is its address, may differ from that of its folder.
  const list = readFileSync(join(root, 'console/app/screens.ts'), 'utf8');
  const screens = Object.fromEntries(
    [...list.matchAll(/name: '(\w+)',[^}]*?import\('\.\.(\/screens\/[^']+)'\)/g)].map(([, name, path]) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/console${path}`));
      if (!chunk) throw new Error(`The build of the console has no chunk of ${path}.`);
      return [name, placesOf(chunk)];
    }),
  );
  const messages = places(/\/console\/messages\/(\w+)\.ts$/);
  const furtherMessages = places(/\/console\/messages\/(\w+)\/further\.ts$/);
  for (const [what, found] of Object.entries({ screens, messages, furtherMessages }))
    if (Object.keys(found).length < 2) throw new Error(`The build of the console has no chunks of ${what}.`);
  return { files: files.map((name) => name.replace('assets/', '')), screens, messages, furtherMessages };
}

/** Returns the files that a chunk needs before it runs: itself, what it imports, and their styles. */
function neededBy(chunk: Chunk, bundle: Bundle): string[] {
  const names = new Set([chunk.fileName]);
  for (const name of names) {
    const one = bundle[name] as Chunk;
    if (one.type !== 'chunk') continue;
    for (const imported of one.imports) names.add(imported);
    for (const style of one.viteMetadata?.importedCss ?? []) names.add(style);
  }
  return [...names];
}
