import './usage.css';

import { getStats } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import { hasScope } from '../../app/session-state.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AiLimits } from '../chat/limits.tsx';
import { StorageFigures } from './figures.tsx';
import { StorageHistory } from './history.tsx';

/** What the account stores, what that costs, and how both went over time. */
export default function Usage() {
  const { usage, screens } = messages();
  const stats = useResource((signal) => ask(getStats({ signal })), []);
  return (
    <Screen title={screens.usage} lead={usage.lead}>
      <Loaded resource={stats}>{(data) => <StorageFigures stats={data} />}</Loaded>
      {/* It loads at once, but shows later: the figures above would push it down. */}
      <div class="usage-below" hidden={stats.data === undefined && stats.error === undefined}>
        <StorageHistory />
        {hasScope('ai:chat') && (
          <section class="card usage-ai" aria-labelledby="usage-ai">
            <h2 id="usage-ai">{usage.ai}</h2>
            <AiLimits turn={0} />
          </section>
        )}
      </div>
    </Screen>
  );
}
