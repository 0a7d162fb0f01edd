import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');
const demo = join(root, 'uploader/demo');

/** Copies the demo of the uploader with the modules that the package exports. */
export async function copyDemo(folder: string): Promise<void> {
  for (const name of ['uploader', 'client']) {
    await cp(join(root, 'dist/modules', name), join(folder, 'modules', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.d.ts'),
    });
  }
  await copyFile(join(demo, 'upload-demo.css'), join(folder, 'upload-demo.css'));
  const page = await readFile(join(demo, 'upload-demo.html'), 'utf8');
  await writeFile(join(folder, 'upload-demo.html'), await withPreloads(page, folder));
}

/** Names every module of a page in its head. Otherwise each level of imports would wait for the one above it. */
async function withPreloads(page: string, folder: string): Promise<string> {
  const script = /<script type="module" src="([^"]+)"><\/script>/;
  const [, entry] = script.exec(page) ?? [];
  if (entry === undefined)
    throw new Error('uploader/demo/upload-demo.html has no module script, whose imports are preloaded.');
  const modules = new Set([entry]);
  // A set goes on with what is added while it is read.
  for (const path of modules) {
    const text = await readFile(join(folder, path), 'utf8');
    for (const [, name] of text.matchAll(/(?:^|\s)(?:import|from)\s*['"](\.[^'"]+)['"]/g))
      modules.add(posix.join(posix.dirname(path), name!));
  }
  modules.delete(entry);
  const links = [...modules].map((path) => `<link rel="modulepreload" href="${path}">`).join('\n  ');
  return page.replace(script, (tag) => `${links}\n  ${tag}`);
}
