import './webhooks.css';

import type { ScreenProps } from '../../app/screen-props.ts';
import { href, navigate } from '../../app/router.ts';
import { hasScope } from '../../app/session-state.ts';
import { messages } from '../../app/messages.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EventDialog } from './event-dialog.tsx';
import { LatestEvents } from './latest-events.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookScreen } from './webhook-screen.tsx';

/** The webhooks of the account, one of them, and the latest events, over which one of them may be open. */
export default function Events({ rest: [part, event] }: ScreenProps) {
  const text = messages().webhooks;
  if (part !== undefined && part !== 'latest') return <WebhookScreen key={part} id={part} />;
  const isLatest = part === 'latest';
  return (
    <Screen title={messages().screens.events} lead={text.lead}>
      <Tabs
        label={text.parts}
        current={isLatest ? 'latest' : 'webhooks'}
        tabs={[
          { name: 'webhooks', title: messages().screens.events, to: ['events'] },
          ...(hasScope('blob:read', 'account:read')
            ? [{ name: 'latest', title: text.latest, to: ['events', 'latest'] }]
            : []),
        ]}
      />
      {isLatest ? <LatestEvents /> : <WebhookList />}
      {isLatest && event !== undefined && (
        <EventDialog key={event} id={event} close={() => navigate(href(['events', 'latest']))} />
      )}
    </Screen>
  );
}
