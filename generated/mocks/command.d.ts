// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
/** Runs `npx cubby …`: a server without a command, the sandbox, or a command of the operator. */
export declare function runCommand([command, ...rest]: readonly string[]): Promise<void>;
