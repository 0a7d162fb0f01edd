// Made from uploader/ by `npm run generate`. Never edit it by hand.
/**
 * An API key or upload token, or a function that returns one. The function is called before the first request. It is
 * called again when its credential is refused, with that one as `refused`. An error that it throws becomes
 * NO_CREDENTIAL, unless it is an UploadError.
 */
export type Credential = string | ((refused?: string) => string | Promise<string>) | SessionCredential;
/**
 * The session of a page on the API's own host, which signed in with `startSession`. The browser sends the session's
 * cookie.
 */
export interface SessionCredential {
    /** The `csrf_token` of the session. */
    readonly csrfToken: string;
}
/** Gives all requests of an upload the same credential. */
export interface Credentials {
    readonly canRenew: boolean;
    /** The header that carries the credential. */
    readonly header: 'Authorization' | 'X-Cubby-CSRF';
    current(): Promise<string>;
    /**
     * Returns another credential in place of a refused one, or the same one if there is no other.
     *
     * @throws {UploadError} NO_CREDENTIAL
     */
    renew(refused: string): Promise<string>;
}
export declare function credentialsFrom(credential: Credential): Credentials;
/**
 * Returns whether this is an upload token. Only the token that opened an upload can access it, so it is kept for
 * resuming. Leaking it risks far less than a key.
 */
export declare function isUploadToken(credential: string): boolean;
