import type { WebhookDelivery } from '#dist/modules/client/index.js';

import { hasAllScopes } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { formatNumber } from '../../format.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { hrefOfEvent } from './event-dialog.tsx';
import { Payload } from './payload.tsx';
import { replayOne } from './replay.tsx';
import { useEvent } from './use-event.ts';

/** Shows a delivery with its payload. Resolves to true if it was sent again. */
export function openDelivery(id: string, delivery: WebhookDelivery): Promise<boolean | undefined> {
  return openDialog<boolean>((close) => <DeliveryDialog id={id} delivery={delivery} close={close} />);
}

function DeliveryDialog({
  id,
  delivery,
  close,
}: {
  readonly id: string;
  readonly delivery: WebhookDelivery;
  readonly close: (isReplayed?: boolean) => void;
}) {
  const text = messages().webhooks;
  const event = useEvent(delivery.event);
  return (
    <Dialog
      title={delivery.type}
      isWide
      onClose={() => close()}
      actions={
        hasAllScopes('blob:read', 'blob:write') && (
          <ActionButton
            icon="refresh"
            run={async () => {
              await replayOne(id, delivery.event);
              close(true);
            }}
          >
            {text.sendAgain}
          </ActionButton>
        )
      }
    >
      <Facts
        rows={[
          [
            text.eventId,
            <a href={hrefOfEvent(delivery.event)} onClick={() => close()}>
              <code>{delivery.event}</code>
            </a>,
          ],
          [text.when, <Time at={delivery.timestamp} />],
          [text.state, <DeliveryState delivery={delivery} />],
          [text.attempts, formatNumber(delivery.attempts)],
          [text.lastAttempt, delivery.attempted_at !== null && <Time at={delivery.attempted_at} />],
          [text.nextAttempt, delivery.next_attempt_at !== null && <Time at={delivery.next_attempt_at} />],
          [text.response, delivery.status],
          [text.responseTime, delivery.duration_ms !== null && text.milliseconds(formatNumber(delivery.duration_ms))],
          [text.error, delivery.error !== null && <span class="problem-text">{delivery.error}</span>],
        ]}
      />
      <h3>{text.payload}</h3>
      <Payload event={event} />
    </Dialog>
  );
}
