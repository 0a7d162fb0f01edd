import type { ResponsesTool } from '#generated/types.ts';
import { given } from '#server/handlers/given.ts';
import type { ChatTool } from '../../conversation/conversation.ts';
import { functionNames } from '../chat-tools.ts';
import type { LeftOut } from '../left-out.ts';

/** A function as the client names it. */
export interface ClientName {
  readonly name: string;
  readonly namespace?: string;
}

/**
 * The functions in the namespaces of a request. Chat completions know no namespaces, so the model gets a name of both
 * parts. Agents have the tools of an MCP server in a namespace.
 */
export class Namespaces {
  readonly tools: readonly ChatTool[];
  readonly #clientNames = new Map<string, ClientName>();
  readonly #modelNames = new Map<string, string>();

  constructor(tools: readonly ResponsesTool[], leftOut?: LeftOut) {
    const taken = new Set(tools.flatMap(({ type, name }) => (type === 'function' && name ? [name] : [])));
    this.tools = tools.filter(hasFunctions).flatMap((one) => this.#read(one, taken, leftOut));
  }

  /** Returns the function as the client knows it. */
  clientName(name: string): ClientName {
    return this.#clientNames.get(name) ?? { name };
  }

  /** Returns the name that the model knows. History may have functions that are no longer offered. */
  modelName(namespace: string, name: string): string {
    return this.#modelNames.get(keyOf(namespace, name)) ?? joinedName(namespace, name).slice(0, 64);
  }

  #read({ name, tools }: ResponsesTool, taken: Set<string>, leftOut: LeftOut | undefined): ChatTool[] {
    const namespace = name ?? '';
    return (tools ?? []).flatMap(({ type, name, description, parameters, strict }) => {
      const isFunction = type === 'function' || type === undefined || type === null;
      const candidates = isFunction && name ? [joinedName(namespace, name), name] : [];
      const modelName = candidates.find((one) => functionNames.test(one) && !taken.has(one));
      if (modelName === undefined) {
        leftOut?.add('tools', isFunction ? 'namespace' : type);
        return [];
      }
      taken.add(modelName);
      this.#clientNames.set(modelName, { namespace, name: name! });
      this.#modelNames.set(keyOf(namespace, name!), modelName);
      return [{ name: modelName, ...given({ description, parameters, strict }) }];
    });
  }
}

/** Whether a tool is a namespace of functions. */
export function hasFunctions({ type, name, tools }: ResponsesTool): boolean {
  return type === 'namespace' && Boolean(name) && (tools ?? []).length > 0;
}

/** Returns how many tools a request has. Those of a namespace count each. */
export function countOfTools(tools: readonly ResponsesTool[]): number {
  const counts = tools.map((tool) => (hasFunctions(tool) ? tool.tools!.length : 1));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** MCP servers have such names, so models know them. */
function joinedName(namespace: string, name: string): string {
  const separator = namespace.endsWith('__') ? '' : '__';
  return `${namespace}${separator}${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

function keyOf(namespace: string, name: string): string {
  return JSON.stringify([namespace, name]);
}
