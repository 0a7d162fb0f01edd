// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
/** Runs `npx cubby …`: a server without a command, the sandbox, or a command of the operator. */
export declare function runCommand([command, ...rest]: readonly string[]): Promise<void>;
/** Runs a program of the package with a Node that the server runs on, and passes signals on to it. */
export declare function runProgram(path: string, args: readonly string[], { flags, env, }?: {
    readonly flags?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
}): Promise<void>;
