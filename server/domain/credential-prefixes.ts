/** The beginnings of credentials, by which people and secret scanners recognise them. */
export const credentialPrefixes = { apiKey: 'cbk_', uploadToken: 'cbup_', operatorKey: 'cbo_' } as const;
