import { isLost, retryNow } from '../app/connection.ts';
import { messages } from '../app/messages.ts';
import { Button } from '../ui/button.tsx';

/** Says that the server cannot be reached, with a way to try again. */
export function LostBanner() {
  if (!isLost.value) return null;
  return (
    <div class="lost" role="alert">
      <span>{messages().common.lost}</span>
      <Button onClick={retryNow}>{messages().common.retry}</Button>
    </div>
  );
}
