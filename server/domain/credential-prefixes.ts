/** What a credential begins with, so that people and secret scanners recognise it. */
export const credentialPrefixes = { apiKey: 'cbk_', uploadToken: 'cbup_' } as const;
