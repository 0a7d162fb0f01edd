import type { SchemaPart, SchemaTable } from './schema-tables.ts';

const [boxWidth, columnGap, rowHeight, headHeight, boxGap, margin] = [220, 60, 20, 30, 22, 24];
const columnCount = 3;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly part: SchemaPart;
}

/**
 * Draws the tables, a box for each part, and the rows that refer to others. Almost all refer to accounts: a dot says
 * so.
 */
export function tablesPicture(parts: readonly SchemaPart[]): string {
  const heights = Array.from({ length: columnCount }, () => margin);
  const places = new Map<string, Place>();
  const boxes = parts.map((part) => {
    const column = heights.indexOf(Math.min(...heights));
    const x = margin + column * (boxWidth + columnGap);
    const y = heights[column]!;
    const height = headHeight + part.tables.length * rowHeight + 8;
    heights[column] = y + height + boxGap;
    part.tables.forEach((table, at) => places.set(table.name, { x, y: y + headHeight + (at + 0.5) * rowHeight, part }));
    const rows = part.tables.map((table, at) => row(table, x, y + headHeight + (at + 0.7) * rowHeight));
    return `<rect class="box" x="${x}" y="${y}" width="${boxWidth}" height="${height}" rx="8"/>
<text class="note" x="${x + 12}" y="${y + 20}">${part.name}</text>
${rows.join('\n')}`;
  });
  const lines = [...places].flatMap(([name, place]) => {
    const { columns } = place.part.tables.find((table) => table.name === name)!;
    const others = new Set(columns.flatMap(({ refersTo }) => refersTo ?? []));
    return [...others].filter((other) => other !== 'accounts').map((other) => line(place, places.get(other)!));
  });
  const [width, height] = [2 * margin + columnCount * boxWidth + (columnCount - 1) * columnGap, Math.max(...heights)];
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-labelledby="tables-title tables-desc">
<title id="tables-title">The tables and their relations</title>
<desc id="tables-desc">Each box is a part of the schema with its tables. \
An arrow leads from a table to the one that its rows refer to. A dot stands for a reference to accounts.</desc>
<style>
text{font:14px system-ui,sans-serif;fill:#1d2529}
.note{font-size:12px;fill:#45525a}
.box{fill:#f3f5f6;stroke:#74858e}
.line{fill:none;stroke:#526069;stroke-width:1.5}
.head{fill:#526069}
@media(prefers-color-scheme:dark){text{fill:#ecf0f2}.note{fill:#c3ced3}\
.box{fill:#1b2226;stroke:#71838c}.line{stroke:#a9b7be}.head{fill:#a9b7be}}
</style>
<defs><marker id="tables-head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" \
orient="auto-start-reverse"><path class="head" d="M0 0 10 5 0 10Z"/></marker></defs>
${boxes.join('\n')}
${lines.join('\n')}
</svg>
`;
}

function row({ name, columns }: SchemaTable, x: number, y: number): string {
  const isOfAccount = columns.some(({ refersTo }) => refersTo === 'accounts');
  const dot = isOfAccount ? `<circle class="head" cx="${x + 18}" cy="${y - 5}" r="3"/>` : '';
  return `${dot}<text x="${x + 28}" y="${y}">${name}</text>`;
}

/** An arrow within a column passes on its right side, and one between columns takes the gap. */
function line(from: Place, to: Place): string {
  const isRightOf = from.x > to.x;
  const start = isRightOf ? from.x : from.x + boxWidth;
  const end = from.x < to.x ? to.x : to.x + boxWidth;
  const bend = from.x === to.x ? 14 + Math.min(Math.abs(from.y - to.y) / 12, 36) : columnGap;
  const [first, second] = [isRightOf ? start - bend : start + bend, from.x < to.x ? end - bend : end + bend];
  const path = `M${start} ${from.y} C${first} ${from.y} ${second} ${to.y} ${end} ${to.y}`;
  return `<path class="line" d="${path}" marker-end="url(#tables-head)"/>`;
}
