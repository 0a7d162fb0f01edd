/** The session that stands for each credential of a header. */
const sessionOf = { apiKey: 'consoleSession', operatorKey: 'operatorSession' };

/** The credentials of an operation that names none: the contract's own default. */
const standard = [{ apiKey: [] }];

/**
 * Lets the session of a browser into every operation that takes an API key or an operator key. Methods that change
 * something also need the session's token.
 */
export function admitSessions(operation, method) {
  const { security = standard } = operation;
  const sessions = security
    .flatMap((one) => Object.keys(one))
    .flatMap((name) => sessionOf[name] ?? [])
    .map((name) => ({ [name]: [], ...(method !== 'get' && { csrfToken: [] }) }));
  if (sessions.length > 0) operation.security = [...security, ...sessions];
}

/** Whether the session of a browser may call an operation. */
export function takesSessions({ security = [] }) {
  return security.some((one) => one.consoleSession || one.operatorSession);
}
