import { BodyError } from './body-error.ts';
import { bodyTurn } from './body-turn.ts';
import { JsonPicker } from './pick-json.ts';

/** Bytes to read in one turn of the event loop: some tenths of a millisecond. */
const pieceBytes = 65_536;

/**
 * Returns the position of the first byte that is not valid JSON, or the text's length if it ends too soon. Returns
 * undefined for valid JSON. It creates no values, and other requests are served in between.
 */
export async function firstFault(bytes: Buffer): Promise<number | undefined> {
  const picker = new JsonPicker({ names: new Set(), maxDepth: Infinity, maxValues: Infinity });
  try {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      if (from > 0) await bodyTurn();
      picker.write(bytes.subarray(from, from + pieceBytes));
    }
    picker.end();
    return undefined;
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return picker.at;
  }
}
