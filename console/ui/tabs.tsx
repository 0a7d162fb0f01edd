import './tabs.css';

import { href } from '../app/router.ts';

/** Links to the parts of a screen, each with an address of its own. */
export function Tabs({
  label,
  current,
  tabs,
}: {
  readonly label: string;
  readonly current: string;
  /** The addresses below `/console/` and the titles. */
  readonly tabs: ReadonlyArray<{ readonly to: readonly string[]; readonly name: string; readonly title: string }>;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ to, name, title }) => (
        <a key={name} href={href(to)} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
