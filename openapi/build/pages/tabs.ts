/** The titles of tabs, by the language of a block. Blocks in other languages never become tabs. */
const titles: Readonly<Record<string, string>> = { sh: 'curl', js: 'JavaScript', py: 'Python', go: 'Go', php: 'PHP' };

/** A block of code of a guide. */
export interface Block {
  readonly language: string;
  /** What stands in brackets behind the language: the name of a file, or a text with spaces. */
  readonly label: string | undefined;
  /** With the end of its last line. */
  readonly code: string;
}

/** A part of a guide: a text, or blocks between which only blank lines are. */
export type Part = string | readonly Block[];

/** Splits a guide into texts and blocks of code. */
export function partsOf(markdown: string): Part[] {
  const parts: Array<string | Block[]> = [];
  let end = 0;
  for (const { 0: whole, 1: language, 2: label, 3: code, index } of markdown.matchAll(
    /^```(\w+)(?: \[([^\]\n]+)\])?\n([^]*?)^```$\n?/gm,
  )) {
    const between = markdown.slice(end, index);
    const block = { language: language!, label, code: code! };
    const last = parts.at(-1);
    if (Array.isArray(last) && between.trim() === '') last.push(block);
    else parts.push(between, [block]);
    end = index + whole.length;
  }
  return [...parts, markdown.slice(end)];
}

/**
 * Returns whether blocks become tabs: the same in different languages, either none with a label or each with the name
 * of a file.
 */
export function areTabs(blocks: readonly Block[]): boolean {
  const languages = new Set(blocks.map(({ language }) => language));
  const isFile = ({ label }: Block) => label !== undefined && !label.includes(' ');
  return (
    blocks.length > 1 &&
    languages.size === blocks.length &&
    blocks.every(({ language }) => Object.hasOwn(titles, language)) &&
    (blocks.every(isFile) || blocks.every(({ label }) => label === undefined))
  );
}

/** Returns a guide in which blocks that are the same in different languages stand in tabs of the generator. */
export function withTabs(markdown: string): string {
  return partsOf(markdown)
    .map((part) => {
      if (typeof part === 'string') return part;
      const isGroup = areTabs(part);
      const fences = part.map(
        (block) => `\`\`\`${block.language}${bracketed(isGroup ? titleOf(block) : block.label)}\n${block.code}\`\`\`\n`,
      );
      return isGroup ? `::: code-group\n${fences.join('')}:::\n` : fences.join('\n');
    })
    .join('');
}

function bracketed(label: string | undefined): string {
  return label === undefined ? '' : ` [${label}]`;
}

function titleOf({ language, label, code }: Block): string {
  return label ?? (language === 'sh' && !/\bcurl\b/.test(code) ? 'Shell' : titles[language]!);
}
