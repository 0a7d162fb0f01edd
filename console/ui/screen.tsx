import type { ComponentChildren } from 'preact';

/** The frame of a screen: its heading, which gets the focus after a navigation, its actions and its content. */
export function Screen({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <>
      <header class="screen-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}
