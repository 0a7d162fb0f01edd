import type { AiConfig } from '../config/ai.ts';

/** Switches on all that clients of today expect. */
const open = 'CUBBY_AI=open';

/**
 * Returns the line about the AI gateway for the person who started the server: its address, and what is switched off.
 */
export function startLine(
  {
    streaming,
    clientForms,
    responses,
    messages,
  }: Pick<AiConfig, 'clientForms' | 'responses' | 'messages'> & { readonly streaming: { readonly isOn: boolean } },
  { api }: { readonly api: string },
): string {
  const off = [
    ...(streaming.isOn ? [] : [`streams of chat completions (${open} or CUBBY_AI_STREAMING=on)`]),
    ...(clientForms ? [] : [`text in parts and the role developer (${open} or CUBBY_AI_CLIENT_FORMS=on)`]),
    ...(responses ? [] : ['Open Responses (CUBBY_AI_RESPONSES=on)']),
    ...(messages ? [] : ['the Messages API (CUBBY_AI_MESSAGES=on)']),
  ];
  const switches = off.length === 0 ? '' : `. Off, until you set it: ${off.join(', ')}`;
  return `AI gateway: ${api}/v2/ai${switches}`;
}
