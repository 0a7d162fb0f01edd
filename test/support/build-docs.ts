import { buildDocs, isFresh } from '#openapi/build/docs.ts';

/** Runs once before all tests: the server shows the documentation only where it is built, as `npm start` sees to. */
export default async function setup(): Promise<void> {
  if (!(await isFresh())) await buildDocs();
}
