/** One bar: a server under one load. */
export interface Bar {
  readonly name: string;
  /** Processor time of a request in µs, as a multiple of the bare handler's. */
  readonly ratio: number;
  /** The text drawn after the bar. */
  readonly label: string;
  readonly isOwn: boolean;
}

export interface Group {
  readonly name: string;
  readonly bars: readonly Bar[];
}

const width = 860;
const [barsFrom, barsWidth] = [300, 330];
const [lineHeight, groupGap, top] = [20, 18, 44];

/** Draws groups of bars as SVG that is readable on light and dark pages. Bars end at a ratio of `longest`. */
export function chartOf(title: string, groups: readonly Group[], longest = 8): string {
  const lines: string[] = [];
  let y = top;
  for (const { name, bars } of groups) {
    lines.push(`<text x="0" y="${y + 12}" class="group">${escaped(name)}</text>`);
    y += lineHeight;
    for (const { name: of, ratio, label, isOwn } of bars) {
      const length = (Math.min(ratio, longest) / longest) * barsWidth;
      lines.push(
        `<text x="12" y="${y + 12}">${escaped(of)}</text>`,
        `<rect x="${barsFrom}" y="${y + 2}" width="${length.toFixed(1)}" height="13" ` +
          `class="${isOwn ? 'own' : 'other'}"/>`,
        `<text x="${(barsFrom + length + 6).toFixed(1)}" y="${y + 12}">${escaped(label)}</text>`,
      );
      y += lineHeight;
    }
    y += groupGap;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #57606a }
.title { font-weight: 600; font-size: 15px }
.group { font-weight: 600 }
.own { fill: #1f7a4d }
.other { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #b1bac4 } .own { fill: #3fb27f } }
</style>
<text x="0" y="18" class="title">${escaped(title)}</text>
${lines.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
