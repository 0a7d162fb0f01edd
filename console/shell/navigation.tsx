import { href, route } from '../app/router.ts';
import type { ScreenEntry } from '../app/screens.ts';
import { messages } from '../app/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { shownScreen } from './shown-screen.ts';

/** The links to all screens: at the side of wide windows, in a drawer of narrow ones. */
export function Navigation({ screens }: { readonly screens: readonly ScreenEntry[] }) {
  const { groups, screens: titles, common } = messages();
  const current = shownScreen(screens, route.value.screen)?.name;
  const names = [...new Set(screens.map(({ group }) => group))];
  return (
    <nav class="side" aria-label={common.navigation}>
      {names.map((group) => (
        <div key={group} class="group">
          <h2>{groups[group]}</h2>
          <ul>
            {screens
              .filter((screen) => screen.group === group)
              .map(({ name, icon }) => (
                <li key={name}>
                  <a href={href([name])} aria-current={name === current ? 'page' : undefined}>
                    <Icon name={icon} />
                    {titles[name]}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
