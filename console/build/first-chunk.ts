import { join } from 'node:path';

/** What the bundler tells about a module. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Returns a function that puts all modules before the first list of files into one chunk, except those of the screen
 * itself. Otherwise those that other screens share would be two dozen files, and a browser requests six at a time.
 */
export function firstChunk(root: string): (id: string, modules: Modules) => string | null {
  const main = join(root, 'console/main.tsx');
  const screen = join(root, 'console/screens/files');
  let first: ReadonlySet<string> | undefined;
  return (id, modules) => {
    first ??= reachable([main, join(screen, 'files.tsx')], modules);
    const isOwn = id === main || id.startsWith(screen) || id.endsWith('.css');
    return first.has(id) && !isOwn ? 'first' : null;
  };
}

/** Returns the modules that are imported without `import()`, directly or by others. */
function reachable(entries: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(entries);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
