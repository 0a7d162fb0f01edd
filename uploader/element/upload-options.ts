import type { Credential } from '../credentials.ts';
import { objectPlace } from '../object-name.ts';
import type { UploadOptions } from '../options.ts';
import type { Found } from './found-files.ts';
import { queryOf, type MoreQuery } from './query-of.ts';
import { tokenFrom } from './token-url.ts';

/** Two files with three parts each: an account may have six parts under way. */
const partsOfFile = 3;

/** What a page says to the element in scripts. */
interface Said {
  readonly credential: Credential | undefined;
  readonly query: MoreQuery;
  readonly options: Partial<UploadOptions>;
}

/** The options of one file's upload, of what attributes and properties say. */
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
