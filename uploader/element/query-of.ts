import type { UploadQuery } from '../options.ts';

/** More of the upload's query than the attributes say, for all files or for each. */
export type MoreQuery = UploadQuery | ((file: File, path: string) => UploadQuery);

/** What the attributes say of where files go. An attribute alone is true, `="false"` is not. */
export function queryOf(element: Element): UploadQuery {
  const prefix = element.getAttribute('prefix');
  const expire = element.getAttribute('expire');
  const isTrue = (name: string) => element.getAttribute(name) !== 'false';
  return {
    ...(prefix !== null && { prefix }),
    ...(expire !== null && { expire }),
    ...(element.hasAttribute('private') && { private: isTrue('private') }),
    ...(element.hasAttribute('overwrite') && { overwrite: isTrue('overwrite') }),
  };
}
