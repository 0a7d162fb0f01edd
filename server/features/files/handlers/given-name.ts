import { got } from '#server/domain/error-value.ts';
import type { ObjectAddress } from '#server/domain/object-id.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { cleanFilename } from '#server/http/content-disposition.ts';
import { programEnding } from '../file-type.ts';

/**
 * Checks the name that a file is given. The schema has checked its characters.
 *
 * @throws INVALID_FILENAME if a download would have nothing of it
 * @throws INVALID_BODY if it would be the name of several files
 * @throws BLOCKED_FILE_TYPE for a name of a program, unless the key of the file is one too
 */
export function requireGivenName(
  name: string | null | undefined,
  [file, ...others]: ReadonlyArray<{ readonly address: ObjectAddress }>,
): void {
  if (name === undefined) return;
  if (name !== null && (!name.isWellFormed() || cleanFilename(name) === ''))
    throw new Refusal('INVALID_FILENAME', { detail: `${got(name).slice(0, -1)} for \`original_name\`.` });
  if (others.length > 0)
    throw new Refusal('INVALID_BODY', {
      message: `\`original_name\` is the name of one file. Send one id. Got ${others.length + 1}.`,
    });
  if (name !== null) requireNoOtherProgram(name, file!.address);
}

/** Checks that a file gets no name of a program, unless it has one itself. @throws BLOCKED_FILE_TYPE */
export function requireNoOtherProgram(name: string, { key }: ObjectAddress): void {
  const ending = programEnding(name);
  if (ending !== undefined && programEnding(key) === undefined)
    throw new Refusal('BLOCKED_FILE_TYPE', { detail: got(ending) });
}
