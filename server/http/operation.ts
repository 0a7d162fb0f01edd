import type { Reply } from './reply.ts';

/** Looks for what the path names, before the body is read. It throws the refusal if there is nothing. */
type Find<Input, Context> = (input: Pick<Input, keyof Input & 'path'>, context: Context) => Promise<void>;

/**
 * Answers an operation: a function of its validated input. Where the contract cannot check all of the input, there are
 * two functions. The first one parses the command, reads nothing that is stored, and runs before the plan is checked.
 */
export type Operation<Input, Context, R extends Reply> =
  | ((input: Input, context: Context) => Promise<R>)
  | ParsedOperation<Input, Context, R>;

interface ParsedOperation<Input, Context, R extends Reply> {
  readonly parse: (input: Input, context: Context) => unknown;
  readonly run: (command: never, context: Context) => Promise<R>;
  readonly find?: Find<Input, Context>;
}

/** An operation that parses its command. */
export function parsing<Input, Context, Command, R extends Reply>(
  parse: (input: Input, context: Context) => Command,
  run: (command: Command, context: Context) => Promise<R>,
): ParsedOperation<Input, Context, R> {
  return { parse, run };
}

/** Adds to an operation what is looked up before its body is read. */
export function finding<Input, Context, R extends Reply>(
  find: Find<Input, Context>,
  operation: Operation<Input, Context, R>,
): ParsedOperation<Input, Context, R> {
  return typeof operation === 'function' ? { find, parse: (input) => input, run: operation } : { ...operation, find };
}
