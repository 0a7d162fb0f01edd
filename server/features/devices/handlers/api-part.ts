import { policies } from '#generated/policies.ts';
import type { ApiPart } from '#server/handlers/api-part.ts';

/** The page that approves a device shows who is signed in. */
export const apiPart: ApiPart = { withoutCors: [policies.showActivationPage.path] };
