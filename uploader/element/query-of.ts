import type { UploadQuery } from '../options.ts';

/** Query options beyond the attributes, for all files or for each. */
export type MoreQuery = UploadQuery | ((file: File, path: string) => UploadQuery);

/** Reads the upload's query from the attributes. An attribute without a value is true, and `="false"` is false. */
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
