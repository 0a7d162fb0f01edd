import { Refusal } from '#server/domain/refusal.ts';

/**
 * The ids that a body names, one as `object` or several as `objects`.
 *
 * @throws INVALID_BODY when it names both, or neither
 */
export function namedObjects({
  object,
  objects,
}: {
  readonly object?: string;
  readonly objects?: readonly string[];
}): readonly string[] {
  if (object !== undefined && objects !== undefined)
    throw new Refusal('INVALID_BODY', { message: 'The body has both `object` and `objects`. Send one of them.' });
  const ids = objects ?? (object === undefined ? undefined : [object]);
  if (!ids)
    throw new Refusal('INVALID_BODY', {
      message:
        'The body has neither `object` nor `objects`. Send the id of one file as `object`, or a list of ids as `objects`.',
    });
  return ids;
}
