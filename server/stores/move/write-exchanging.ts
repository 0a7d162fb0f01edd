import { RowsConflict } from './refused.ts';

/**
 * Writes a batch of rows. Two of them may exchange a unique value, which works only while neither row is there. So a
 * batch that conflicts is written once more, and then removes its rows first.
 *
 * @param isConflict whether an error says that a unique value is taken
 * @throws {RowsConflict} when it conflicts again
 */
export async function writeExchanging(
  write: (removesFirst: boolean) => Promise<void>,
  isConflict: (error: unknown) => boolean,
): Promise<void> {
  try {
    await write(false);
  } catch (error) {
    if (!isConflict(error)) throw error;
    await write(true).catch((again: unknown) => {
      throw isConflict(again) ? new RowsConflict(again) : again;
    });
  }
}
