import { buildConsole, isConsoleFresh } from '#console/build/build.ts';
import { buildDocs, isFresh } from '#openapi/build/docs.ts';

/**
 * Runs once before all tests. Builds the documentation and the console, as `npm start` does, because the
 * server shows only built pages.
 */
export default async function setup(): Promise<void> {
  if (!(await isFresh())) await buildDocs();
  if (!(await isConsoleFresh())) await buildConsole();
}
