import { nextTurn } from '#server/event-loop.ts';

/** What looks like the end of the frame of a file. */
const ends = /<(?=\s*\/\s*document(?:_content)?\s*>)/gi;

/** How many ends are escaped in one turn of the event loop. Only a hostile text has so many. */
const endsAtOnce = 5000;

/** Escapes what looks like the end of the frame, so that the text of a file cannot end it. */
export async function escapeEnds(text: string): Promise<string> {
  let escaped = '';
  let from = 0;
  let count = 0;
  for (const { index } of text.matchAll(ends)) {
    escaped += `${text.slice(from, index)}&lt;`;
    from = index + 1;
    if (++count % endsAtOnce === 0) await nextTurn();
  }
  return from === 0 ? text : escaped + text.slice(from);
}
