import type { MessagesBlock } from '#generated/types.ts';
import type { NamedFile } from '../../file-texts/named-files.ts';

/** A block that may name where its text is from. */
type Sourced = Pick<MessagesBlock, 'type' | 'source' | 'title' | 'context' | 'tool_name'> & {
  readonly content?: unknown;
};

/**
 * Returns the text of a document, of a result of a search or of a reference to a tool. Undefined for other blocks, and
 * for those without a text, such as a PDF.
 */
export function sourceText({ type, source, title, content, tool_name: tool }: Sourced): string | undefined {
  switch (type) {
    case 'document':
      return titled(title, documentText(source));
    case 'search_result':
      return titled(title, titled(textIn(source), textIn(content)));
    case 'tool_reference':
      return `tool_reference: ${tool ?? ''}`;
    default:
      return undefined;
  }
}

/**
 * Returns the file of this account that a document names. Undefined for other blocks.
 *
 * @param place where the block is in the request, for messages
 */
export function documentFile({ type, source, title, context }: Sourced, place: string): NamedFile | undefined {
  if (type !== 'document' || !hasFields(source) || source.type !== 'file') return undefined;
  const { file_id: id } = source;
  if (typeof id !== 'string') return undefined;
  return { id, place: `${place}.source.file_id`, title: ifText(title), context: ifText(context) };
}

/** The schema does not know the fields of blocks in a result. */
function ifText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function documentText(source: unknown): string | undefined {
  if (!hasFields(source)) return undefined;
  const { type, data, content } = source;
  if (type === 'text') return textIn(data);
  return type === 'content' ? textIn(content) : undefined;
}

function titled(title: string | null | undefined, text: string | undefined): string | undefined {
  return title && text !== undefined ? `${title}\n${text}` : text;
}

/** Returns undefined also if a part is no text. */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((part: unknown) => (hasFields(part) ? part.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}

function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
