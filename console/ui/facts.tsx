import type { ComponentChildren } from 'preact';

/** A name and what it stands for. */
type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** A list of facts. Those without a value are left out, and so are rows that a condition made `false`. */
export function Facts({ rows }: { readonly rows: ReadonlyArray<Fact | false | null> }) {
  return (
    <dl class="facts">
      {rows.map((row) => {
        if (!row || row[1] === undefined || row[1] === null || row[1] === false) return null;
        return (
          <>
            <dt>{row[0]}</dt>
            <dd>{row[1]}</dd>
          </>
        );
      })}
    </dl>
  );
}
