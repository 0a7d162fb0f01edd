import '../deploys/deploys.css';

import { listApps } from '#dist/modules/client/index.js';

import { ask } from '../../app/api.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { useResource } from '../../app/use-resource.ts';
import { messages } from '../../app/messages.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AppList } from './app-list.tsx';
import { AppScreen } from './app-screen.tsx';
import { DeployScreen } from '../deploys/deploy-screen.tsx';

/** The applications of the account; one of them; and one deploy of it. */
export default function Deploys({ rest: [appId, part] }: ScreenProps) {
  const text = messages().deploys;
  const apps = useResource((signal) => ask(listApps({ signal })), []);
  const app = apps.data?.apps.find(({ id }) => id === appId);
  if (app && part?.startsWith('dep_')) return <DeployScreen key={part} app={app} deployId={part} />;
  if (app) return <AppScreen key={app.id} app={app} tab={part ?? (app.built_in ? 'errors' : 'deploys')} />;
  return (
    <Screen title={messages().screens.deploys} lead={text.lead}>
      <Loaded resource={apps}>
        {({ apps: found }) =>
          appId === undefined ? <AppList apps={found} /> : <Empty icon="rocket" title={text.noSuchApp} />
        }
      </Loaded>
    </Screen>
  );
}
