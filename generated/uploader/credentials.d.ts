// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * An API key or upload token, or a function that gives one. The function is asked before the first request, and again when
 * what it gave is refused: `refused` is that one then. What it throws becomes NO_CREDENTIAL, unless it is an UploadError already.
 */
export type Credential = string | ((refused?: string) => string | Promise<string>);
/** Hands out one credential to all requests of an upload. */
export interface Credentials {
    readonly canRenew: boolean;
    current(): Promise<string>;
    /**
     * Another one in the place of one that was refused; the same when there is none.
     *
     * @throws {UploadError} NO_CREDENTIAL
     */
    renew(refused: string): Promise<string>;
}
export declare function credentialsFrom(credential: Credential): Credentials;
/** Whether it is an upload token: of little worth beside a key, and the only one that reaches the uploads it opened. */
export declare function isUploadToken(credential: string): boolean;
