import { Refusal } from './refusal.ts';

/** Returns the refusal of bytes that do not fit onto the disk. */
export function diskRefusal(bytes: number, fitsLess: boolean): Refusal {
  if (!fitsLess) return new Refusal('INSUFFICIENT_STORAGE');
  return new Refusal('INSUFFICIENT_STORAGE', {
    message:
      `The disk of the server has no room for these ${bytes} bytes. Nothing was read or stored. Send a smaller ` +
      'file, or try again when there is room.',
  });
}
