/** The hosts beside the API's, as a server without settings has them. Set yours before the first request; a `baseUrl` of the call wins. */
export declare const hosts: {
    files: string;
    public: string;
    operator: string;
};
