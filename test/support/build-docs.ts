import { buildConsole, isConsoleFresh } from '#console/build/build.ts';
import { buildDocs, isFresh } from '#openapi/build/docs.ts';
import { ensureModules } from '#openapi/build/modules.ts';

/**
 * Runs once before all tests. Builds the modules that tests import as programs of others do. Builds the documentation
 * and the console, as `npm start` does, because the server shows only built pages.
 */
export default async function setup(): Promise<void> {
  await ensureModules();
  if (!(await isFresh())) await buildDocs();
  if (!(await isConsoleFresh())) await buildConsole();
}
