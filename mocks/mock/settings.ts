import { parseConfig } from '#server/config/config.ts';

/**
 * The variables of the mock. It has the operations that an operator may switch on, because its examples show them. It
 * counts no request.
 */
export const mockEnvironment = {
  CUBBY_AI_CLIENT_FORMS: 'on',
  CUBBY_AI_EMBEDDINGS_MODEL: 'cubic-embed',
  CUBBY_AI_EMBEDDINGS_URL: 'http://127.0.0.1:9/v1',
  CUBBY_AI_STREAMING: 'on',
  CUBBY_BACKUP_TARGET: '/var/backups/cubby',
  CUBBY_RATE_LIMITS: 'off',
} as const;

/** The configuration of the mock: that of a server, with {@link mockEnvironment}. */
export const mockConfig = parseConfig(mockEnvironment);
