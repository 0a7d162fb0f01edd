// Made from openapi/ by `npm run generate`. Never edit it by hand.
/** The hosts beside the API's, as a server without settings has them. Set yours before the first request; a `baseUrl` of the call wins. */
export const hosts = {
    files: 'http://localhost:7401',
    public: 'http://localhost:7402',
    operator: 'http://127.0.0.1:7404',
};
