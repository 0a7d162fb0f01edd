import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

import type { MenuItem } from './menu.ts';
import { developmentModule } from './dev-dependencies.ts';
import { withPolicy } from './page-policy.ts';
import type { Page } from './pages/page.ts';
import { withTabs } from './pages/tabs.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, '../site');

/** Returns whether the generator is installed. */
export function hasGenerator(): boolean {
  return developmentModule('vitepress/package.json') !== undefined;
}

/** Writes a text, and the folders above it. */
export async function writeDeep(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/**
 * Renders pages with VitePress into a new folder, with a policy in each page.
 *
 * @param beside a folder on the same file system, within the repository, so that the generator finds its packages
 */
export async function renderSite(pages: readonly Page[], menu: readonly MenuItem[], beside: string): Promise<string> {
  const work = await mkdtemp(join(beside, 'site-'));
  try {
    const importOf = (name: string) => JSON.stringify(relative(join(work, '.vitepress'), join(source, name)));
    await writeDeep(
      join(work, '.vitepress/config.ts'),
      `import { siteConfig } from ${importOf('config.ts')};\nexport default siteConfig(${JSON.stringify(work)});\n`,
    );
    await writeDeep(
      join(work, '.vitepress/theme/index.ts'),
      `export { default } from ${JSON.stringify(relative(join(work, '.vitepress/theme'), join(source, 'theme/index.ts')))};\n`,
    );
    await writeFile(join(work, 'menu.json'), JSON.stringify(menu));
    for (const page of pages) await writeDeep(join(work, 'pages', `${page.path}.md`), forGenerator(page));
    const manifest = developmentModule('vitepress/package.json')!;
    // The tests' own settings must not reach the generator.
    const { NODE_ENV: _mode, VITEST: _vitest, ...env } = process.env;
    await run(process.execPath, [join(dirname(manifest), 'bin/vitepress.js'), 'build', work], {
      cwd: work,
      env,
      maxBuffer: 16 * 1024 * 1024,
    }).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new Error(`VitePress failed:\n${error.stdout ?? ''}\n${error.stderr ?? ''}`, { cause: error });
    });
    const out = await mkdtemp(join(beside, 'rendered-'));
    await rename(join(work, 'out'), join(out, 'site'));
    await addPolicies(join(out, 'site'));
    return out;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Absolute addresses get the site's own prefix from the generator. */
function forGenerator({ path, markdown, source: file }: Page): string {
  const settled = withSettings(withDiagrams(markdown));
  // Pages of the reference have their own tabs.
  const linked = (file === undefined ? settled : withTabs(settled)).replaceAll(
    /\]\(\/docs\/([^)\s]*)\)/g,
    (_whole, to: string) =>
      // Pages of other makers are loaded anew, not by the generator's router.
      /^(redoc|contract|upload-demo)|\.(json|yaml|txt)$/.test(to) ? `](/${to}){:target="_self"}` : `](/${to})`,
  );
  return frontMatter(path) + linked;
}

/** Returns what the generator needs to know of a page beside its text. */
function frontMatter(path: string): string {
  if (path === 's3-errors') return '---\npageClass: long-names\n---\n\n';
  // The menu leaves these out, and the generator would let them lead to its first page.
  return path.startsWith('errors/') || path === 'guides' ? '---\nprev: false\nnext: false\n---\n\n' : '';
}

/** A guide that needs the reader's key asks for it at that place. Pages of the reference do so at their top. */
function withSettings(markdown: string): string {
  const settings = '```cubby:settings\n```\n';
  if (markdown.includes(settings)) return markdown;
  return markdown.replace(/^```sh\n(?=(?:(?!^```$)[^])*YOUR_KEY)/m, (fence) => `${settings}\n${fence}`);
}

/** Diagrams stand in the page itself, so that they follow its colors and can be read aloud. */
function withDiagrams(markdown: string): string {
  return markdown.replaceAll(
    /^!\[[^\]]*\]\((?:\.\.\/)*diagrams\/([\w-]+)\.svg\)$/gm,
    (_whole, name: string) => `\`\`\`cubby:diagram ${name}\n\`\`\``,
  );
}

async function addPolicies(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!entry.endsWith('.html')) continue;
    const file = join(folder, entry);
    await writeFile(file, withPolicy(await readFile(file, 'utf8')));
  }
}
