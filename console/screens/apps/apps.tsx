import './apps.css';

import { listApps } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AppList } from './app-list.tsx';
import { appParts } from './app-parts.ts';
import { AppScreen } from './app-screen.tsx';

/** The applications of the account; one of them; and one thing of it, such as a deploy. */
export default function Apps({ rest: [appId, part] }: ScreenProps) {
  const apps = useResource((signal) => ask(listApps({ signal })), []);
  const app = apps.data?.apps.find(({ id }) => id === appId);
  const item = appParts().find((one) => one.item && part?.startsWith(one.item.prefix))?.item;
  if (app && part !== undefined && item) return <item.Content key={part} app={app} id={part} />;
  if (app) return <AppScreen key={app.id} app={app} tab={part} />;
  const lead = appParts().flatMap((one) => one.lead?.() ?? []);
  return (
    <Screen title={messages().screens.deploys} lead={lead.join(' ')}>
      <Loaded resource={apps}>
        {({ apps: found }) =>
          appId === undefined ? <AppList apps={found} /> : <Empty icon="rocket" title={messages().apps.noSuchApp} />
        }
      </Loaded>
    </Screen>
  );
}
