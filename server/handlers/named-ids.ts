import { Refusal } from '#server/domain/refusal.ts';

interface Names {
  /** The field of one id. That of a list has an `s` behind it. */
  readonly field: string;
  /** What has such an id. */
  readonly noun: string;
}

/**
 * Returns the ids that a body names in one of two fields.
 *
 * @throws INVALID_BODY unless exactly one of the fields is there
 */
export function namedIds(
  one: string | undefined,
  many: readonly string[] | undefined,
  { field, noun }: Names,
): readonly string[] {
  if (one !== undefined && many !== undefined)
    throw new Refusal('INVALID_BODY', {
      message: `The body has both \`${field}\` and \`${field}s\`. Send one of them.`,
    });
  if (many) return many;
  if (one !== undefined) return [one];
  throw new Refusal('INVALID_BODY', {
    message:
      `The body has neither \`${field}\` nor \`${field}s\`. ` +
      `Send the id of one ${noun} as \`${field}\`, or a list of ids as \`${field}s\`.`,
  });
}
