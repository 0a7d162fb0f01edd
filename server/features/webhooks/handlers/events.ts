import { parsing } from '#server/http/operation.ts';
import type { WebhooksHandlers } from '#generated/router.ts';
import { findSeenEvent } from '#server/domain/events/find-event.ts';
import { listEvents } from '#server/domain/events/list-events.ts';
import { streamEvents } from '#server/domain/events/stream-events.ts';
import type { EventView } from '#server/domain/events/seen-event.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import { grantsAny } from '#server/domain/access/scope.ts';
import type { Call } from '#server/handlers/call.ts';
import { writtenEvents, type StreamPorts } from './event-stream.ts';
import { OpenStreams } from '#server/handlers/open-streams.ts';
import { webhooksHandlers, type WebhookPorts } from './webhooks.ts';
import { success } from '#server/handlers/wire.ts';
import { wireEvent } from './wire-event.ts';

const standardLimit = 100;

/** Returns the handlers of events. */
export function eventsHandlers(deps: WebhookPorts & StreamPorts): Omit<WebhooksHandlers<Call>, 'listReceiptKeys'> {
  const streams = new OpenStreams(deps);
  return {
    ...webhooksHandlers(deps),
    async getEvent({ path }, { caller }) {
      const which = { accountId: caller.account.id, eventId: path.event_id };
      return success(wireEvent(await findSeenEvent(deps.metadata.read.events, which, viewOf(caller))));
    },

    listEvents: parsing(
      ({ query }) => ({ limit: query.limit ?? standardLimit, cursor: query.cursor }),
      async (page, { caller, eventStream, signal }) => {
        const command = { ...page, ...viewOf(caller), accountId: caller.account.id };
        if (eventStream.isRequested) {
          // A client that connects again sends the same query, and says here how far it has read.
          const cursor = eventStream.lastEventId || page.cursor;
          const body = await streams.open(caller, signal, async (terms) =>
            writtenEvents(await streamEvents(deps, { ...command, cursor, ...terms })),
          );
          return { status: 200 as const, body };
        }
        const { events, cursor, isTruncated } = await listEvents(deps, command);
        return success({ events: events.map(wireEvent), cursor, truncated: isTruncated });
      },
    ),
  };
}

/** Returns what a caller may see of the events of its account. */
function viewOf({ key }: Pick<Caller, 'key'>): EventView {
  return { prefixes: key.prefixes, seesAccount: key.prefixes === null && grantsAny(key.scopes, ['account:read']) };
}
