import type { Home, Mocked } from '#test/mocks/example-home.ts';
import { Approver, askForKey, signedIn } from '#test/support/activation.ts';

const userCode = 'WDJB-MJHT';

export const makers: Mocked['makers'] = {
  [userCode]: async ({ server }) => (await askForKey(server)).user_code,
  'example-form-token': async (home) => formToken(home),
  async 'example-device-code-7q2m4x9v3k8n6tbw'({ server, account }) {
    const codes = await askForKey(server);
    await (await signedIn(server, account.credential)).decide('approve', codes.user_code);
    return codes.device_code;
  },
};

/** Opens the page with the form that the request sends. */
async function formToken({ server, account, request, cookies, given }: Home): Promise<string> {
  const action = new URLSearchParams(request.body).get('action');
  const approver = action === 'sign_in' ? new Approver(server) : await signedIn(server, account.credential);
  await approver.open();
  if (action === 'approve' || action === 'refuse') await approver.lookUp(given.get(userCode)!);
  for (const [name, value] of approver.cookies) cookies.set(name, value);
  return approver.formToken;
}

export const notFound: Mocked['notFound'] = ['invalid_grant'];
