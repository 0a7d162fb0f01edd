/** Links to the parts of a screen. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  readonly label: string;
  /** The name, the title and the address of each. */
  readonly tabs: ReadonlyArray<readonly [name: string, title: string, address: string]>;
  readonly current: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, title, address]) => (
        <a key={name} href={address} aria-current={name === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
