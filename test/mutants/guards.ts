/** The files that guard something. `npm run mutants` changes these, and the tests of `npm test` must notice. */
export const guards = [
  // Signatures.
  'server/signature-v4/*.ts',
  'server/features/s3/door/authorize.ts',
  'server/features/s3/door/signature/*.ts',
  'server/features/deploys/handlers/git/signature.ts',
  'server/domain/signed-cursor.ts',
  'server/features/files/links/{create-download-link,download-link,open-download-link}.ts',
  'server/features/images/{requested-variant,signing-key}.ts',
  // Credentials and sessions.
  'server/domain/access/{authenticate,authenticate-session,credential,form-token,live-key}.ts',
  'server/domain/access/{session-token,sign-in,upload-token}.ts',
  'server/domain/console/authenticate-browser.ts',
  'server/domain/operator/authenticate-operator.ts',
  'server/domain/find-by-credential.ts',
  'server/features/shares/{check-password,password}.ts',
  'server/doors/contract/{authenticate-browser,authenticate-operation}.ts',
  'server/handlers/{session-cookies,sign-in-guard}.ts',
  // Scopes, prefixes, and what a key or token may do.
  'server/domain/access/{change-key,create-key,places,require-sender,s3-key-pair,scope}.ts',
  'server/domain/prefixes.ts',
  'server/domain/activity/within-prefixes.ts',
  'server/features/upload-tokens/{create-upload-token,reserve-use,origin,parse-pins}.ts',
  'server/doors/contract/guard.ts',
  'server/backends/webhooks/allowed-address.ts',
  // Quotas, caps and limits.
  'server/domain/account/quota.ts',
  'server/features/chat/models/allowed-model.ts',
  'server/features/chat/budgets/chat-quota.ts',
  'server/features/chat/reservations/{chat,key}-refusal.ts',
  'server/features/uploads/quota-of-parts.ts',
  'server/features/files/upload/quota-reservation.ts',
  'server/features/shares/byte-budget.ts',
  'server/doors/contract/operation-limits.ts',
  'server/pipeline/request-limits.ts',
  'server/features/chat/stores/memory/key-charges.ts',
  'server/features/shares/stores/memory/password-tries.ts',
  'server/stores/memory/rate-limits.ts',
  // Conditions.
  'server/domain/write-conditions.ts',
  'server/features/files/write-conditions.ts',
  'server/features/s3/require-conditions.ts',
  'server/doors/contract/write-conditions.ts',
  'server/http/conditional.ts',
  // Encryption.
  'server/stores/encrypted/*.ts',
  'server/stores/system/{key-ring,master-key,rotated-keys,secrets}.ts',
];
