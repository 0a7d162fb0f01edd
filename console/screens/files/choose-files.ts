import { offerFound } from './offer-found.ts';
import type { Place } from './place.ts';

/** Lets the person choose files, and uploads them into a folder. */
export function chooseFiles(place: Place): void {
  choose(place, (input) => (input.multiple = true));
}

/** Lets the person choose a folder, and uploads all that is in it. */
export function chooseFolder(place: Place): void {
  choose(place, (input) => (input.webkitdirectory = true));
}

function choose(place: Place, prepare: (input: HTMLInputElement) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  prepare(input);
  input.addEventListener('change', () =>
    offerFound(
      place,
      Array.from(input.files ?? [], (file) => ({ file, path: file.webkitRelativePath || file.name })),
    ),
  );
  input.click();
}
