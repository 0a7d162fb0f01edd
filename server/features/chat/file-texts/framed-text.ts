/** The text of a file, and what the model is told about it. */
interface Framed {
  readonly name: string;
  readonly title?: string | null | undefined;
  readonly context?: string | null | undefined;
  /** By `escapeEnds()`. */
  readonly text: string;
}

/**
 * Returns the text of a file in a frame that names it, as models have learnt to read documents. What stands in the
 * frame cannot end it: the name is escaped here, and what looks like the end in the text was before.
 *
 * The same file has the same frame each time, because the cache of answers compares the text. So the frame has no
 * random mark.
 */
export function framedText({ name, title, context, text }: Framed): string {
  return [
    '<document>',
    `<source>${escaped(name)}</source>`,
    ...(title ? [`<title>${escaped(title)}</title>`] : []),
    ...(context ? [`<context>${escaped(context)}</context>`] : []),
    '<document_content>',
    text,
    '</document_content>',
    '</document>',
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\u0000-\u001f\u007f]+/g, ' ');
}
