// Made from mocks/consumer/ by `npm run generate`. Never edit it by hand.
import { type HttpHandler } from 'msw';
import { type Fixtures, type OperationId, type ResponseName } from '../fixtures/index.js';
/** What a function of an override gets. */
export interface OverrideInfo {
    readonly request: Request;
    /** The parameters of the path, decoded. */
    readonly params: Readonly<Record<string, string>>;
}
/** A body in place of the example's, with the status and the headers of the example `like`. */
export interface BodyOverride<Id extends OperationId> {
    /** Default: the first example. */
    readonly like?: ResponseName<Id>;
    readonly body: Fixtures[Id][keyof Fixtures[Id]];
    readonly headers?: Readonly<Record<string, string>>;
}
/** The name of an example, a body, or a function that returns one of them, a `Response`, or nothing for the usual. */
export type Override<Id extends OperationId> = ResponseName<Id> | BodyOverride<Id> | ((info: OverrideInfo) => OverrideResult<Id> | Promise<OverrideResult<Id>>);
type OverrideResult<Id extends OperationId> = ResponseName<Id> | BodyOverride<Id> | Response | undefined;
export type Overrides = {
    readonly [Id in OperationId]?: Override<Id>;
};
export interface HandlerOptions {
    /** The address of the API, without a trailing slash. Default: every host. */
    readonly baseUrl?: string;
    /** The address of links (`/d/…`, `/s/…`). Default: every host. */
    readonly filesUrl?: string;
    /** The address of public files. Without it they are not handled, because any path could be one. */
    readonly publicUrl?: string;
    /** Whether a request without `Authorization` gets ACCESS_DENIED where the operation needs a key. Default: true. */
    readonly requiresKey?: boolean;
    readonly overrides?: Overrides;
}
/**
 * Returns Mock Service Worker handlers for every operation. Each sends the contract's first example, unless an override
 * says otherwise. They check no request: `npm run mock` does.
 */
export declare function cubbyHandlers({ overrides, ...options }?: HandlerOptions): HttpHandler[];
/**
 * Returns a handler of one operation, for `server.use()` in a test.
 *
 * @param override the response. Default: the first example
 * @throws for `getPublicFile` without `publicUrl`
 */
export declare function cubbyHandler<Id extends OperationId>(id: Id, override?: Override<Id>, options?: Omit<HandlerOptions, 'overrides'>): HttpHandler;
/** Returns the `Response` of an example. */
export declare function exampleResponse<Id extends OperationId>(id: Id, name: ResponseName<Id>): Response;
export {};
