// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
/** How the package starts a server. A test compares these with `server/process-settings.ts`, which this code may not import. */
export declare const nodeFlags: readonly string[];
export declare const processEnv: Readonly<Record<string, string>>;
