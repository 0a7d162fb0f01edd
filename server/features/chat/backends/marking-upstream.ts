import { turnWithSealed, withSealed } from '../conversation/changed-sealed.ts';
import type { ModelDelta } from '../conversation/chat-delta.ts';
import type { ChatAnswer } from '../conversation/conversation.ts';
import { withStrings, type SealedParts } from '../conversation/sealed.ts';
import type { Upstream } from './upstream.ts';

/** The fields of a detail that only its server reads. */
const sealedFields = ['signature', 'data'] as const;

type Detail = NonNullable<SealedParts['details']>[number];

/**
 * Marks what a server has sealed, so that only this server gets it back. The gateway keeps nothing, and clients carry
 * the parts unread. Other servers could not read them, and some reject them.
 *
 * @param marks of this server. The first one is written, all are taken back
 */
export function markingUpstream(upstream: Upstream, marks: readonly [string, ...string[]]): Upstream {
  const [mark] = marks;
  const seal = (sealed: SealedParts): SealedParts => marked(sealed, mark);
  const unseal = (sealed: SealedParts): SealedParts | undefined => unmarked(sealed, marks);
  return {
    async ask(turn, ...others) {
      const attempt = await upstream.ask(turnWithSealed(turn, unseal), ...others);
      return 'answer' in attempt ? { answer: markedAnswer(attempt.answer, seal) } : attempt;
    },
    stream: (turn, signal, reader, requestId) =>
      upstream.stream(
        turnWithSealed(turn, unseal),
        signal,
        { ...reader, emit: (delta) => reader.emit(markedDelta(delta, seal)) },
        requestId,
      ),
    close: () => upstream.close(),
  };
}

type Seal = (sealed: SealedParts) => SealedParts;

function markedAnswer(answer: ChatAnswer, seal: Seal): ChatAnswer {
  return { ...withSealed(answer, seal), toolCalls: answer.toolCalls.map((call) => withSealed(call, seal)) };
}

function markedDelta(delta: ModelDelta, seal: Seal): ModelDelta {
  return delta.type === 'sealed' || delta.type === 'call' ? withSealed<typeof delta>(delta, seal) : delta;
}

function marked({ details, extra }: SealedParts, mark: string): SealedParts {
  const markedText = (text: string): string => (text === '' ? '' : mark + text);
  return {
    ...(details && { details: details.map((detail) => markedDetail(detail, markedText)) }),
    ...(extra && { extra: withStrings(extra, markedText) }),
  };
}

function markedDetail(detail: Detail, markedText: (text: string) => string): Detail {
  const fields = sealedFields.flatMap((name) => {
    const text = detail[name];
    return typeof text === 'string' ? [[name, markedText(text)] as const] : [];
  });
  return { ...detail, ...Object.fromEntries(fields) };
}

/** Returns the parts that this server has sealed. Thoughts without a signature may go to any server. */
function unmarked({ details = [], extra }: SealedParts, marks: readonly string[]): SealedParts | undefined {
  const own = details.map((detail) => unmarkedDetail(detail, marks)).filter((detail) => detail !== undefined);
  const ownExtra = extra && unmarkedStrings(extra, marks);
  if (own.length === 0 && !ownExtra) return undefined;
  return { ...(own.length > 0 && { details: own }), ...(ownExtra && { extra: ownExtra }) };
}

function unmarkedDetail(detail: Detail, marks: readonly string[]): Detail | undefined {
  const fields = sealedFields.flatMap((name) => (name in detail ? [[name, detail[name]] as const] : []));
  const own = unmarkedStrings(Object.fromEntries(fields), marks);
  return own && { ...detail, ...own };
}

/** Returns undefined if a text is not of this server. */
function unmarkedStrings<T>(value: T, marks: readonly string[]): T | undefined {
  let isOwn = true;
  const own = withStrings(value, (text) => {
    const mark = text === '' ? '' : marks.find((one) => text.startsWith(one));
    isOwn &&= mark !== undefined;
    return mark === undefined ? text : text.slice(mark.length);
  });
  return isOwn ? own : undefined;
}
