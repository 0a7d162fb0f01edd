import { cursor, sent, type Harvest } from './note.ts';

const noteAccount: Harvest = (world, { json }) => {
  const { account_id: id, state } = json.response;
  if (state === 'deleted') world.shared.add('deletedVictim', id);
  else world.shared.remove('deletedVictim', id);
};

export const operator: Readonly<Record<string, Harvest>> = {
  startOperatorSession: (world, { answer, json }) =>
    world.shared.add('operatorSession', `${/^[^;]+/.exec(answer.cookies[0] ?? '')?.[0]} ${json.response.csrf_token}`),
  deleteOperatorSession: (world, exchanged) => {
    for (const session of world.shared.all('operatorSession'))
      if (session.startsWith(`${sent(exchanged, 'Cookie')} `)) world.shared.remove('operatorSession', session);
  },
  createAccount: (world, { json }) => {
    world.shared.add('victim', json.response.account_id);
    world.shared.add('victimCredential', json.response.api_key);
  },
  createAccountKey: (world, { json }) => {
    world.shared.add('victimKey', json.response.key_id);
    world.shared.add('victimCredential', json.response.api_key);
  },
  revokeAccountKey: (world, { json }) => world.shared.remove('victimKey', json.response.key_id),
  deleteAccount: noteAccount,
  restoreAccount: noteAccount,
  createAccountApp: (world, { json, request }) => {
    if (request.target.includes(world.member.id)) world.member.app ??= json.response.id;
  },
  listAccounts: cursor('accountCursor', true),
  listAuditEntries: cursor('auditCursor', true),
  verifyAuditLog: (world, { json }) => world.shared.add('auditHead', json.response.head),
  listJobs: (world, { json }) => {
    for (const { job, name } of json.response.jobs) world.shared.add('job', job ?? name);
  },
};
