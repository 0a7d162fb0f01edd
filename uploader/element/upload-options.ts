import type { Credential } from '../credentials.ts';
import { objectPlace } from '../object-name.ts';
import type { UploadOptions } from '../options.ts';
import type { Found } from './found-files.ts';
import { queryOf, type MoreQuery } from './query-of.ts';
import { tokenFrom } from './token-url.ts';

/** Two files with three parts each make six, the server's limit for an account. */
const partsOfFile = 3;

/** The properties that a page sets in scripts. */
interface Said {
  readonly credential: Credential | undefined;
  readonly query: MoreQuery;
  readonly options: Partial<UploadOptions>;
}

/** Builds the upload options of one file from attributes and properties. */
export function uploadOptionsOf(element: HTMLElement & Said, { file, path }: Found, isFlat: boolean): UploadOptions {
  const query = {
    ...queryOf(element),
    ...(typeof element.query === 'function' ? element.query(file, path) : element.query),
  };
  const { prefix, ...others } = query;
  const said = (name: string) => element.getAttribute(name);
  return {
    concurrency: partsOfFile,
    ...(said('base-url') !== null && { baseUrl: said('base-url')! }),
    ...(said('resume-scope') !== null && { resumeScope: said('resume-scope')! }),
    ...element.options,
    credential: element.credential ?? tokenFrom(said('token-url')),
    query: path.includes('/') ? { ...objectPlace(path, prefix, isFlat), ...others } : query,
  };
}
