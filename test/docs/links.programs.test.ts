import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { anchorOf } from '#openapi/build/pages/guides.ts';

const root = join(import.meta.dirname, '../..');
const site = join(root, 'dist/docs');

/** Without code, in which brackets are no links. */
function prose(markdown: string): string {
  return markdown.replaceAll(/^( *)(```+|~~~+)[^]*?^\1\2$/gm, '').replaceAll(/`[^`\n]*`/g, 'code');
}

interface Link {
  readonly path: string;
  readonly anchor?: string;
}

/** The links and images of a Markdown file that name no other host. */
function linksOf(markdown: string): Link[] {
  const found = [
    ...prose(markdown).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)|<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]+)"/gm),
  ].map(([, inline, reference, html]) => inline ?? reference ?? html!);
  return found
    .filter((href) => !/^[a-z]+:/.test(href))
    .map((href) => {
      const [path = '', anchor] = href.split('#');
      return { path, ...(anchor !== undefined && { anchor }) };
    });
}

/** The anchors that a git host gives to a Markdown file: its headings, and those that it names itself. */
function anchorsOf(markdown: string): Set<string> {
  const text = markdown.replaceAll(/^( *)(```+|~~~+)[^]*?^\1\2$/gm, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    anchorOf(heading!.replaceAll(/<[^>]+>|`|\[([^\]]*)\]\([^)]*\)/g, '$1')),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)]);
}

/** Returns the links of a file that lead nowhere. */
function lostLinks(folder: string, file: string): string[] {
  const markdown = readFileSync(join(folder, file), 'utf8');
  return linksOf(markdown)
    .filter(({ path, anchor }) => {
      const target = path === '' ? file : normalize(join(dirname(file), path));
      const full = join(folder, target);
      if (path.startsWith('/') || target.startsWith('..') || !existsSync(full)) return true;
      if (anchor === undefined || statSync(full).isDirectory() || !target.endsWith('.md')) return false;
      return !anchorsOf(readFileSync(full, 'utf8')).has(anchor);
    })
    .map(({ path, anchor }) => `${file}: ${path}${anchor === undefined ? '' : `#${anchor}`}`);
}

describe('links', () => {
  const files = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules/**', '{dist,coverage}/**'] });

  it('of every Markdown file lead to files of the repository, and to headings in them', () => {
    expect(files).toContain('README.md');
    expect(files).toContain('docs/start/page.md');
    expect(files.flatMap((file) => lostLinks(root, file))).toEqual([]);
  });

  it('of the package lead to files in it, but for four that only a clone has', async () => {
    const packing = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = await promisify(execFile)('npm', packing, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    const packed: string[] = JSON.parse(stdout)[0].files.map(({ path }: { readonly path: string }) => path);
    const pages = packed.filter((path) => /^(?!dist\/).*\.md$/.test(path));
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/installing.md', 'deploy/README.md']));
    const targets = pages.flatMap((page) =>
      linksOf(readFileSync(join(root, page), 'utf8')).map(({ path }) =>
        path === '' ? page : normalize(join(dirname(page), path)),
      ),
    );
    const isPacked = (target: string) => packed.some((path) => path === target || path.startsWith(join(target, '/')));
    const lost = new Set(targets.filter((target) => !isPacked(target)));
    expect([...lost].toSorted()).toEqual([
      'CONTRIBUTING.md',
      'DECISIONS.md',
      'bench/README.md',
      'test/faults/REPORT.md',
    ]);
  });

  it('of the guides lead to pages of the site, not to text without a link', () => {
    const hrefs = (page: string) =>
      [...readFileSync(join(site, page), 'utf8').matchAll(/\shref="([^"]+)"/g)].map(([, href]) =>
        new URL(href!, `http://any/docs/${page}`).href.slice('http://any'.length),
      );
    expect(hrefs('index.html')).toEqual(
      expect.arrayContaining(
        ['reference', 'errors', 'limits', 'scopes', 'openapi.yaml', 'upload-demo'].map((name) => `/docs/${name}`),
      ),
    );
    expect(hrefs('start/chat.html')).toEqual(expect.arrayContaining(['/docs/errors#ai', '/docs/limits#ai-gateway']));
  });

  it('of every page that is served as Markdown lead to others', () => {
    const pages = globSync('**/*.md', { cwd: site });
    expect(pages.length).toBeGreaterThan(150);
    const lost = pages.flatMap((page) =>
      linksOf(readFileSync(join(site, page), 'utf8')).flatMap(({ path }) => {
        const target = path.startsWith('/docs/')
          ? join(site, path.slice('/docs/'.length))
          : join(site, dirname(page), path);
        return path === '' || existsSync(target) || existsSync(`${target}.html`) ? [] : [`${page}: ${path}`];
      }),
    );
    expect(lost).toEqual([]);
  });
});
