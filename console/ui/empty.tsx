import type { ComponentChildren } from 'preact';

import { Icon, type IconName } from './icon.tsx';

/** What a list shows that has nothing in it: what would be here, and how to begin. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} size={40} />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
