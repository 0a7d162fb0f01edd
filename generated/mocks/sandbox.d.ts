// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
/// <reference lib="esnext.disposable" preserve="true" />
import type { ErrorCode } from '../client/index.js';
import type { Fixtures } from '../fixtures/index.js';
/** The plan of an account. */
export type Plan = 'none' | 'hobby' | 'standard' | 'pro' | 'enterprise';
/** An account of the sandbox. Its id and its key are the same on every start. */
export interface SandboxAccount {
    readonly plan: Plan;
    readonly accountId: string;
    /** An API key with full access. */
    readonly credential: string;
}
/** The name of an operation, such as `uploadObject`. */
export type OperationId = keyof Fixtures;
export interface SandboxOptions {
    /** The port of each door. Default: a free one. */
    readonly ports?: Partial<Record<'api' | 'files' | 'public' | 's3' | 'operator', number>>;
    /** The port of the control API. Default: a free one. */
    readonly controlPort?: number;
    /** The address on which the doors listen. Default: 127.0.0.1. */
    readonly host?: string;
    /** Further variables of the server, such as CUBBY_AI_UPSTREAM_URL. */
    readonly env?: Readonly<Record<string, string>>;
    /** A seed, or the path of a JSON file with one. It is planted before `startSandbox()` resolves. */
    readonly seed?: Seed | string | URL;
}
/** What a sandbox holds before a test. */
export interface Seed {
    readonly files?: readonly SeedFile[];
    /** Fields of `createShare`, with the path of a seeded file in `file`. */
    readonly shares?: readonly SeedRequest[];
    /** Fields of `createUploadToken`. */
    readonly uploadTokens?: readonly SeedRequest[];
}
/** A file of a seed. Exactly one of `from`, `base64`, `text` and `sizeBytes` gives its bytes: at least 512. */
export interface SeedFile {
    /** `photos/beach.png`: prefix, name and extension. */
    readonly path: string;
    /** The path of a file on this machine, from the folder of the seed's file. */
    readonly from?: string;
    readonly base64?: string;
    readonly text?: string;
    /** So many bytes that are always the same. */
    readonly sizeBytes?: number;
    /** The account that gets the file, by its plan. Default: `pro`. */
    readonly plan?: Plan;
    readonly private?: boolean;
    readonly expire?: string;
    readonly metadata?: Readonly<Record<string, string>>;
}
export interface SeedRequest {
    readonly plan?: Plan;
    readonly file?: string;
    readonly [field: string]: unknown;
}
/** What a seed made, in its order. */
export interface Seeded {
    readonly files: ReadonlyArray<{
        readonly path: string;
        readonly id: string;
        readonly url: string | null;
    }>;
    readonly shares: ReadonlyArray<{
        readonly id: string;
        readonly url: string;
    }>;
    readonly uploadTokens: ReadonlyArray<{
        readonly token: string;
        readonly expires_at: string;
    }>;
}
/** A failure of the next requests of an operation: with a code, or with a cut connection. */
export type NextFailure = {
    readonly operation: OperationId;
    /** How many requests fail. Default: 1. */
    readonly times?: number;
} & ({
    /** One of the codes that the operation declares. */
    readonly code: ErrorCode | (string & {});
    /** The value of `Retry-After`, for a code that comes with it. Default: the contract's for the code. */
    readonly retryAfterSeconds?: number;
} | {
    /** `request`: the server sees nothing. `response`: the server has acted, and the client gets nothing. */
    readonly cut: 'request' | 'response';
});
/** A request that the sandbox received. */
export interface ReceivedRequest {
    /** RFC 3339, by the clock of the machine. */
    readonly at: string;
    readonly door: 'api' | 'files' | 'public' | 's3' | 'operator';
    /** Null for a request outside of the contract. */
    readonly operation: OperationId | 'getPublicFile' | null;
    readonly method: string;
    readonly path: string;
    /** As it was sent, without the question mark. */
    readonly query: string;
    /** Names in lower case. Of credentials only the last four characters are shown. */
    readonly headers: Readonly<Record<string, string>>;
    readonly bodyBytes: number;
    /** The body, if it is JSON or a form of at most 64 KiB. */
    readonly body?: unknown;
    /** Null if the connection ended before a response. */
    readonly status: number | null;
    /** Whether `failNext()` caused the response. */
    readonly isPlanned: boolean;
}
/** A sandbox: the real server on a temporary folder, under the control of a test. */
export interface Sandbox extends AsyncDisposable {
    /** The addresses of the doors, without a trailing slash. They stay the same after `reset()`. */
    readonly urls: Readonly<Record<'api' | 'files' | 'public' | 's3' | 'operator', string>>;
    readonly accounts: readonly SandboxAccount[];
    /** A key of the operator's door, the same on every start. */
    readonly operatorKey: string;
    /** In what it differs from a server without settings, one line each. */
    readonly differences: readonly string[];
    /** The address of the control API. */
    readonly controlUrl: string;
    /** Returns the account of a plan. Default: `pro`. */
    account(plan?: Plan): SandboxAccount;
    /** Deletes everything that was stored, planned and received, and sets the clock and the line back. */
    reset(): Promise<void>;
    /**
     * Stores files, share links and upload tokens.
     *
     * @param seed a seed, or the path of a JSON file with one
     */
    seed(seed: Seed | string | URL): Promise<Seeded>;
    /** Sets the clock of the server. It goes on from there, unless it is stopped. */
    setClock(now: Date | string, options?: {
        readonly isStopped?: boolean;
    }): Promise<void>;
    advanceClock(ms: number): Promise<void>;
    /** Lets the next requests of an operation fail. Several failures of an operation happen one after the other. */
    failNext(failure: NextFailure): Promise<void>;
    /** Slows the line. Without fields it has full speed again. */
    slowLine(speed?: {
        readonly latencyMs?: number;
        readonly bytesPerSecond?: number;
    }): Promise<void>;
    /** Returns the last 1000 requests, or those of one operation. A request is listed once it has ended. */
    received(operation?: ReceivedRequest['operation']): Promise<ReceivedRequest[]>;
    /** Returns how many responses differed from the contract. More than none is a bug of Cubby. */
    wrongAnswers(): Promise<number>;
    stop(): Promise<void>;
}
/**
 * Starts a sandbox in a process of its own. Several may run side by side. It ends with `stop()`, and with this process.
 *
 * @throws if it cannot start, with the reason
 */
export declare function startSandbox({ seed, env, ...options }?: SandboxOptions): Promise<Sandbox>;
