import { href } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { Payload } from './payload.tsx';
import { useEvent } from './use-event.ts';

/** The address of an event within the console. */
export function hrefOfEvent(id: string): string {
  return href(['events', 'latest', id]);
}

/** Shows an event with its data, as webhooks get it. The address of the page names it. */
export function EventDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const text = messages().webhooks;
  const event = useEvent(id);
  const found = event.data;
  return (
    <Dialog
      title={found?.type ?? text.type}
      isWide
      onClose={close}
      actions={
        found && (
          <>
            <Button icon="link" onClick={() => void copyText(location.origin + hrefOfEvent(id))}>
              {text.copyLink}
            </Button>
            <Button onClick={() => void copyText(JSON.stringify(found))}>{text.copyPayload}</Button>
          </>
        )
      }
    >
      <Facts
        rows={[
          [text.eventId, <code>{id}</code>],
          [text.when, found && <Time at={found.timestamp} />],
        ]}
      />
      <Payload event={event} />
    </Dialog>
  );
}
