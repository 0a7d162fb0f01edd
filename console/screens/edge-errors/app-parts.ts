import { messages } from '../../app/messages.ts';
import type { AppPart } from '../apps/app-part.ts';
import { EdgeErrors } from './edge-errors.tsx';

export const edgeErrorParts: readonly AppPart[] = [
  {
    feature: 'edge-errors',
    name: 'errors',
    title: () => messages().edgeErrors.errors,
    opensBuiltIn: true,
    Content: EdgeErrors,
  },
];
