import type { ChatMessage, ChatRequest, ChatTool, ChatToolCall } from '#dist/modules/client/index.js';

/** One message as the person sees it. */
export interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly calls: readonly ChatToolCall[];
  /** The call that a tool message answers. */
  readonly callId?: string;
}

export interface Settings {
  readonly system: string;
  readonly model: string;
  readonly maxTokens: string;
  readonly temperature: string;
  /** JSON. */
  readonly tools: string;
  readonly stream: boolean;
}

export const firstSettings: Settings = {
  system: '',
  model: '',
  maxTokens: '',
  temperature: '',
  tools: '',
  stream: false,
};

/** What is wrong with the settings, by the field. */
export type Mistakes = { readonly [Field in 'maxTokens' | 'temperature' | 'tools']?: true };

export function mistakesOf({ maxTokens, temperature, tools }: Settings): Mistakes {
  const tokens = Number(maxTokens);
  const heat = Number(temperature);
  return {
    ...(maxTokens !== '' && !(Number.isSafeInteger(tokens) && tokens >= 1) && { maxTokens: true as const }),
    ...(temperature !== '' && !(heat >= 0 && heat <= 2) && { temperature: true as const }),
    ...(toolsOf(tools) === undefined && { tools: true as const }),
  };
}

/** Returns the tools of a JSON text: a list, or one alone. Undefined if it is neither. */
export function toolsOf(text: string): ChatTool[] | undefined {
  if (text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : [value];
    return list.every((tool) => typeof tool === 'object' && tool !== null) ? (list as ChatTool[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the body of the request. Settings that are empty are left out. */
export function requestOf(settings: Settings, turns: readonly Turn[]): ChatRequest {
  const tools = toolsOf(settings.tools) ?? [];
  const system: ChatMessage[] = settings.system.trim() === '' ? [] : [{ role: 'system', content: settings.system }];
  return {
    ...(settings.model !== '' && { model: settings.model }),
    messages: [...system, ...turns.map(messageOf)],
    ...(settings.maxTokens !== '' && { max_tokens: Number(settings.maxTokens) }),
    ...(settings.temperature !== '' && { temperature: Number(settings.temperature) }),
    ...(tools.length > 0 && { tools }),
    ...(settings.stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

function messageOf({ role, text, calls, callId }: Turn): ChatMessage {
  if (role === 'tool') return { role, content: text, ...(callId !== undefined && { tool_call_id: callId }) };
  if (calls.length > 0) return { role, content: text === '' ? null : text, tool_calls: [...calls] };
  return { role, content: text };
}
