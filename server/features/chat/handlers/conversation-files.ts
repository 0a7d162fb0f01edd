import { grantsAny } from '#server/domain/access/scope.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import type { Ports } from '#server/handlers/ports.ts';
import { BodyError } from '#server/http/body-error.ts';
import type { PdfReader } from '../file-texts/pdf-reader.ts';
import { NamedFiles, type FileTexts } from '../file-texts/named-files.ts';
import { readFileTexts } from '../file-texts/read-file-texts.ts';
import type { Conversation } from './chat-answer.ts';

/** The most files that one request names. Each takes two look-ups. */
const maxFiles = 64;

interface Deps extends Pick<Ports, 'blobs' | 'clock' | 'metadata'> {
  readonly pdfs: PdfReader;
}

/** The scope that the contents of files need. */
const scope = 'blob:read';

/**
 * Reads a conversation that may name files, and checks all of it that needs no file. The files are read later, because
 * other checks are cheaper.
 *
 * @param read reads the conversation of the request, with the texts of its files
 * @param code of too many files
 * @throws missing_scope, the code, and the errors of `read`
 */
export function conversationWithFiles(
  deps: Deps,
  { caller, keep }: Pick<Call, 'caller' | 'keep'>,
  read: (files: FileTexts) => Conversation,
  code: 'invalid_messages' | 'invalid_input' | 'invalid_body',
): Conversation {
  const named = new NamedFiles();
  const conversation = read(named);
  const files = named.list;
  if (files.length === 0) return conversation;
  const { account, key } = caller;
  if (!grantsAny(key.scopes, [scope]))
    throw new Refusal('missing_scope', { detail: `The request names files, and to read them it needs ${scope} too.` });
  const different = new Set(files.map(({ id }) => id)).size;
  if (different > maxFiles)
    throw new Refusal(code, { message: `A request may name at most ${maxFiles} files. Got ${different}.` });
  const reach = { accountId: account.id, prefixes: key.prefixes };
  return {
    ...conversation,
    readFiles: async (contextTokens, signal) => {
      const texts = await readFileTexts(deps, { files, reach, contextTokens, keep: keeping(keep), signal });
      return read(texts).turn;
    },
  };
}

/** The memory for bodies is used up like that of the request itself, with the same error. */
function keeping(keep: Call['keep']): Call['keep'] {
  return (bytes) => {
    try {
      keep(bytes);
    } catch (error) {
      throw error instanceof BodyError ? new Refusal('server_overloaded') : error;
    }
  };
}
