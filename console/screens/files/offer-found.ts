import { toastError } from '../../ui/toasts.tsx';
import type { Place } from './place.ts';
import type { FoundFile } from './uploads.ts';

/** Uploads what a person chose or dropped. The question about names that are taken is loaded with the first upload. */
export function offerFound(place: Place, found: readonly FoundFile[]): void {
  import('./offer-uploads.tsx').then(({ offerUploads }) => offerUploads(place, found)).catch(toastError);
}
