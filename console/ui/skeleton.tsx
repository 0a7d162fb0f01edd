import { words } from '../app/words.ts';

/** Grey lines in the place of what is loading. */
export function Skeleton({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={words().common.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
