import type { ComponentChildren } from 'preact';

/** A card with one figure. */
export function Figure({
  label,
  value,
  note,
}: {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
}) {
  return (
    <section class="card">
      <h2>{label}</h2>
      <p class="figure">{value}</p>
      {note !== undefined && <p class="hint">{note}</p>}
    </section>
  );
}
