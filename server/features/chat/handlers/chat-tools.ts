import type { ChatTool, ChatToolChoice } from '../conversation/conversation.ts';
import { got } from '#server/domain/error-value.ts';
import { Refusal } from '#server/domain/refusal.ts';

export const functionNames = /^[A-Za-z0-9_-]{1,64}$/;

/** Checks the name of a function. @throws invalid_tools */
export function functionName(name: string | null | undefined, place: string): string {
  const isValid = typeof name === 'string' && functionNames.test(name);
  if (isValid) return name;
  const message = name
    ? `${place}.name must have 1 to 64 letters, digits, _ or -. ${got(name)}`
    : `${place}.name is missing. Send the name of the function.`;
  throw new Refusal('invalid_tools', { message });
}

/** Returns the functions. @throws invalid_tools when two have the same name */
export function distinctTools(tools: readonly ChatTool[]): readonly ChatTool[] {
  if (new Set(tools.map(({ name }) => name)).size < tools.length)
    throw new Refusal('invalid_tools', {
      message: 'Two functions in tools have the same name. Give each a name of its own.',
    });
  return tools;
}

/**
 * Returns the choice.
 *
 * @param message replaces the message of the code
 * @throws invalid_tool_choice when it needs a function that is not among the tools
 */
export function possibleChoice<Choice extends ChatToolChoice | undefined>(
  choice: Choice,
  tools: readonly ChatTool[],
  message?: string,
): Choice {
  const isPossible =
    choice === 'required'
      ? tools.length > 0
      : typeof choice !== 'object' || tools.some(({ name }) => name === choice.name);
  if (!isPossible) throw new Refusal('invalid_tool_choice', message === undefined ? {} : { message });
  return choice;
}
