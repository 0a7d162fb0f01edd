import { messages } from '../app/messages.ts';

/** Grey lines in the place of what is loading. */
export function Skeleton({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={messages().common.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
