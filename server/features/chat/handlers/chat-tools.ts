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

/** The type and the name of a tool. */
interface NamedTool {
  readonly type?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/** The functions of a request, and its tools that were left out. */
export class OfferedTools {
  readonly tools: readonly ChatTool[];
  readonly #names: ReadonlySet<string>;
  readonly #others: readonly NamedTool[];
  readonly #message: string | undefined;

  /** @param message of an impossible choice, in place of that of the code */
  constructor(tools: readonly ChatTool[], others: readonly NamedTool[] = [], message?: string) {
    this.tools = tools;
    this.#names = new Set(tools.map(({ name }) => name));
    this.#others = others;
    this.#message = message;
  }

  /**
   * Returns the choice.
   *
   * @throws invalid_tool_choice when it needs a function that is not among the tools
   */
  possible<Choice extends ChatToolChoice | undefined>(choice: Choice): Choice {
    if (choice === 'required' && this.tools.length === 0) throw this.impossible(undefined);
    if (typeof choice === 'object' && !this.#names.has(choice.name)) throw this.impossible(choice.name);
    return choice;
  }

  /** Returns the refusal of a choice. It says whether the choice needs a tool that was left out. */
  impossible(name: string | undefined): Refusal {
    const named = this.#others.find((tool) => name !== undefined && (tool.name === name || tool.type === name));
    const other = named ?? (name === undefined && this.tools.length === 0 ? this.#others[0] : undefined);
    const message = other
      ? `tool_choice needs a tool of the type ${got(other.type ?? '').slice(4, -1)}. The gateway cannot run it, and ` +
        'leaves it out. Choose a function, or leave out tool_choice.'
      : this.#message;
    return new Refusal('invalid_tool_choice', message === undefined ? {} : { message });
  }
}
