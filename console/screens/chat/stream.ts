import type { ChatToolCall } from '#dist/modules/client/index.js';

/** What a stream has said so far. */
export interface Heard {
  readonly text: string;
  readonly calls: readonly ChatToolCall[];
  readonly finishReason: string | undefined;
  readonly usage: Tokens | undefined;
  /** The `error` of a stream that broke off. */
  readonly error: unknown;
}

interface Tokens {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export const silence: Heard = { text: '', calls: [], finishReason: undefined, usage: undefined, error: undefined };

/** The parts of a chunk that are read. Anything may be absent. */
interface Chunk {
  readonly choices?: ReadonlyArray<{
    readonly delta?: {
      readonly content?: string | null;
      readonly tool_calls?: ReadonlyArray<{
        readonly index?: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }>;
    };
    readonly finish_reason?: string | null;
  }>;
  readonly usage?: Tokens | null;
  readonly error?: unknown;
}

/** Adds a chunk of a stream to what was heard before. */
export function hear(before: Heard, { choices: [choice] = [], usage, error }: Chunk): Heard {
  const calls = [...before.calls];
  for (const part of choice?.delta?.tool_calls ?? []) {
    const at = part.index ?? calls.length;
    const { id, function: known } = calls[at] ?? { id: '', function: { name: '', arguments: '' } };
    calls[at] = {
      id: part.id ?? id,
      type: 'function',
      function: {
        name: known.name + (part.function?.name ?? ''),
        arguments: known.arguments + (part.function?.arguments ?? ''),
      },
    };
  }
  return {
    text: before.text + (choice?.delta?.content ?? ''),
    calls,
    finishReason: choice?.finish_reason ?? before.finishReason,
    usage: usage ?? before.usage,
    error: error ?? before.error,
  };
}

/** Cuts server-sent events out of pieces of text. Returns the data of each event that is complete. */
export function eventReader(): (piece: string) => string[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop()!;
    return blocks.flatMap((block) => {
      const lines = block.split('\n').filter((line) => line.startsWith('data:'));
      return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')];
    });
  };
}
