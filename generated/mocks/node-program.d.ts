// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
/**
 * Returns the path of a Node that the server runs on: this one, or the one that the package installs.
 *
 * @throws if there is none
 */
export declare function nodeProgram(): string;
