import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { href, route } from '../app/router.ts';
import type { ScreenProps } from '../app/screen-props.ts';
import type { ScreenEntry } from '../app/screens.ts';
import { loadFurtherMessages, messages } from '../app/messages.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { shownScreen } from './shown-screen.ts';

interface Shown {
  readonly name: string;
  readonly Component?: ComponentType<ScreenProps>;
  readonly hasFailed?: boolean;
}

/** Loads the screen of the address and shows it. After a navigation its heading has the focus. */
export function ScreenOf({ screens }: { readonly screens: readonly ScreenEntry[] }) {
  const { screen: name, rest, query } = route.value;
  const entry = shownScreen(screens, name);
  const key = entry?.name;
  const [shown, setShown] = useState<Shown>();
  const [turn, setTurn] = useState(0);
  const isFirst = useRef(true);
  const title = entry ? messages().screens[entry.name] : messages().common.notFound;
  useEffect(() => {
    if (!entry) return undefined;
    let isCurrent = true;
    const furtherMessages = entry.name === 'files' || entry.name === 'settings' ? undefined : loadFurtherMessages();
    Promise.all([entry.load(), furtherMessages]).then(
      ([{ default: Component }]) => isCurrent && setShown({ name: entry.name, Component }),
      () => isCurrent && setShown({ name: entry.name, hasFailed: true }),
    );
    return () => void (isCurrent = false);
  }, [key, turn]);
  useEffect(() => {
    document.title = `${title} · Cubby`;
  }, [title]);
  useEffect(() => {
    if (!shown || shown.name !== key) return;
    if (!isFirst.current) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
  }, [shown?.name, key]);
  const { common } = messages();
  if (!entry)
    return (
      <Screen title={common.notFound} lead={common.notFoundLead}>
        <a class="button" href={href([])}>
          {common.toFirst}
        </a>
      </Screen>
    );
  if (!shown || shown.name !== key)
    return (
      <Screen title={title}>
        <Skeleton />
      </Screen>
    );
  if (!shown.Component)
    return (
      <Screen title={title}>
        <Empty icon="warning" title={common.notLoaded}>
          <Button onClick={() => setTurn(turn + 1)}>{common.retry}</Button>
        </Empty>
      </Screen>
    );
  return <shown.Component key={key} rest={rest} query={query} />;
}
