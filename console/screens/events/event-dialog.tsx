import type { Event } from '#generated/client/index.js';

import { words } from '../../app/words.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Time } from '../../ui/time.tsx';

/** Shows an event with its data, as webhooks get it. */
export async function openEvent(event: Event): Promise<void> {
  const text = words().events;
  await openDialog((close) => (
    <Dialog
      title={event.type}
      isWide
      onClose={() => close()}
      actions={<Button onClick={() => void copyText(JSON.stringify(event))}>{text.copyPayload}</Button>}
    >
      <dl class="facts">
        <dt>{text.eventId}</dt>
        <dd>
          <code>{event.id}</code>
        </dd>
        <dt>{text.when}</dt>
        <dd>
          <Time at={event.timestamp} />
        </dd>
      </dl>
      <Payload event={event} />
    </Dialog>
  ));
}

export function Payload({ event }: { readonly event: Event }) {
  return (
    <pre class="payload" dir="ltr" tabIndex={0}>
      {JSON.stringify(event, null, 2)}
    </pre>
  );
}
