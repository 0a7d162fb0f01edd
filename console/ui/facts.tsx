import type { ComponentChildren } from 'preact';

/** A list of names and what they stand for. Rows without a value are left out. */
export function Facts({ rows }: { readonly rows: ReadonlyArray<readonly [name: string, value: ComponentChildren]> }) {
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd key={`${name}:`}>{value}</dd>
          </>
        ))}
    </dl>
  );
}
