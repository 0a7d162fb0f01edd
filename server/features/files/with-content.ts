import type { Reads } from '#server/domain/ports/metadata.ts';
import type { Content } from '#server/domain/contents/table.ts';
import type { StoredObject } from './object.ts';

/** A file that is replaced between two reads is looked up again. More failures than this are not chance. */
const maxTries = 5;

/**
 * Finds a file together with its content.
 *
 * @param find looks the file up again at each call, and throws if it is not there
 */
export async function withContent<Found extends { readonly object: StoredObject }>(
  { metadata }: { readonly metadata: Reads<'contents'> },
  find: () => Promise<Found>,
): Promise<Found & { readonly content: Content }> {
  for (let tries = 1; ; tries++) {
    const found = await find();
    const content = await metadata.read.contents.find(found.object.contentId);
    if (content) return { ...found, content };
    const { accountId, key } = found.object;
    if (tries === maxTries) throw new Error(`The row of ${accountId}/${key} points to a content that is not there.`);
  }
}
