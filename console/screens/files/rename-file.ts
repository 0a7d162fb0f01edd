import { copyObject, updateObjects } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { ApiError } from '../../app/api-error.ts';
import { keyOf } from '../../files/object-id.ts';
import { folderOf } from './object-key.ts';

/** Changes the name of a file that people see. Its id stays. @throws {ApiError} */
export async function giveName(object: string, original_name: string): Promise<void> {
  const { results } = await ask(updateObjects({ body: { object, original_name } }));
  for (const result of results) if (!result.ok) throw new ApiError(200, result.code, result.code);
}

/**
 * Changes the part of a file's key that a person names. Its folder and its extension stay. Returns its new id.
 *
 * @throws {ApiError}
 */
export async function giveKey(source: string, name: string): Promise<string> {
  const prefix = folderOf(keyOf(source));
  const body = { source, destination: { name, ...(prefix !== undefined && { prefix }) }, move: true };
  return (await ask(copyObject({ body }))).id;
}
