import type { Event } from '#dist/modules/client/index.js';

import type { Resource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Loaded } from '../../ui/loaded.tsx';

/** An event as webhooks get it, or why it is not shown. */
export function Payload({ event }: { readonly event: Resource<Event | null> }) {
  return (
    <Loaded resource={event} lines={4}>
      {(found) =>
        found ? (
          <pre class="payload" dir="ltr" tabIndex={0}>
            {JSON.stringify(found, null, 2)}
          </pre>
        ) : (
          <p class="hint">{messages().webhooks.payloadGone}</p>
        )
      }
    </Loaded>
  );
}
