import './chat.css';

import { messages } from '../../app/messages.ts';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AiUsage } from './history.tsx';
import { Playground } from './playground.tsx';
import { AiRequests } from './requests.tsx';

/** Models: a place to try them, what they were used for, and the list of requests. */
export default function Ai({ rest: [part = 'try'] }: { readonly rest: readonly string[] }) {
  const { chat, screens } = messages();
  return (
    <Screen title={screens.ai} lead={chat.lead}>
      <Tabs
        label={screens.ai}
        current={part}
        tabs={[
          { name: 'try', to: ['ai'], title: chat.tabTry },
          { name: 'usage', to: ['ai', 'usage'], title: chat.tabUsage },
          { name: 'requests', to: ['ai', 'requests'], title: chat.tabRequests },
        ]}
      />
      {part === 'usage' ? <AiUsage /> : part === 'requests' ? <AiRequests /> : <Playground />}
    </Screen>
  );
}
