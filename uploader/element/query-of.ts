import type { UploadQuery } from '../options.ts';
import { isOn } from './attributes.ts';

/** Query options beyond the attributes, for all files or for each. */
export type MoreQuery = UploadQuery | ((file: File, path: string) => UploadQuery);

/**
 * Reads the upload's query from the attributes. What they leave out is for the server, its rules and the token to say.
 */
export function queryOf(element: Element): UploadQuery {
  const prefix = element.getAttribute('prefix');
  const expire = element.getAttribute('expire');
  const keepsExisting = isOn(element, 'keep-existing') || element.getAttribute('overwrite') === 'false';
  return {
    ...(prefix !== null && { prefix }),
    ...(expire !== null && { expire }),
    ...(isOn(element, 'private') && { private: true }),
    ...(keepsExisting && { overwrite: false }),
  };
}
