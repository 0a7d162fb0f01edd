import { extensionOfName } from './file-type.ts';
import { suffixOfForeignKey, type KeySuffix } from './key.ts';
import type { StoredObject } from './object.ts';

/**
 * Returns the suffix of a key whose file was stored before suffixes were kept. The extension and the mark follow from
 * other columns. A text that looks like a hash is treated as one, which is a guess.
 */
export function suffixOfOlderKey({
  space,
  key,
  originalName,
  expiresAt,
}: Pick<StoredObject, 'space' | 'key' | 'originalName' | 'expiresAt'>): KeySuffix {
  const foreign = suffixOfForeignKey(key);
  if (space === 'legacy') return foreign;
  const sent = extensionOfName(originalName ?? '');
  const extension = sent && key.endsWith(`.${sent}`) ? sent : foreign.extension;
  const stem = extension === '' ? key : key.slice(0, -(extension.length + 1));
  const mark = expiresAt === null ? undefined : /-(ex[1-9][0-9]*h?)$/.exec(stem)?.[1];
  const named = mark === undefined ? stem : stem.slice(0, -(mark.length + 1));
  return { hash: /[^/]_([a-z2-7]{16})$/.exec(named)?.[1] ?? null, mark: mark ?? null, extension };
}
