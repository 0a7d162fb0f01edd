import { maxSentFileBytes } from './limits.ts';
import { extensionOfName, isBlocked, programEnding } from '#server/features/files/file-type.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { takesExtension } from '#server/features/rules/rule.ts';
import type { VisitedRequest } from './visit-request.ts';

/** A request, and the rule of its folder. */
type Terms = Pick<VisitedRequest, 'request' | 'rule'>;

/** Returns the refusal of a file that is larger than `maxBytes`. */
export function tooLarge(maxBytes: number): Refusal {
  return new Refusal('FILE_TOO_LARGE', { message: `Here a file may have up to ${maxBytes} bytes.` });
}

/** Returns the size of the largest file that a request takes. */
export function maxFileBytesOf({ request, rule }: Terms): number {
  return Math.min(request.maxFileBytes ?? Infinity, rule?.maxSizeBytes ?? Infinity, maxSentFileBytes);
}

/** Returns the extensions that a request takes. Null for all that are not blocked. */
export function extensionsOf({ request, rule }: Terms): readonly string[] | null {
  const { allowedExtensions } = request;
  const extensions =
    rule?.extensions && allowedExtensions
      ? allowedExtensions.filter((extension) => takesExtension(rule, extension))
      : (allowedExtensions ?? rule?.extensions);
  return extensions?.filter((extension) => !isBlocked(extension)) ?? null;
}

/** @throws BLOCKED_FILE_TYPE, FILE_TYPE_NOT_ALLOWED */
export function requireType(visited: Terms, path: string): void {
  const extension = extensionOfName(path.slice(path.lastIndexOf('/') + 1)) ?? '';
  if (isBlocked(extension) || programEnding(path) !== undefined) throw new Refusal('BLOCKED_FILE_TYPE');
  const lists = [visited.request.allowedExtensions, visited.rule?.extensions ?? null];
  if (lists.every((extensions) => takesExtension({ extensions }, extension))) return;
  const taken = extensionsOf(visited)?.join(', ');
  throw new Refusal('FILE_TYPE_NOT_ALLOWED', {
    message: taken
      ? `This request takes files that end in ${taken}.`
      : 'This request takes no type of file at present. Ask the person who sent the address.',
  });
}
