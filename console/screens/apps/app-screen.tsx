import type { App } from '#dist/modules/client/index.js';

import { href } from '../../app/router.ts';
import { messages } from '../../app/messages.ts';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { appParts } from './app-parts.ts';

/** One application, with what features show of it. */
export function AppScreen({ app, tab }: { readonly app: App; readonly tab: string | undefined }) {
  const text = messages().apps;
  const appId = app.id;
  const parts = appParts();
  const first = parts.find(({ opensBuiltIn }) => app.built_in && opensBuiltIn) ?? parts[0];
  const shown = parts.find(({ name }) => name === tab) ?? first;
  return (
    <Screen
      title={<bdi>{app.built_in ? text.builtIn : app.name}</bdi>}
      lead={
        <>
          <a href={href(['deploys'])}>{messages().screens.deploys}</a> · <code>{appId}</code>
        </>
      }
    >
      {shown && (
        <>
          <Tabs
            label={text.parts}
            current={shown.name}
            tabs={parts.map(({ name, title }) => ({ name, title: title(), to: ['deploys', appId, name] }))}
          />
          <shown.Content appId={appId} />
        </>
      )}
    </Screen>
  );
}
