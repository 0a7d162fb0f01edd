import type { Pages } from '../app/use-pages.ts';
import { messages } from '../app/messages.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

/** The end of a list that is read page by page: a button for more, or what went wrong. */
export function More<T>({ pages }: { readonly pages: Pages<T> }) {
  return (
    <>
      {pages.error !== undefined && <Problem error={pages.error} onRetry={pages.reload} />}
      {pages.hasMore && (
        <div class="more">
          <Button onClick={pages.more} isBusy={pages.isLoading}>
            {messages().common.more}
          </Button>
        </div>
      )}
    </>
  );
}
